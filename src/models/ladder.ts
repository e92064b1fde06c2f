/** What is left out when a provider says that the request is too long. */

export type RungName = 'full' | 'half' | 'quarter' | 'last-5' | 'last-2' | 'none'

export interface Rung<T> {
  readonly name: RungName
  /** The newest of the history, in order. */
  readonly kept: readonly T[]
  readonly dropped: number
}

const rungs: readonly (readonly [RungName, (size: number) => number])[] = [
  ['full', (size) => size],
  ['half', (size) => Math.ceil(size / 2)],
  ['quarter', (size) => Math.ceil(size / 4)],
  ['last-5', () => 5],
  ['last-2', () => 2],
  ['none', () => 0],
]

/**
 * What of the history goes with the given attempt, from 0; null when there is nothing left to leave out. Steps that
 * would not make it shorter are passed over. This turn's own messages are no history and are never cut.
 * @example ladder(history, attempt)?.kept
 */
export function ladder<T>(history: readonly T[], attempt: number): Rung<T> | null {
  const steps = rungs
    .map(([name, keep]) => ({ name, keep: keep(history.length) }))
    .filter(({ keep }, at, all) => all.slice(0, at).every((before) => before.keep > keep))
  const step = steps[attempt]
  if (!step) return null
  const dropped = history.length - step.keep
  return { name: step.name, kept: history.slice(dropped), dropped }
}
