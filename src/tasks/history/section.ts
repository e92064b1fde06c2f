/** The section of the history, with a word for everything that is not in it. */
import type { Risk } from '../../core/receipt/receipt.js'
import { indent } from '../../core/render/lines.js'
import { numberedFrame } from '../../core/render/text-numbered.js'
import type { Summary } from './condense.js'

interface Beside {
  readonly summary: Summary | null
  /** Messages of other threads. */
  readonly elsewhere: number
  /** Entries that were not read. */
  readonly unread: number
  /** What is named only in what is missing. */
  readonly named: readonly Risk[]
}

/** Words of ours stand in parentheses at the margin, like markers; all others are indented and can forge nothing. */
export function sectionOf(rendered: string, style: 'emoji' | 'plain', beside: Beside): string {
  const { open } = numberedFrame(style)
  const notes = notesOf(beside)
  if (notes.length === 0 || !rendered.startsWith(open)) return rendered
  return open + notes.map((note) => `${note}\n\n`).join('') + rendered.slice(open.length)
}

function notesOf({ summary, elsewhere, unread, named }: Beside): string[] {
  const notes: string[] = []
  if (unread > 0) notes.push(`(The conversation is longer; ${unread} entries before these were not read.)`)
  if (elsewhere > 0) notes.push(`(${elsewhere} messages that do not concern this task are not shown here.)`)
  if (summary) notes.push(`(${titleOf(summary)})\n${indent(summary.text)}`)
  if (named.length > 0) notes.push(`(Named in what is not shown:)\n${indent(named.map(oneLine).join(' · '))}`)
  return notes
}

const titleOf = ({ model, covers }: Summary): string =>
  model === null
    ? `Sentences quoted from ${covers} messages that are not shown:`
    : `Summary of ${covers} messages that are not shown, written by ${model}:`

const oneLine = ({ text }: Risk): string => text.replace(/\s+/g, ' ')
