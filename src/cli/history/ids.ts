/** Ids as people read them: at a terminal only as much as tells them apart, elsewhere whole. */

export function shortestIds(ids: readonly string[], least = 8): string[] {
  if (!process.stdout.isTTY) return [...ids]
  for (let length = least; ; length += 4) {
    const cut = ids.map((id) => id.slice(0, length))
    if (new Set(cut).size === new Set(ids).size || length > 200) return cut
  }
}
