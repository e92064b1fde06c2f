/** Which rows are shown: by what became of them, by their words, or only what a change would change. */
import { useMemo } from 'react'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'
import { isSent, type Look, type Row, whoOf } from './rows.js'

export const groups = ['seen', 'summarised', 'left'] as const
export type Group = (typeof groups)[number]

export interface Wanted {
  readonly group: Group | null
  readonly text: string
  readonly changed: boolean
}

interface Props {
  readonly rows: readonly Row[]
  readonly wanted: Wanted
  readonly was?: ReadonlyMap<string, Look>
  want(wanted: Wanted): void
}

/** Null for what is no message: a summary or a note. */
function groupOf(row: Row): Group | null {
  if (row.brief.kind === 'summary' || row.brief.kind === 'note') return null
  if (isSent(row)) return 'seen'
  return row.look === 'summarised' ? 'summarised' : 'left'
}

export function wants({ group, text, changed }: Wanted, row: Row, was?: ReadonlyMap<string, Look>): boolean {
  if (group !== null && groupOf(row) !== group) return false
  if (changed && !isChanged(row, was)) return false
  const sought = text.trim().toLowerCase()
  return sought === '' || `${whoOf(row.brief)} ${row.brief.preview}`.toLowerCase().includes(sought)
}

const isChanged = ({ brief, look }: Row, was: ReadonlyMap<string, Look> | undefined): boolean =>
  was?.get(brief.id) !== look

export function Filters({ rows, wanted, was, want }: Props) {
  const counts = useMemo(() => {
    const found = { seen: 0, summarised: 0, left: 0 }
    for (const row of rows) {
      const group = groupOf(row)
      if (group !== null) found[group]++
    }
    return found
  }, [rows])
  const changed = useMemo(() => (was ? rows.filter((row) => isChanged(row, was)).length : 0), [rows, was])
  return (
    <div className="filters">
      <fieldset>
        <legend className="hidden">{words.filter}</legend>
        <button
          type="button"
          className="tab-chip"
          aria-pressed={wanted.group === null && !wanted.changed}
          onClick={() => want({ ...wanted, group: null, changed: false })}
        >
          {words.all} <span>{number(counts.seen + counts.summarised + counts.left)}</span>
        </button>
        {was && (
          <button
            type="button"
            className="tab-chip"
            aria-pressed={wanted.changed}
            onClick={() => want({ ...wanted, group: null, changed: !wanted.changed })}
          >
            {words.changedOnly(changed)}
          </button>
        )}
        {groups
          .filter((group) => counts[group] > 0)
          .map((group) => (
            <button
              key={group}
              type="button"
              className="tab-chip"
              aria-pressed={wanted.group === group}
              onClick={() => want({ ...wanted, changed: false, group: wanted.group === group ? null : group })}
            >
              <i className="swatch" data-group={group} aria-hidden="true" /> {words.groups[group]}{' '}
              <span>{number(counts[group])}</span>
            </button>
          ))}
      </fieldset>
      <input
        type="search"
        placeholder={words.find}
        aria-label={words.find}
        value={wanted.text}
        onChange={(event) => want({ ...wanted, text: event.target.value })}
      />
    </div>
  )
}
