/** The whole of it: the list, the conversation, what the model saw. */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import type { PolicyListing, System } from '../src/client/index.js'
import { api, hasStatus, isUnreachable, keepKey } from './api.js'
import { Conversation, Start } from './conversation.js'
import { useInspected } from './inspected.js'
import { goTo, usePlace } from './place.js'
import { Sidebar } from './sidebar.js'
import { strings } from './strings.js'
import { useList } from './use-list.js'

const Search = lazy(() => import('./search.js').then(({ Search }) => ({ default: Search })))
const Inspector = lazy(() => import('./inspector/inspector.js').then(({ Inspector }) => ({ default: Inspector })))

/** What can be chosen from. */
export interface Choices {
  readonly system: System
  readonly policies: readonly PolicyListing[]
}

export function App() {
  const place = usePlace()
  const [choices, setChoices] = useState<Choices | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [archived, setArchived] = useState(false)
  const [drawer, setDrawer] = useState(false)
  const [searching, setSearching] = useState(false)
  const [inspected, inspect] = useInspected(place)
  const [toast, setToast] = useState<{ readonly text: string; undo(): void } | null>(null)
  const list = useList(archived)

  const begin = useCallback(async () => {
    try {
      const [system, { items }] = await Promise.all([api.system(), api.policies()])
      setChoices({ system, policies: items })
      setError(null)
    } catch (error) {
      setError(error)
    }
  }, [])

  useEffect(() => void begin(), [begin])
  useEffect(() => {
    if (!isUnreachable(error)) return
    const timer = setInterval(begin, 4_000)
    return () => clearInterval(timer)
  }, [error, begin])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when it has led somewhere
  useEffect(() => {
    setDrawer(false)
  }, [place.conversation, place.branch])

  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const command = event.metaKey || event.ctrlKey
      if (command && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setSearching(true)
      } else if (command && event.shiftKey && event.key.toLowerCase() === 'o') {
        event.preventDefault()
        goTo(null)
      } else if (command && event.key.toLowerCase() === 'b') {
        event.preventDefault()
        setDrawer((shown) => !shown)
      } else if (event.key === 'Escape' && !event.defaultPrevented) {
        setDrawer(false)
        inspect(null)
      }
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [inspect])

  const remove = (id: string, title: string): void => {
    const hidden = list.hide(id)
    const open = place.conversation === id
    if (open) goTo(null)
    const undo = (): void => {
      hidden.undo()
      setToast(null)
      if (open) goTo(id)
    }
    setToast({ text: strings.removed(title), undo })
    void hidden.done.then(() => setToast((now) => (now?.undo === undo ? null : now)))
  }

  if (hasStatus(error, 401)) return <KeyNeeded done={begin} />
  const title = list.items?.find(({ id }) => id === place.conversation)?.title
  return (
    <div className="app" data-drawer={drawer} data-inspector={inspected !== null}>
      <title>{title ? `${title} · ${strings.app}` : strings.app}</title>
      <Sidebar
        list={list}
        current={place.conversation}
        archived={archived}
        setArchived={setArchived}
        search={() => setSearching(true)}
        remove={remove}
        close={() => setDrawer(false)}
      />
      {drawer && (
        <button type="button" className="veil" aria-label={strings.closeList} onClick={() => setDrawer(false)} />
      )}
      <main>
        {isUnreachable(error) && (
          <p className="banner" role="alert">
            {strings.offline}
          </p>
        )}
        {place.conversation === null ? (
          <Start choices={choices} changed={list.refresh} openList={() => setDrawer(true)} />
        ) : (
          <Conversation
            key={place.conversation}
            id={place.conversation}
            branch={place.branch}
            target={place.message}
            choices={choices}
            changed={list.refresh}
            openList={() => setDrawer(true)}
            inspected={inspected}
            inspect={inspect}
          />
        )}
      </main>
      {inspected && (
        <Suspense fallback={<aside className="inspector" aria-busy="true" />}>
          <Inspector inspected={inspected} choices={choices} close={() => inspect(null)} />
        </Suspense>
      )}
      {searching && (
        <Suspense>
          <Search close={() => setSearching(false)} />
        </Suspense>
      )}
      {toast && (
        <div className="toast" role="status">
          <span>{toast.text}</span>
          <button type="button" onClick={toast.undo}>
            {strings.undo}
          </button>
        </div>
      )}
    </div>
  )
}

function KeyNeeded({ done }: { readonly done: () => void }) {
  const [key, setKey] = useState('')
  return (
    <main className="centre">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault()
          keepKey(key.trim())
          location.reload()
          done()
        }}
      >
        <h1>{strings.keyNeeded}</h1>
        <p className="dim">{strings.keyMore}</p>
        <label>
          {strings.key}
          <input type="password" autoComplete="off" value={key} onChange={(event) => setKey(event.target.value)} />
        </label>
        <button type="submit" className="primary" disabled={key.trim() === ''}>
          {strings.useKey}
        </button>
      </form>
    </main>
  )
}
