/** One message of a window: what became of it, by which rule, and what it would cost to have it back. */
import { reasonOf, signs } from '../../core/receipt/explain.js'
import type { Entry } from '../../store/contract/entry.js'
import { entrySpeaker, entryWords } from '../history/speaker.js'
import { notFound } from '../kit/failure.js'
import { number, type Paint, printable, short } from '../kit/term.js'
import { type Fated, fatesOf } from './fates.js'
import type { Made } from './make.js'

export function fateOf(made: Made, entry: Entry): Fated {
  const found = fatesOf(made).find((one) => one.entry?.id === entry.id)
  if (found) return found
  throw notFound(
    `message ${entry.seq} is not on branch ${made.branch}, or it is the one to answer`,
    'throughline show ID --branches draws where it is',
  )
}

export function why(made: Made, fated: Fated, width: number, paint: Paint): string {
  const { fate, rule, tokens } = fated
  const entry = fated.entry as Entry
  const { request, policy } = made.window.receipt
  const [before, sent] = tokens
  const rest = before - sent
  const free = request.free ?? Number.POSITIVE_INFINITY
  const item = made.window.items.find(({ index }) => index === fated.index)
  return [
    paint.bold(`${entry.seq} ${printable(entrySpeaker(entry))} · ${signs[fate]} ${fate}: ${reasonOf(rule)} (${rule})`),
    `${number(sent)} of ${number(before)} tokens would be sent, under the policy ${policy.name}`,
    ...(rest > 0 ? [`+${number(rest)} tokens bring it back whole; ${freely(request.free, rest <= free)}`] : []),
    '',
    `said  ${short(printable(entryWords(entry)), width - 6)}`,
    ...(item && rest > 0 ? [`sent  ${short(printable(item.text), width - 6)}`] : []),
  ].join('\n')
}

function freely(free: number | null, fits: boolean): string {
  if (free === null) return 'no limit in tokens stands in its way'
  return `${number(free)} are free, ${fits ? 'but whole turns come back, never half of one' : 'so something else would have to go'}`
}
