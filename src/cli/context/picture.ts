/** A window at a terminal: the budget as a bar, then each message with its fate, its tokens and the rule. */
import { reasonOf, signs } from '../../core/receipt/explain.js'
import { entrySpeaker, entryWords } from '../history/speaker.js'
import { draw } from '../kit/picture.js'
import { coloured, meter, storyText } from '../kit/story.js'
import { number, type Paint, printable, short, table } from '../kit/term.js'
import { type Fated, fatesOf } from './fates.js'
import type { Made } from './make.js'

export function picture(made: Made, width: number, paint: Paint, every: boolean): string {
  const { receipt } = made.window
  const { head, notes } = storyText(receipt)
  return [
    paint.bold(head),
    meter(receipt),
    '',
    ...draw(receipt, width, paint),
    '',
    ...rows(made, width, every).map((row, i) => (i === 0 ? paint.dim(row) : coloured(row, paint))),
    ...notes.map((note) => coloured(note, paint)),
  ].join('\n')
}

function rows(made: Made, width: number, every: boolean): string[] {
  const { current } = made.window.receipt
  const cells = runsOf(fatesOf(made), every).map((run) => cellsOf(run))
  if (current) cells.push(['now', 'user', '● current', amount(current.tokens), 'the message to answer', ''])
  return table([['', 'who', 'fate', 'sent/all', 'why', ''], ...cells], [3]).map((row) => cut(row, width))
}

/** Messages that were left out one after the other for the same reason share a row. */
function runsOf(fates: readonly Fated[], every: boolean): readonly (readonly Fated[])[] {
  const runs: Fated[][] = []
  for (const one of fates) {
    const last = runs.at(-1)?.at(-1)
    const joins = !every && last?.fate === 'dropped' && one.fate === 'dropped' && one.rule === last.rule
    if (joins) runs.at(-1)?.push(one)
    else runs.push([one])
  }
  return runs
}

function cellsOf(run: readonly Fated[]): string[] {
  const [first, last] = [run[0] as Fated, run.at(-1) as Fated]
  const { fate, rule, entry } = first
  const tokens = [0, 1].map((i) => run.reduce((sum, one) => sum + (one.tokens[i] ?? 0), 0)) as [number, number]
  const numbers = run.length === 1 ? numberOf(first) : `${numberOf(first)}–${numberOf(last)}`
  const who = run.length > 1 ? `${number(run.length)} messages` : entry ? entrySpeaker(entry) : ''
  const said = run.length > 1 || !entry ? '' : short(printable(entryWords(entry)), 60)
  return [numbers, printable(who), `${signs[fate]} ${fate}`, amount(tokens), reasonOf(rule), said]
}

/** The number that `show` gives it. */
const numberOf = ({ entry, index }: Fated): string => String(entry?.seq ?? index)

const amount = ([before, sent]: readonly [number, number]): string => `${number(sent)}/${number(before)}`

const cut = (row: string, width: number): string => {
  const points = [...row]
  return points.length <= width ? row : `${points.slice(0, width - 1).join('')}…`
}
