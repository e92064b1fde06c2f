/** A summary grows at its end, so that what it said stays to the byte; when it is full it is written anew. */
import type { Entry } from '../../store/contract/entry.js'
import type { Accepted, Measure } from './accept.js'
import type { Brief, Said } from './contract.js'
import { statementsOf } from './material.js'
import { isWritten } from './write.js'

type Good = Extract<Accepted, { ok: true }>

export interface Way {
  readonly brief: Brief
  readonly measure: Measure
  /** What was accepted as the text of the whole summary. */
  readonly finish: (made: Good) => Good
}

/** What the summary before said is folded into the new one. */
export const rewritten = (brief: Brief, measure: Measure): Way => ({ brief, measure, finish: (made) => made })

/** Of the room of a summary, so much must be free for it to go on. */
const free = 0.15

/** What was said since goes behind what the summary before said; null when that is full, or in a person's own words. */
export function continued(previous: Entry, said: readonly Said[], words: number, { count, most }: Measure): Way | null {
  const { text } = previous
  if (previous.redacted || !isWritten(text) || count(text) > most * (1 - free)) return null
  const after = (more: string): string => `${text}\n${more}`
  return {
    brief: { previous: [], said, words },
    measure: { count: (more) => count(after(more)), most },
    finish: (made) => ({
      ...made,
      statements: [...statementsOf(previous), ...made.statements],
      text: after(made.text),
    }),
  }
}
