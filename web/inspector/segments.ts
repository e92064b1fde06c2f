/** What a lane of the map is drawn from: a piece for each message, or for many where they would be too thin to see. */
import { words } from '../strings/inspector.js'
import { kindOf, type Part } from './parts.js'
import { type Look, type Row, whoOf } from './rows.js'

export interface Segment {
  readonly key: string
  readonly tokens: number
  readonly color: string
  readonly look: Look | null
  readonly label: string
  /** Written on it, where there is room. */
  readonly short: string
  /** The messages it stands for. */
  readonly rows: readonly Row[]
}

export const segmentOfPart = ({ kind, tokens }: Part): Segment => ({
  key: kind,
  tokens,
  color: kind === 'message' ? 'crowd' : kind,
  look: null,
  label: words.kinds[kind],
  short: words.kinds[kind],
  rows: [],
})

export const sentSegment = (row: Row): Segment => segmentOf([row], row.sent)
export const leftSegment = (row: Row): Segment => segmentOf([row], row.whole - row.sent)

/** Neighbours that are thinner than `least` tokens are drawn as one. */
export function crowded(segments: readonly Segment[], least: number): readonly Segment[] {
  const out: Segment[] = []
  for (const next of segments) {
    const last = out.at(-1)
    const joins = last && last.rows.length > 0 && next.rows.length > 0 && last.tokens < least
    if (joins && last.look === next.look)
      out[out.length - 1] = segmentOf(merged(last.rows, next.rows), last.tokens + next.tokens)
    else out.push(next)
  }
  return out
}

function merged(one: readonly Row[], other: readonly Row[]): readonly Row[] {
  // the last segment owns its list alone, so it may grow in place
  const list = one.length > 1 ? (one as Row[]) : [...one]
  list.push(...other)
  return list
}

function segmentOf(rows: readonly Row[], tokens: number): Segment {
  const [first, last] = [rows[0] as Row, rows.at(-1) as Row]
  const { brief, look } = first
  const range = words.range(brief.depth, last.brief.depth)
  const one = rows.length === 1
  return {
    key: `${brief.id}-${rows.length}`,
    tokens,
    color: colorOf(rows),
    look,
    label: one
      ? `${range} ${whoOf(brief)}, ${words.looks[look]}: ${brief.preview.slice(0, 80)}`
      : `${words.crowd(range, rows.length)}, ${words.looks[look]}`,
    short: range,
    rows,
  }
}

function colorOf(rows: readonly Row[]): string {
  const [first] = rows as [Row]
  const kind = kindOf(first)
  if (rows.length > 1) return kind === 'message' ? 'crowd' : kind
  if (kind !== 'message') return kind
  return first.brief.kind === 'result' ? 'tool' : (first.brief.role ?? 'user')
}
