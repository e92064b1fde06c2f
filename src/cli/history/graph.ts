/** The tree of a conversation as `git log --graph` would draw it: newest first, one column per line of talk. */
import type { Branch } from '../../store/contract/branch.js'
import type { Entry } from '../../store/contract/entry.js'
import { type Paint, printable, short } from '../kit/term.js'
import { when } from '../kit/when.js'
import { entrySpeaker, entryWords } from './speaker.js'

/** `entries` in the order of `seq`. */
export function graph(
  entries: readonly Entry[],
  branches: readonly Branch[],
  width: number,
  paint: Paint,
  most = Number.MAX_SAFE_INTEGER,
): string[] {
  const out: string[] = []
  // what each column waits for: the id of the entry that comes before what it shows
  const columns: string[] = []
  for (const entry of entries.toReversed().slice(0, most)) {
    const waiting = columns.flatMap((id, at) => (id === entry.id ? [at] : []))
    const column = waiting[0] ?? columns.push(entry.id) - 1
    for (const other of waiting.slice(1).toReversed()) {
      out.push(joint(columns.length, column, other))
      columns.splice(other, 1)
    }
    const rails = columns.map((_, at) => (at === column ? '*' : '|')).join(' ')
    const names = branches.filter(({ head }) => head === entry.id).map(({ name }) => name)
    out.push(row(entry, rails, names, width, paint))
    if (entry.parent !== null) columns[column] = entry.parent
    else {
      if (column < columns.length - 1) out.push(ended(columns.length, column))
      columns.splice(column, 1)
    }
  }
  return out
}

/** Column `from` runs into column `into`; those to its right move over. */
function joint(count: number, into: number, from: number): string {
  const line = Array.from({ length: count * 2 }, () => ' ')
  for (let at = 0; at < from; at++) line[at * 2] = '|'
  for (let at = into; at < from - 1; at++) line[at * 2 + 1] = '_'
  for (let at = from; at < count; at++) line[at * 2 - 1] = '/'
  return line.join('').trimEnd()
}

/** A beginning in the middle: the columns to its right move over. */
function ended(count: number, column: number): string {
  const line = Array.from({ length: count * 2 }, () => ' ')
  for (let at = 0; at < count; at++)
    if (at !== column) line[at < column ? at * 2 : at * 2 - 1] = at < column ? '|' : '/'
  return line.join('').trimEnd()
}

function row(entry: Entry, rails: string, names: readonly string[], width: number, paint: Paint): string {
  const marks = names.length === 0 ? '' : ` (${printable(names.join(', '))})`
  const head = `${entry.seq} ${entrySpeaker(entry)}`
  const time = when(entry.at)
  const room = Math.max(12, width - rails.length - head.length - marks.length - time.length - 5)
  return `${rails} ${printable(head)}${paint.yellow(marks)}  ${short(printable(entryWords(entry)), room)}  ${paint.dim(time)}`
}
