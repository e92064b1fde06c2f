/** One conversation of the list, and what can be done with it. */
import { useState } from 'react'
import type { Conversation } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { addressOf } from '../place.js'
import { strings } from '../strings/pages.js'
import type { List } from '../use-list.js'
import { carry, type Selection } from './selection.js'

export interface RowActions {
  readonly list: List
  readonly selection: Selection
  remove(id: string, title: string): void
  share(id: string): void
  organise(one: Conversation): void
  archive(one: Conversation): void
  take(one: Conversation, format: 'markdown' | 'json'): void
  close(): void
}

interface Props extends RowActions {
  readonly one: Conversation
  readonly current: boolean
}

export function Row({ one, current, list, selection, remove, share, organise, archive, take, close }: Props) {
  const [renaming, setRenaming] = useState(false)
  const title = one.title || strings.untitled
  const menu = `menu-${one.id}`
  const isSelected = selection.ids.has(one.id)
  const act = (work: () => void) => () => {
    document.getElementById(menu)?.hidePopover()
    work()
  }
  const finish = (next: string | null): void => {
    setRenaming(false)
    if (next !== null && next !== one.title) void list.change(one.id, { title: next })
  }
  if (renaming) return <Rename title={one.title} done={finish} />
  return (
    <div className="row" data-current={current} data-selected={isSelected}>
      {selection.ids.size > 0 && (
        <input
          type="checkbox"
          aria-label={strings.selectOne(title)}
          checked={isSelected}
          onChange={() => selection.toggle(one.id)}
        />
      )}
      <a
        href={addressOf(one.id)}
        data-row={one.id}
        aria-current={current ? 'page' : undefined}
        draggable
        onDragStart={(event) => carry(event, one.id, selection)}
        onClick={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return close()
          event.preventDefault()
          selection.toggle(one.id)
        }}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => event.key === 'F2' && setRenaming(true)}
        title={title}
      >
        <span>{title}</span>
        {one.pinned && <span className="hidden">, {strings.pinnedMark}</span>}
      </a>
      <button type="button" className="square dots" aria-label={strings.menu(title)} popoverTarget={menu}>
        <Icon name="dots" />
      </button>
      <div id={menu} popover="auto" className="menu">
        <button type="button" onClick={act(() => setRenaming(true))}>
          {strings.rename}
        </button>
        <button type="button" onClick={act(() => selection.toggle(one.id))}>
          {strings.select}
        </button>
        <button type="button" onClick={act(() => void list.change(one.id, { pinned: !one.pinned }))}>
          {one.pinned ? strings.unpin : strings.pin}
        </button>
        <button type="button" onClick={act(() => organise(one))}>
          {strings.organise}…
        </button>
        <button type="button" onClick={act(() => share(one.id))}>
          {strings.share}…
        </button>
        <button type="button" onClick={act(() => take(one, 'markdown'))}>
          {strings.exportMarkdown}
        </button>
        <button type="button" onClick={act(() => take(one, 'json'))}>
          {strings.exportJson}
        </button>
        <button type="button" onClick={act(() => archive(one))}>
          {one.archived ? strings.unarchive : strings.archive}
        </button>
        <button type="button" className="danger" onClick={act(() => remove(one.id, title))}>
          {strings.remove}
        </button>
      </div>
    </div>
  )
}

function Rename({ title, done }: { readonly title: string; done(next: string | null): void }) {
  return (
    <div className="row">
      <input
        // biome-ignore lint/a11y/noAutofocus: it was asked for just now
        autoFocus
        aria-label={strings.renameLabel}
        defaultValue={title}
        maxLength={500}
        onFocus={(event) => event.target.select()}
        onBlur={(event) => done(event.target.value.trim() || null)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') {
            event.preventDefault()
            done(null)
          }
        }}
      />
    </div>
  )
}
