/** The conversations, and the ways to everything else. */
import { useMemo, useState } from 'react'
import { Icon } from '../icons.js'
import { goTo } from '../place.js'
import { isMac, strings } from '../strings/pages.js'
import { settingsWords } from '../strings/settings.js'
import { useFileDrop } from '../use-file-drop.js'
import { everything, type Filter } from '../use-list.js'
import { SideFooter } from './footer.js'
import { LabelPicker } from './labels.js'
import type { RowActions } from './row.js'
import { Rows } from './rows.js'
import { Selected } from './selected.js'
import type { Bulk } from './selection.js'

interface Props extends Omit<RowActions, 'selection'> {
  readonly bulk: Bulk
  readonly current: string | null
  /** The page around the conversations that is shown. */
  readonly page: string | null
  readonly filter: Filter
  setFilter(filter: Filter): void
  search(): void
  fold(): void
  /** A file was dropped. */
  bring(file: File): void
}

export function Sidebar({ current, page, filter, setFilter, search, fold, bring, bulk, ...rest }: Props) {
  const drop = useFileDrop(bring)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selection = useMemo(
    () => ({
      ids,
      toggle: (id: string) =>
        setIds((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]))),
      clear: () => setIds(new Set()),
    }),
    [ids],
  )
  const actions = { ...rest, selection }
  const { archived, folder, tag } = filter
  const empty = archived
    ? strings.noneArchived
    : folder !== null || tag !== null
      ? strings.noneInFilter
      : strings.noConversations
  return (
    <nav className="sidebar" aria-label={strings.conversations} data-drop={drop.isOver} {...drop.on}>
      {drop.isOver && <p className="side-drop">{settingsWords.dropHere}</p>}
      <header>
        <a className="brand" href="#/">
          <img src="/assets/icon.svg" alt="" width="22" height="22" />
          {strings.app}
        </a>
        <button type="button" className="square" aria-label={strings.closeList} onClick={fold}>
          <Icon name="side" />
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
          <Icon name="search" /> {strings.search} <kbd>{isMac() ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      </div>
      {archived && (
        <div className="chosen">
          <span>{strings.archiveOf}</span>
          <button type="button" className="quiet" onClick={() => setFilter(everything)}>
            {strings.leaveArchive}
          </button>
        </div>
      )}
      <LabelPicker list={actions.list} filter={filter} setFilter={setFilter} move={bulk.move} />
      <Rows key={`${archived} ${folder} ${tag}`} current={current} empty={empty} {...actions} />
      <Selected selection={selection} bulk={bulk} list={actions.list} archived={archived} />
      <SideFooter
        archived={archived}
        page={page}
        setArchived={(next) => setFilter({ ...everything, archived: next })}
      />
    </nav>
  )
}
