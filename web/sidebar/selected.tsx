/** What can be done with all that is chosen. */
import { useState } from 'react'
import { Icon } from '../icons.js'
import { strings } from '../strings/pages.js'
import type { List } from '../use-list.js'
import type { Bulk, Selection } from './selection.js'

interface Props {
  readonly selection: Selection
  readonly bulk: Bulk
  readonly list: List
  readonly archived: boolean
}

export function Selected({ selection, bulk, list, archived }: Props) {
  const [naming, setNaming] = useState(false)
  const ids = [...selection.ids]
  if (ids.length === 0) return null
  const done = (work: (ids: readonly string[]) => void) => () => {
    work(ids)
    selection.clear()
    setNaming(false)
  }
  const move = (folder: string | null): void => done((ids) => bulk.move(ids, folder))()
  return (
    <section className="selected" aria-label={strings.selecting}>
      <p role="status">{strings.selected(ids.length)}</p>
      <button type="button" className="square" aria-label={strings.close} onClick={selection.clear}>
        <Icon name="close" />
      </button>
      {naming ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            move(String(new FormData(event.currentTarget).get('folder')).trim().slice(0, 200) || null)
          }}
        >
          {/* biome-ignore lint/a11y/noAutofocus: it was asked for just now */}
          <input name="folder" autoFocus maxLength={200} aria-label={strings.newFolderName} />
          <button type="submit" className="button low">
            {strings.save}
          </button>
        </form>
      ) : (
        <select
          aria-label={strings.moveTo}
          value=""
          onChange={({ target }) => {
            if (target.value === 'new') setNaming(true)
            else move(target.value === 'none' ? null : target.value.slice(1))
          }}
        >
          <option value="" disabled>
            {strings.moveTo}
          </option>
          {list.labels?.folders.map(({ name }) => (
            <option key={name} value={`=${name}`}>
              {name}
            </option>
          ))}
          <option value="none">{strings.noFolder}</option>
          <option value="new">{strings.newFolder}</option>
        </select>
      )}
      <button type="button" className="button low" onClick={done(bulk.archive)}>
        {archived ? strings.unarchive : strings.archive}
      </button>
      <button type="button" className="button low danger" onClick={done(bulk.remove)}>
        {strings.remove}
      </button>
    </section>
  )
}
