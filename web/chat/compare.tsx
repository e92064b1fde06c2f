/** Two branches side by side, from where they part. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { Dialog } from '../dialog.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { Said } from './said.js'
import { forkOf, treeOf } from './tree.js'
import { useDifferences } from './use-differences.js'

const atOnce = 20

export function Compare({ against, close }: { readonly against: string | null; close(): void }) {
  const { chat } = useScreen()
  const { branches, nodes } = useBox(chat.state)
  const [left, setLeft] = useState(chat.branch)
  const [right, setRight] = useState(against ?? branches.find(({ name }) => name !== chat.branch)?.name ?? chat.branch)
  const [shown, setShown] = useState(atOnce)
  useEffect(() => void chat.grow().catch(() => {}), [chat])
  const tree = useMemo(() => treeOf(nodes), [nodes])
  const headOf = (name: string): string | null => branches.find((branch) => branch.name === name)?.head_id ?? null
  const fork = forkOf(tree, headOf(left), headOf(right))
  const same = fork === null ? 0 : (tree.nodes.get(fork)?.depth ?? -1) + 1
  const one = usePath(chat.id, left, same)
  const other = usePath(chat.id, right, same)
  const length = Math.max(one.messages.length, other.messages.length)
  const rows = Array.from({ length: Math.min(shown, length) }, (_, at) => at)
  const error = one.error ?? other.error
  const box = useRef<HTMLDivElement>(null)
  useDifferences(box, `${left} ${right} ${rows.length} ${one.messages.length} ${other.messages.length}`)
  return (
    <Dialog label={words.compareTitle} name="compare" close={close}>
      <div className="compare-heads">
        <Choice label={words.compareLeft} value={left} set={setLeft} />
        <Choice label={words.compareRight} value={right} set={setRight} />
      </div>
      <p className="dim small">
        {words.sameUntil(same)}. {words.differsHint}
      </p>
      {error !== null && (
        <p className="problem" role="alert">
          {told(error)}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div ref={box} className="compare-rows" tabIndex={0}>
        {rows.map((at) => (
          <div className="compare-row" key={at}>
            <Side message={one.messages[at]} results={one.results} isEnd={at === one.messages.length} />
            <Side message={other.messages[at]} results={other.results} isEnd={at === other.messages.length} />
          </div>
        ))}
        {shown < length && (
          <button type="button" className="quiet centred" onClick={() => setShown(shown + atOnce)}>
            {words.showMore}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function Choice({ label, value, set }: { readonly label: string; readonly value: string; set(name: string): void }) {
  const { branches } = useBox(useScreen().chat.state)
  return (
    <label className="picker">
      <span className="hidden">{label}</span>
      <select value={value} onChange={(event) => set(event.target.value)}>
        {branches.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

interface SideProps {
  readonly message: Message | undefined
  readonly results: ReadonlyMap<string, Extract<Message, { readonly kind: 'result' }>>
  readonly isEnd: boolean
}

function Side({ message, results, isEnd }: SideProps) {
  if (!message) return <div className="dim small">{isEnd ? words.nothingMore : ''}</div>
  const who = message.kind !== 'message' ? words.summary : message.role === 'user' ? words.you : words.assistant
  return (
    <article className={`message ${message.kind === 'message' ? message.role : message.kind}`} aria-label={who}>
      <header>
        <strong>{who}</strong>
        {message.model !== null && <span className="dim model">{message.model}</span>}
      </header>
      <Said message={message} results={results} />
    </article>
  )
}

/** The messages of a branch after the first so many. */
function usePath(id: string, branch: string, same: number) {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const load = async (): Promise<void> => {
      let all: readonly Message[] = []
      let before: string | null = null
      do {
        const page: Awaited<ReturnType<typeof api.messages.list>> = await api.messages.list(
          id,
          { branch, limit: 100, ...(before !== null && { before }) },
          { signal },
        )
        all = [...page.items, ...all]
        before = page.next_cursor
      } while (before !== null && (all[0]?.depth ?? 0) > same)
      if (!signal.aborted) setMessages(all.filter(({ depth }) => depth >= same))
    }
    load().catch((error: unknown) => !signal.aborted && setError(error))
    return () => leaving.abort()
  }, [id, branch, same])
  return useMemo(
    () => ({
      messages: messages.filter(({ kind }) => kind === 'message' || kind === 'summary'),
      results: new Map(messages.flatMap((one) => (one.kind === 'result' ? [[one.call_id, one] as const] : []))),
      error,
    }),
    [messages, error],
  )
}
