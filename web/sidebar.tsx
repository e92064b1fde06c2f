/** The conversations, by time. */
import { useState } from 'react'
import type { Conversation } from '../src/client/index.js'
import { told } from './api.js'
import { Icon } from './icons.js'
import { addressOf, goTo } from './place.js'
import { strings } from './strings.js'
import { setTheme, type Theme, theme } from './theme.js'
import { type Group, groupOf } from './time.js'
import type { List } from './use-list.js'

interface Props {
  readonly list: List
  readonly current: string | null
  readonly archived: boolean
  setArchived(archived: boolean): void
  search(): void
  remove(id: string, title: string): void
  close(): void
}

export function Sidebar({ list, current, archived, setArchived, search, remove, close }: Props) {
  const groups = grouped(list.items ?? [])
  return (
    <nav className="sidebar" aria-label={strings.conversations}>
      <header>
        <strong className="brand">{strings.app}</strong>
        <button type="button" className="square only-phone" aria-label={strings.closeList} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="side-actions">
        <button
          type="button"
          className="wide"
          onClick={() => goTo(null)}
          aria-keyshortcuts="Control+Shift+O Meta+Shift+O"
        >
          <Icon name="plus" /> {strings.newChat}
        </button>
        <button type="button" className="wide" onClick={search} aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" /> {strings.search}{' '}
          <kbd>{/mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      </div>
      <div className="side-list">
        {list.items === null && list.error === null && <Skeleton />}
        {list.error !== null && (
          <p className="dim note" role="alert">
            {told(list.error)}
          </p>
        )}
        {list.items?.length === 0 && <p className="dim note">{strings.noConversations}</p>}
        {groups.map(([group, items]) => (
          <section key={group}>
            <h2>{strings.groups[group]}</h2>
            <ul>
              {items.map((one) => (
                <Row key={one.id} one={one} current={one.id === current} list={list} remove={remove} close={close} />
              ))}
            </ul>
          </section>
        ))}
        {list.hasMore && (
          <button type="button" className="quiet" onClick={list.more}>
            {strings.more}
          </button>
        )}
      </div>
      <footer>
        <button type="button" className="quiet" onClick={() => setArchived(!archived)}>
          {archived ? strings.hideArchived : strings.showArchived}
        </button>
        <a className="quiet" href="/docs">
          {strings.docs}
        </a>
        <ThemePicker />
      </footer>
    </nav>
  )
}

function Row({
  one,
  current,
  list,
  remove,
  close,
}: { readonly one: Conversation; readonly current: boolean } & Pick<Props, 'list' | 'remove' | 'close'>) {
  const [renaming, setRenaming] = useState(false)
  const title = one.title || strings.untitled
  const menu = `menu-${one.id}`
  if (renaming) return <Rename title={one.title} done={(next) => finish(next)} />
  function finish(next: string | null): void {
    setRenaming(false)
    if (next !== null && next !== one.title) void list.change(one.id, { title: next })
  }
  const act = (work: () => void) => () => {
    document.getElementById(menu)?.hidePopover()
    work()
  }
  return (
    <li className="row" data-current={current}>
      <a href={addressOf(one.id)} aria-current={current ? 'page' : undefined} onClick={close} title={title}>
        {title}
      </a>
      <button type="button" className="square dots" aria-label={strings.menu(title)} popoverTarget={menu}>
        <Icon name="dots" />
      </button>
      <div id={menu} popover="auto" className="menu">
        <button type="button" onClick={act(() => setRenaming(true))}>
          {strings.rename}
        </button>
        <button type="button" onClick={act(() => void list.change(one.id, { pinned: !one.pinned }))}>
          {one.pinned ? strings.unpin : strings.pin}
        </button>
        <button type="button" onClick={act(() => void list.change(one.id, { archived: !one.archived }))}>
          {one.archived ? strings.unarchive : strings.archive}
        </button>
        <button type="button" className="danger" onClick={act(() => remove(one.id, title))}>
          {strings.remove}
        </button>
      </div>
    </li>
  )
}

function Rename({ title, done }: { readonly title: string; done(next: string | null): void }) {
  return (
    <li className="row">
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
    </li>
  )
}

function ThemePicker() {
  const [now, setNow] = useState(theme)
  return (
    <label className="picker">
      <span className="hidden">{strings.theme}</span>
      <select
        value={now}
        onChange={(event) => {
          setTheme(event.target.value as Theme)
          setNow(event.target.value as Theme)
        }}
      >
        {Object.entries(strings.themes).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

function Skeleton() {
  return (
    <div className="skeleton" role="status" aria-label={strings.loading}>
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

const order: readonly Group[] = ['pinned', 'today', 'yesterday', 'week', 'month', 'older']

function grouped(items: readonly Conversation[]): [Group, Conversation[]][] {
  const found = new Map<Group, Conversation[]>(order.map((group) => [group, []]))
  for (const one of items) found.get(one.pinned ? 'pinned' : groupOf(one.updated_at))?.push(one)
  return [...found].filter(([, list]) => list.length > 0)
}
