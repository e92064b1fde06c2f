/** Rows as a table for other programs. */
import { type Row, whoOf } from './rows.js'

export function csvOf(rows: readonly Row[]): string {
  const lines = rows.map(({ brief, look, rule, sent, whole }) =>
    [brief.depth + 1, brief.id, whoOf(brief), look, rule, Math.round(sent), Math.round(whole), brief.preview].map(
      field,
    ),
  )
  return [['position', 'id', 'who', 'fate', 'rule', 'sent', 'whole', 'text'], ...lines]
    .map((cells) => cells.join(','))
    .join('\n')
}

/** A cell that begins like a formula is not one. */
const field = (value: string | number): string => {
  const text = String(value)
  const safe = /^[=+\-@\t]/.test(text) && typeof value === 'string' ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
