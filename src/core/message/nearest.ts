/** The name that was probably meant, or none when all are far off. */
export function nearest(asked: string, names: readonly string[]): string | undefined {
  const word = asked.toLowerCase()
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const far = name.startsWith(word) && word.length > 1 ? 1 : distance(word, name.toLowerCase(), least)
    if (far < least) [best, least] = [name, far]
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours; `most` or more is not counted further. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) >= most) return most
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[other.length] as number
}
