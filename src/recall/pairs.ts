/** Words that stand side by side: "account lockout" says more than an account here and a lockout there. */
export type Pairs = Uint32Array

/** Of terms in their order, the words that say nothing left out. Each pair is a number: two that share one are rare. */
export function pairsOf(terms: readonly string[]): Pairs {
  const pairs = new Uint32Array(Math.max(0, terms.length - 1))
  for (let at = 0; at < pairs.length; at++) pairs[at] = pairOf(terms[at] as string, terms[at + 1] as string)
  return pairs.sort()
}

/** FNV-1a of both, with a space between them. */
export function pairOf(one: string, other: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < one.length; at++) sum = Math.imul(sum ^ one.charCodeAt(at), 0x01000193)
  sum = Math.imul(sum ^ 0x20, 0x01000193)
  for (let at = 0; at < other.length; at++) sum = Math.imul(sum ^ other.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

export function holds(pairs: Pairs, pair: number): boolean {
  let [low, high] = [0, pairs.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const value = pairs[middle] as number
    if (value === pair) return true
    if (value < pair) low = middle + 1
    else high = middle - 1
  }
  return false
}
