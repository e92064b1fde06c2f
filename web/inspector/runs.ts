/** Neighbours that fared alike, folded into one. */
import type { Look, Row } from './rows.js'

export interface Run {
  /** The id of its first message. */
  readonly key: string
  readonly look: Look
  readonly rows: readonly Row[]
  readonly whole: number
  readonly sent: number
}

export function runsOf(rows: readonly Row[]): readonly Run[] {
  const found: { key: string; look: Look; rows: Row[]; whole: number; sent: number }[] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last?.look === row.look) last.rows.push(row)
    else found.push({ key: row.brief.id, look: row.look, rows: [row], whole: 0, sent: 0 })
    const run = found.at(-1) as (typeof found)[number]
    run.whole += row.whole
    run.sent += row.sent
  }
  return found
}

export type Item =
  | { readonly type: 'run'; readonly run: Run; readonly open: boolean }
  | { readonly type: 'row'; readonly row: Row; readonly run: Run | null }

/** A run of one message is that message. */
export const itemsOf = (runs: readonly Run[], isOpen: (run: Run) => boolean): readonly Item[] =>
  runs.flatMap((run): readonly Item[] => {
    const [only, second] = run.rows
    if (only && !second) return [{ type: 'row', row: only, run: null }]
    const open = isOpen(run)
    const rows = open ? run.rows.map((row): Item => ({ type: 'row', row, run })) : []
    return [{ type: 'run', run, open }, ...rows]
  })

/** Where something was cut: the run that holds the message asked for, or the first of which nothing got through. */
export function cutIn(runs: readonly Run[], at: string | null): Run | undefined {
  const holding = at === null ? undefined : runs.find(({ rows }) => rows.some(({ brief }) => brief.id === at))
  return holding ?? runs.find(({ look }) => look === 'dropped') ?? runs.find(({ look }) => look === 'summarised')
}
