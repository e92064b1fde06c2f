/** The words that only one of two texts has. */

/** More words than this are compared only at both ends. */
const most = 1_500

/** What is on one side only, as places: beginnings and ends that are the same are left out, then the longest common run of words. */
export function differing(one: readonly string[], other: readonly string[]): readonly [number[], number[]] {
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let tail = 0
  const rest = Math.min(one.length, other.length) - start
  while (tail < rest && one.at(-1 - tail) === other.at(-1 - tail)) tail++
  const [a, b] = [one.slice(start, one.length - tail), other.slice(start, other.length - tail)]
  const places = (list: readonly string[]): number[] => list.map((_, at) => start + at)
  if (a.length > most || b.length > most) return [places(a), places(b)]
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] as number) + 1
          : Math.max(common[(i + 1) * width + j] as number, common[i * width + j + 1] as number)
  const [left, right]: [number[], number[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (
      j >= b.length ||
      (i < a.length && (common[(i + 1) * width + j] as number) >= (common[i * width + j + 1] as number))
    )
      left.push(start + i++)
    else right.push(start + j++)
  }
  return [left, right]
}
