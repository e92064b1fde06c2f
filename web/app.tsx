/** The whole of it: the list, the conversation or a page, what the model saw. */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { Conversation as Facts } from '../src/client/index.js'
import { typeAhead } from './ahead.js'
import { api, hasStatus, isUnreachable, told } from './api.js'
import { ask, heed } from './ask.js'
import { Conversation, Start } from './conversation.js'
import { useInspected } from './inspected.js'
import { heedDecisions } from './mark.js'
import { DemoStrip, isDemo, Miniature } from './pages/demo.js'
import { Guide } from './pages/guide.js'
import { KeyNeeded } from './pages/key-needed.js'
import { Missing } from './pages/missing.js'
import { goTo, usePlace } from './place.js'
import { saveAs } from './save.js'
import type { Bulk } from './sidebar/selection.js'
import { Sidebar } from './sidebar/sidebar.js'
import { strings } from './strings/pages.js'
import { type Choices, useChoices } from './use-choices.js'
import { useKeptFocus } from './use-kept-focus.js'
import { useKeys } from './use-keys.js'
import { everything, useList } from './use-list.js'
import { useSide } from './use-side.js'
import { useToast } from './use-toast.js'

export type { Choices }

const searching = () => import('./search/search.js')
const Search = lazy(() => searching().then(({ Search }) => ({ default: Search })))
const Inspector = lazy(() => import('./inspector/inspector.js').then(({ Inspector }) => ({ default: Inspector })))
const Memories = lazy(() => import('./pages/memories.js').then(({ Memories }) => ({ default: Memories })))
const Usage = lazy(() => import('./pages/usage.js').then(({ Usage }) => ({ default: Usage })))
const Models = lazy(() => import('./pages/models.js').then(({ Models }) => ({ default: Models })))
const Tools = lazy(() => import('./pages/tools.js').then(({ Tools }) => ({ default: Tools })))
const SettingsPage = lazy(() => import('./pages/settings.js').then(({ SettingsPage }) => ({ default: SettingsPage })))
const ImportChats = lazy(() => import('./import/import.js').then(({ ImportChats }) => ({ default: ImportChats })))
const Share = lazy(() => import('./pages/share.js').then(({ Share }) => ({ default: Share })))
const Shortcuts = lazy(() => import('./pages/shortcuts.js').then(({ Shortcuts }) => ({ default: Shortcuts })))
const Organise = lazy(() => import('./sidebar/organise.js').then(({ Organise }) => ({ default: Organise })))

/** What stands over everything else. */
type Over =
  | { readonly type: 'search' | 'shortcuts' }
  | { readonly type: 'import'; readonly file: File | null }
  | { readonly type: 'share'; readonly conversation: string; readonly branch: string }
  | { readonly type: 'organise'; readonly one: Facts }

export function App() {
  const place = usePlace()
  const { choices, error, again } = useChoices()
  const [filter, setFilter] = useState(everything)
  const { drawer, folded, toggle, setDrawer, openList } = useSide()
  const [over, setOver] = useState<Over | null>(null)
  const [inspected, inspect] = useInspected(place)
  const { toast, tell, dismiss } = useToast()
  const list = useList(filter)
  const main = useRef<HTMLElement>(null)
  const here = useRef(place)
  here.current = place

  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when it has led somewhere
  useEffect(() => {
    setDrawer(false)
  }, [place.page, place.conversation, place.branch])

  // a link may lead to a conversation that was begun elsewhere a moment ago
  const isListed = list.items?.some(({ id }) => id === place.conversation) ?? true
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each place
  useEffect(() => {
    if (place.conversation !== null && !isListed) list.refresh()
  }, [place.conversation])

  useEffect(
    () =>
      heed((what) => {
        const { conversation, branch } = here.current
        if (what === 'import') setOver({ type: 'import', file: null })
        else if (what !== 'share') setOver({ type: what })
        else if (conversation !== null) setOver({ type: 'share', conversation, branch })
      }),
    [],
  )
  useEffect(
    () =>
      heedDecisions((change, count, undo) =>
        tell(strings.marked(change, count), { undo: () => void undo().catch((error) => tell(told(error))) }),
      ),
    [tell],
  )
  useKeptFocus()
  useKeys({
    'mod+k': () => {
      if (over?.type !== 'search') typeAhead()
      ask('search')
    },
    'mod+shift+o': () => goTo(null),
    'mod+b': toggle,
    'mod+/': () => void ask('shortcuts'),
    '?': () => void ask('shortcuts'),
    escape: () => {
      setDrawer(false)
      inspect(null)
    },
  })

  // it is there before the first key that is meant for it
  useEffect(() => {
    const timer = setTimeout(() => void searching().catch(() => {}), 500)
    return () => clearTimeout(timer)
  }, [])

  const openArchive = useCallback(() => {
    setFilter({ ...everything, archived: true })
    openList()
  }, [openList])
  const remove = (id: string, title: string): void => {
    const hidden = list.hide(id)
    const open = place.conversation === id
    if (open) goTo(null)
    const undo = (): void => {
      hidden.undo()
      if (open) goTo(id)
    }
    const shown = tell(strings.removed(title), { undo, hold: hidden.hold })
    void hidden.done.then(() => dismiss(shown))
  }

  const archive = ({ id, title, archived }: Facts): void => {
    const name = title || strings.untitled
    void list.change(id, { archived: !archived })
    tell(archived ? strings.unarchivedNow(name) : strings.archivedNow(name), {
      undo: () => void list.change(id, { archived }),
    })
  }
  const several = (ids: readonly string[]): readonly Facts[] => list.items?.filter(({ id }) => ids.includes(id)) ?? []
  const bulk: Bulk = {
    move(ids, folder) {
      const before = several(ids)
      void list.change(ids, { folder })
      tell(strings.moved(ids.length, folder ?? ''), {
        undo() {
          for (const one of before) void list.change(one.id, { folder: one.folder })
        },
      })
    },
    archive(ids) {
      const archived = !filter.archived
      void list.change(ids, { archived })
      tell(strings.archivedMany(ids.length, archived), { undo: () => void list.change(ids, { archived: !archived }) })
    },
    remove(ids) {
      const open = place.conversation
      if (open !== null && ids.includes(open)) goTo(null)
      const hidden = ids.map(list.hide)
      const shown = tell(strings.removedMany(ids.length), {
        undo() {
          for (const one of hidden) one.undo()
        },
        hold(held) {
          for (const one of hidden) one.hold(held)
        },
      })
      void Promise.all(hidden.map(({ done }) => done)).then(() => dismiss(shown))
    },
  }
  const take = async ({ id, title }: Facts, format: 'markdown' | 'json'): Promise<void> => {
    const branch = branchOf(id, here.current)
    try {
      const name = (title || strings.untitled).replaceAll(/[^\p{L}\p{N} _-]/gu, '').slice(0, 80)
      const file = await api.conversations.export(id, { format, ...(format === 'markdown' && { branch }) })
      saveAs(file, `${name}.${format === 'json' ? 'json' : 'md'}`)
    } catch (error) {
      tell(told(error))
    }
  }

  if (hasStatus(error, 401)) return <KeyNeeded />
  const current = list.items?.find(({ id }) => id === place.conversation)
  const demo = list.items?.find(isDemo)
  const guided = demo !== undefined && place.guide !== null && place.conversation === demo.id
  const close = (): void => setOver(null)
  return (
    <div
      className="app"
      data-drawer={drawer}
      data-folded={folded}
      data-inspector={inspected !== null}
      data-guide={guided}
    >
      {place.conversation === null && <title>{strings.app}</title>}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {strings.skip}
      </button>
      {guided ? (
        <Guide demo={demo} step={place.guide} branch={place.branch} />
      ) : (
        <Sidebar
          list={list}
          current={place.conversation}
          page={place.page}
          filter={filter}
          setFilter={setFilter}
          search={() => ask('search')}
          remove={remove}
          share={(conversation) =>
            setOver({ type: 'share', conversation, branch: branchOf(conversation, here.current) })
          }
          organise={(one) => setOver({ type: 'organise', one })}
          archive={archive}
          bulk={bulk}
          take={(one, format) => void take(one, format)}
          close={() => setDrawer(false)}
          fold={toggle}
          bring={(file) => setOver({ type: 'import', file })}
        />
      )}
      {drawer && (
        <button type="button" className="veil" aria-label={strings.closeList} onClick={() => setDrawer(false)} />
      )}
      <main ref={main} tabIndex={-1}>
        {isUnreachable(error) && (
          <p className="banner" role="alert">
            {navigator.onLine ? strings.offline : strings.offlineMachine}
          </p>
        )}
        <Suspense fallback={<div className="page" aria-busy="true" />}>
          {place.page === 'memory' && <Memories tell={tell} openList={openList} />}
          {place.page === 'usage' && <Usage openList={openList} />}
          {place.page === 'models' && (
            <Models system={choices?.system ?? null} again={again} tell={tell} openList={openList} />
          )}
          {place.page === 'settings' && (
            <SettingsPage system={choices?.system ?? null} tell={tell} openList={openList} />
          )}
          {place.page === 'tools' && <Tools tell={tell} openList={openList} />}
        </Suspense>
        {place.page === 'missing' && (
          <Missing title={strings.missingPage} says={strings.missingSays} openList={openList} />
        )}
        {place.page === null && place.conversation === null && (
          <Start choices={choices} changed={list.refresh} openList={openList}>
            {demo && <Miniature demo={demo} />}
          </Start>
        )}
        {place.conversation !== null && (
          <>
            {current && isDemo(current) && !guided && (
              <DemoStrip demo={current} remove={() => remove(current.id, current.title)} />
            )}
            <Conversation
              key={place.conversation}
              id={place.conversation}
              branch={place.branch}
              target={place.message}
              choices={choices}
              changed={list.refresh}
              openList={openList}
              inspected={inspected}
              inspect={inspect}
            />
          </>
        )}
      </main>
      {inspected && (
        <Suspense fallback={<aside className="inspector" aria-busy="true" />}>
          <Inspector inspected={inspected} choices={choices} close={() => inspect(null)} />
        </Suspense>
      )}
      <Suspense>
        {over?.type === 'search' && (
          <Search
            place={place}
            recent={list.items?.slice(0, 5) ?? []}
            openArchive={openArchive}
            tell={tell}
            close={close}
          />
        )}
        {over?.type === 'import' && <ImportChats file={over.file} changed={list.refresh} close={close} />}
        {over?.type === 'shortcuts' && <Shortcuts close={close} />}
        {over?.type === 'share' && <Share conversation={over.conversation} branch={over.branch} close={close} />}
        {over?.type === 'organise' && <Organise one={over.one} list={list} close={close} />}
      </Suspense>
      {toast}
    </div>
  )
}

const branchOf = (conversation: string, place: ReturnType<typeof usePlace>): string =>
  place.conversation === conversation ? place.branch : 'main'
