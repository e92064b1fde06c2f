/** Words from anywhere: titles and messages, on every branch. */
import { useEffect, useRef, useState } from 'react'
import type { Conversation, Hit } from '../src/client/index.js'
import { api, told } from './api.js'
import { goTo } from './place.js'
import { strings } from './strings.js'
import { clockOf } from './time.js'

interface Found {
  readonly titles: readonly Conversation[]
  readonly hits: readonly Hit[]
}

export function Search({ close }: { close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [words, setWords] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [at, setAt] = useState(0)

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    const q = words.trim()
    setAt(0)
    if (q === '') return setFound(null)
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const { signal } = leaving
        const [titles, hits] = await Promise.all([
          api.conversations.list({ q, limit: 5 }, { signal }),
          api.search({ q, limit: 20 }, { signal }),
        ])
        setFound({ titles: titles.items, hits: hits.items })
        setError(null)
      } catch (error) {
        if (!leaving.signal.aborted) setError(error)
      }
    }, 120)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [words])

  const rows = found ? [...found.titles, ...found.hits] : []
  const open = (row: Conversation | Hit): void => {
    close()
    if ('conversation_id' in row) void jump(row)
    else goTo(row.id)
  }
  const total = rows.length
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className="search"
      aria-label={strings.search}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="search"
        role="combobox"
        aria-expanded={total > 0}
        aria-controls="hits"
        aria-activedescendant={total > 0 ? `hit-${at}` : undefined}
        placeholder={strings.searchHint}
        aria-label={strings.searchHint}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step !== 0 && total > 0) {
            event.preventDefault()
            setAt((at + step + total) % total)
          }
          const row = rows[at]
          if (event.key === 'Enter' && row) open(row)
        }}
      />
      <div id="hits" role="listbox" aria-label={strings.messages} className="hits">
        {error !== null && <p role="alert">{told(error)}</p>}
        {found === null && <p className="dim note">{strings.searchStart}</p>}
        {found !== null && total === 0 && <p className="dim note">{strings.noHits}</p>}
        {rows.map((row, index) => (
          <button
            key={'conversation_id' in row ? row.message_id : row.id}
            id={`hit-${index}`}
            type="button"
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className="hit"
            onClick={() => open(row)}
          >
            <span className="hit-title">
              {row.title || strings.untitled}
              {'conversation_id' in row && <small> {clockOf(row.at)}</small>}
            </span>
            {'conversation_id' in row && <Snippet hit={row} />}
          </button>
        ))}
      </div>
    </dialog>
  )
}

/** The branch that leads to a message: the first whose path has it, or a new one that ends there. */
async function jump({ conversation_id: id, message_id: message }: Hit): Promise<void> {
  const { items } = await api.branches.list(id)
  const main = [...items].sort((one, other) => Number(other.name === 'main') - Number(one.name === 'main'))
  for (const { name } of main.slice(0, 8)) {
    const { items: path } = await api.messages.list(id, { branch: name, limit: 100 })
    if (path.some((one) => one.id === message)) return goTo(id, name, message)
  }
  goTo(id, (await api.branches.fork(id, { at: message })).name, message)
}

function Snippet({ hit: { snippet, marks } }: { readonly hit: Hit }) {
  const parts = marks.flatMap(([from, to], at) => [
    snippet.slice(marks[at - 1]?.[1] ?? 0, from),
    <mark key={from}>{snippet.slice(from, to)}</mark>,
  ])
  return (
    <span className="snippet">
      {parts}
      {snippet.slice(marks.at(-1)?.[1] ?? 0)}
    </span>
  )
}
