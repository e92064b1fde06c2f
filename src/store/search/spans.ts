/** The numbers of a path as stretches without a gap: of a long conversation there are mostly few. */
export type Span = readonly [from: number, to: number]

/** From the numbers in falling order, as a walk from the head to the root gives them; rising. */
export function spansOf(falling: Iterable<number>): readonly Span[] {
  const spans: [from: number, to: number][] = []
  for (const seq of falling) {
    const last = spans.at(-1)
    if (last && last[0] === seq + 1) last[0] = seq
    else spans.push([seq, seq])
  }
  return spans.reverse()
}

export function isWithin(spans: readonly Span[], seq: number): boolean {
  let [low, high] = [0, spans.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const [from, to] = spans[middle] as Span
    if (seq < from) high = middle - 1
    else if (seq > to) low = middle + 1
    else return true
  }
  return false
}
