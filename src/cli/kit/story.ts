/** A receipt for people: the picture, then what happened to each message and why. */
import { explain } from '../../core/receipt/explain.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import { draw } from './picture.js'
import { number, type Paint, printable } from './term.js'

export function story(receipt: Receipt, width: number, paint: Paint): string {
  const { head, rows, notes } = storyText(receipt)
  return [
    paint.bold(head),
    meter(receipt),
    '',
    ...draw(receipt, width, paint),
    '',
    ...rows.map((row) => coloured(row, paint)),
    ...notes.map((note) => coloured(note, paint)),
  ].join('\n')
}

export interface StoryText {
  readonly head: string
  /** One for each line of the receipt, or for each reason when there are many. */
  readonly rows: readonly string[]
  readonly notes: readonly string[]
}

/** The words of `explain` without its small meter, whose place the picture takes. */
export function storyText(receipt: Receipt): StoryText {
  const [head = '', , counts = '', , ...body] = printable(explain(receipt)).split('\n')
  const end = body.findIndex((line) => !line.startsWith('  '))
  const rows = end < 0 ? body : body.slice(0, end)
  return { head: `${head} · ${counts}`, rows, notes: end < 0 ? [] : body.slice(end) }
}

export function meter({ request: { window, budget, used, free } }: Receipt): string {
  if (budget === null) return `${number(used)} tokens used, no limit in tokens`
  const most = window === null ? '' : `; the model takes ${number(window)}`
  return `${number(used)} of ${number(budget)} tokens used, ${number(free ?? 0)} free${most}`
}

/** The sign and the word already say it; colour helps the eye. */
export function coloured(row: string, paint: Paint): string {
  return row
    .replace(/✂ clipped/, paint.yellow)
    .replace(/⊂ folded/, paint.cyan)
    .replace(/∅ dropped/, paint.red)
    .replace(/● (?:kept|current)/, paint.green)
    .replace(/^! .*/, paint.yellow)
    .replace(/^Specifics at risk:/, paint.bold)
}
