/** What was written while an answer is on its way: it is sent when that one is done. */
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../icons.js'
import { words } from '../strings/chat.js'
import type { Attachment } from './attachment.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { isOver } from './state.js'

interface Queued {
  readonly key: number
  readonly text: string
  readonly files: readonly Attachment[]
}

export function useQueue() {
  const { chat, actions } = useScreen()
  const [items, setItems] = useState<readonly Queued[]>([])
  const { run, runs, sending, line } = useBox(chat.state)
  const number = useRef(0)
  const leaving = useRef(false)
  const isBusy = (run !== null && !isOver(run)) || sending !== null
  const last = run ?? runs.find(({ branch }) => branch === chat.branch)
  // an answer that did not finish may change what one wants to ask next
  const held = !isBusy && last !== undefined && last !== null && isOver(last) && last.state !== 'done'

  const next = (): void => {
    const [first] = items
    if (!first || leaving.current) return
    leaving.current = true
    setItems((now) => now.filter(({ key }) => key !== first.key))
    void actions
      .say(first.text, first.files)
      .catch(() => setItems((now) => [first, ...now]))
      .finally(() => {
        leaving.current = false
      })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes on when the one before is done
  useEffect(() => {
    if (!isBusy && !held && line === 'open') next()
  }, [isBusy, held, items.length, line])

  return {
    items,
    held,
    next,
    add: (text: string, files: readonly Attachment[]): void =>
      setItems((now) => [...now, { key: number.current++, text, files }]),
    remove: (key: number): void => setItems((now) => now.filter((one) => one.key !== key)),
  }
}

export function QueueList({ items, held, next, remove }: ReturnType<typeof useQueue>) {
  if (items.length === 0) return null
  return (
    <section className="queue" aria-label={words.queueTitle}>
      <header>
        <strong>{words.queueTitle}</strong>
        {held && (
          <>
            <span className="dim">{words.queueHeld}</span>
            <button type="button" className="button low" onClick={next}>
              {words.sendNow}
            </button>
          </>
        )}
      </header>
      <ol>
        {items.map(({ key, text, files }) => (
          <li key={key}>
            <span>{text || files.map(({ name }) => name).join(', ')}</span>
            <button
              type="button"
              className="square"
              aria-label={words.unqueue(text)}
              title={words.unqueue(text)}
              onClick={() => remove(key)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
