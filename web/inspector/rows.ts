/** A receipt told message by message. */
import type { Brief } from '../../src/client/index.js'
import type { Receipt } from '../receipt/saw.js'
import { words } from '../strings/inspector.js'

export type { Receipt }

type Line = Receipt['lines'][number]
export type Look = keyof typeof words.looks

export interface Row {
  readonly brief: Brief
  readonly look: Look
  readonly rule: string
  /** Tokens of the whole, and those that were sent. */
  readonly whole: number
  readonly sent: number
  /** Why it was brought back. */
  readonly recall?: { readonly score: number; readonly reason: string }
}

/** `path` ends with the question, where the receipt has one apart from the history. */
export function rowsOf(receipt: Receipt, path: readonly Brief[]): readonly Row[] {
  const question = receipt.current ? path.at(-1) : undefined
  const history = question ? path.slice(0, -1) : path
  const rows: Row[] = []
  const told = placesOf(receipt, history)
  const shares = sharesOf(receipt, told)
  let at = 0
  for (const brief of history) {
    if (told[at] !== brief) continue
    const line = shares.lineAt(at)
    const row = { brief, look: lookOf(line), rule: line?.rule ?? 'over_messages', ...shares.of(at, brief, line) }
    rows.push(brief.kind === 'summary' ? summaryRow(receipt, row) : { ...row, ...recallOf(receipt, brief) })
    at++
  }
  if (question && receipt.current) {
    const [whole, sent] = receipt.current.tokens
    rows.push({ brief: question, look: 'current', rule: 'current', whole, sent })
  }
  return rows
}

/** The entry of a summary is no message: it stands in the window where the receipt says so, and else nowhere. */
function summaryRow({ summary }: Receipt, row: Row): Row {
  if (summary?.id === row.brief.id)
    return { ...row, look: 'kept', rule: 'summary.stands', whole: summary.tokens, sent: summary.tokens }
  const isUndone = row.brief.excluded
  return { ...row, look: isUndone ? 'excluded' : 'dropped', rule: isUndone ? 'mark.excluded' : 'summary.idle', sent: 0 }
}

function recallOf({ recall }: Receipt, { id }: Brief): Pick<Row, 'recall'> | null {
  const found = recall?.items.find((item) => item.id === id)
  return found ? { recall: { score: found.score, reason: found.reason } } : null
}

/** A strict policy has no place for a note; then the receipt counts without them. */
function placesOf({ lines }: Receipt, history: readonly Brief[]): readonly Brief[] {
  const places = (lines.at(-1)?.to ?? -1) + 1
  if (places >= history.length) return history
  const spoken = history.filter(({ kind }) => kind !== 'note')
  return places === spoken.length ? spoken : history
}

function lookOf(line: Line | undefined): Look {
  if (!line) return 'dropped'
  if (line.rule === 'mark.excluded') return 'excluded'
  return line.fate === 'kept' && (line.rule === 'pinned' || line.rule === 'mark.pinned') ? 'pinned' : line.fate
}

/** What is sent the receipt counts one by one; of what is not, each has its share of the line, by its size in the log. */
function sharesOf({ lines, request }: Receipt, places: readonly Brief[]) {
  const lineOf: Line[] = []
  const sums = new Map<Line, number>()
  const each = new Map(request.each.map(([at, sent, whole]) => [at, { sent, whole }]))
  for (const line of lines)
    for (let at = line.from; at <= line.to && at < places.length; at++) {
      lineOf[at] = line
      sums.set(line, (sums.get(line) ?? 0) + (places[at]?.tokens ?? 0))
    }
  return {
    lineAt: (at: number): Line | undefined => lineOf[at],
    of(at: number, { tokens }: Brief, line: Line | undefined): Pick<Row, 'whole' | 'sent'> {
      const counted = each.get(at)
      if (counted) return counted
      if (!line?.tokens) return { whole: tokens, sent: 0 }
      const share = line.from === line.to ? 1 : tokens / Math.max(1, sums.get(line) ?? tokens)
      return { whole: line.tokens[0] * share, sent: line.tokens[1] * share }
    },
  }
}

/** A shortened message was seen; one that is only in a summary was not. */
export const isSent = ({ look }: Row): boolean => look !== 'dropped' && look !== 'excluded' && look !== 'summarised'

/** Something that was said and did not reach the model. */
export const isLost = (row: Row): boolean => !isSent(row) && row.brief.kind !== 'summary'

export const whoOf = ({ kind, role }: Brief): string =>
  words.who[kind === 'message' ? (role ?? 'user') : kind === 'result' ? 'tool' : kind]

export function reasonOf({ rule, recall }: Pick<Row, 'rule' | 'recall'>): string {
  if (recall) return words.recalledFor(recall.reason, recall.score)
  return words.rules[rule] ?? rule.replaceAll(/[._]/g, ' ')
}
