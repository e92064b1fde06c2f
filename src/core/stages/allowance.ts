/** Of the budget, what so many of the newest turns as may be whole have together. */
const together = 0.4

/**
 * Tokens that a turn may have: what the turns before it leave of their common part, or its own part of that.
 * Later turns do not matter, so that it keeps its form while they are added.
 */
export function allowanceOf(turns: Iterable<number>, span: number, budget: number): number {
  const own = (budget * together) / span
  let left = budget * together
  for (const tokens of turns) {
    left -= tokens
    if (left <= own) return own
  }
  return left
}
