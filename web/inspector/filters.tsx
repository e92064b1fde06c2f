/** Which rows are shown: by fate, by their words, or only what a change would change. */
import { useMemo } from 'react'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'
import { FateSign } from './fate-sign.js'
import { type Look, type Row, whoOf } from './rows.js'

export interface Wanted {
  readonly look: Look | null
  readonly text: string
  readonly changed: boolean
}

interface Props {
  readonly rows: readonly Row[]
  readonly wanted: Wanted
  readonly was?: ReadonlyMap<string, Look>
  want(wanted: Wanted): void
}

export function wants({ look, text, changed }: Wanted, row: Row, was?: ReadonlyMap<string, Look>): boolean {
  if (look !== null && row.look !== look) return false
  if (changed && !isChanged(row, was)) return false
  const sought = text.trim().toLowerCase()
  return sought === '' || `${whoOf(row.brief)} ${row.brief.preview}`.toLowerCase().includes(sought)
}

const isChanged = ({ brief, look }: Row, was: ReadonlyMap<string, Look> | undefined): boolean =>
  was?.get(brief.id) !== look

export function Filters({ rows, wanted, was, want }: Props) {
  const counts = useMemo(() => {
    const found = new Map<Look, number>()
    for (const { look } of rows) found.set(look, (found.get(look) ?? 0) + 1)
    return [...found]
  }, [rows])
  const changed = useMemo(() => (was ? rows.filter((row) => isChanged(row, was)).length : 0), [rows, was])
  return (
    <div className="filters">
      <fieldset>
        <legend className="hidden">{words.filter}</legend>
        <button
          type="button"
          className="chip"
          aria-pressed={wanted.look === null && !wanted.changed}
          onClick={() => want({ ...wanted, look: null, changed: false })}
        >
          {words.all} <b>{number(rows.length)}</b>
        </button>
        {was && (
          <button
            type="button"
            className="chip"
            aria-pressed={wanted.changed}
            onClick={() => want({ ...wanted, look: null, changed: !wanted.changed })}
          >
            {words.changedOnly(changed)}
          </button>
        )}
        {counts.map(([look, count]) => (
          <button
            key={look}
            type="button"
            className="chip"
            aria-pressed={wanted.look === look}
            onClick={() => want({ ...wanted, changed: false, look: wanted.look === look ? null : look })}
          >
            <FateSign look={look} /> <b>{number(count)}</b>
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
