/** How large one of the newest turns may be: a matter of the turns before it, so that it keeps its form when others follow. */
export interface Allowance {
  /** Tokens for everything between the system prompt and the answer: the same from turn to turn. */
  readonly budget: number
  /** So many turns may be whole. */
  readonly span: number
}

/** Of the budget, what the turns that may be whole have together. */
const together = 0.4

/** What each has in any case. */
export const ownShare = ({ budget, span }: Allowance): number => (budget * together) / span

/** What the turns before it leave of the common part; `earlier` tells them, newest first. */
export function shareAfter(earlier: Iterable<number>, allowance: Allowance): number {
  const own = ownShare(allowance)
  let left = allowance.budget * together
  for (const tokens of earlier) {
    left -= tokens
    if (left <= own) return own
  }
  return left
}
