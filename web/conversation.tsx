/** One conversation: its head, what was said, and where one writes. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Conversation as Facts, Message, RunSettings } from '../src/client/index.js'
import { api, hasStatus, told } from './api.js'
import type { Choices } from './app.js'
import { Composer } from './composer.js'
import { fatesOf, isLess, sortOf } from './fates.js'
import { Icon } from './icons.js'
import { LiveAnswer, MessageView, Pending } from './message.js'
import { ShareButton } from './pages/share-button.js'
import { isAi, NoAi, Pickers, type Settings } from './pickers.js'
import { goTo } from './place.js'
import { count, strings } from './strings.js'
import { type Chat, useChat } from './use-chat.js'

export interface Inspected {
  readonly conversation: string
  readonly branch: string
  /** The answer whose window it is. */
  readonly answer: string
}

interface StartProps {
  readonly choices: Choices | null
  changed(): void
  openList(): void
}

const settingsOf = ({ model, policy }: Settings): RunSettings => ({
  ...(model === null ? null : { model }),
  ...(policy === null ? null : { policy }),
})

export function Start({ choices, changed, openList }: StartProps) {
  const [settings, setSettings] = useState<Settings>({ model: null, policy: null })
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const send = async (text: string): Promise<void> => {
    setBusy(true)
    try {
      const { id } = await api.conversations.create(settingsOf(settings))
      await api.runs.start(id, { message: text })
      changed()
      goTo(id)
    } catch (error) {
      setError(error)
      setBusy(false)
      throw error
    }
  }
  return (
    <>
      <header className="head">
        <ListButton open={openList} />
        <span className="grow" />
        {!isAi(choices, settings.model) && <NoAi choices={choices} />}
      </header>
      <div className="start">
        <h1>{strings.hello}</h1>
        <p className="dim">{strings.helloMore}</p>
        {error !== null && (
          <p className="problem" role="alert">
            {told(error)}
          </p>
        )}
        <Composer draft="new" running={busy} send={send} stop={() => {}}>
          <Pickers choices={choices} {...settings} set={(change) => setSettings({ ...settings, ...change })} />
        </Composer>
        {choices && !choices.system.ai && (
          <details className="hint">
            <summary>{strings.connect}</summary>
            <p>{strings.noAiSays}</p>
            <p>{choices.system.hint}</p>
          </details>
        )}
      </div>
    </>
  )
}

interface Props extends StartProps {
  readonly id: string
  readonly branch: string
  readonly target: string | null
  readonly inspected: Inspected | null
  inspect(inspected: Inspected | null): void
}

export function Conversation({ id, branch, target, choices, changed, openList, inspected, inspect }: Props) {
  const chat = useChat(id, branch, target, useStable(changed))
  const { conversation, live, error } = chat
  const settings: Settings = { model: conversation?.model ?? null, policy: conversation?.policy ?? null }
  const running = live !== null && (live.run.state === 'active' || live.run.state === 'queued')
  const look = (answer: string): void =>
    inspect(inspected?.answer === answer ? null : { conversation: id, branch, answer })

  if (hasStatus(error, 404, 410) && conversation === null) return <Missing openList={openList} />
  return (
    <>
      <header className="head">
        <ListButton open={openList} />
        <h1 className="title">{conversation?.title || strings.untitled}</h1>
        {branch !== 'main' && (
          <span className="badge plain" title={strings.branch}>
            {branch}
          </span>
        )}
        <span className="grow" />
        <ShareButton />
        {!isAi(choices, settings.model) && <NoAi choices={choices} />}
      </header>
      {chat.line === 'lost' && (
        <p className="banner" role="status">
          {strings.lostLine}
        </p>
      )}
      <Transcript chat={chat} target={target} settings={settings} look={look} inspected={inspected} />
      <div className="dock">
        {error !== null && (
          <p className="problem" role="alert">
            {told(error)}
            <button type="button" className="quiet" onClick={chat.forgive}>
              {strings.dismiss}
            </button>
          </p>
        )}
        <Composer draft={id} running={running} stop={chat.stop} send={(text) => chat.say(text, {})}>
          <Pickers choices={choices} {...settings} set={(change) => void settle(chat, id, change)} />
          <Gauge chat={chat} look={look} />
        </Composer>
      </div>
    </>
  )
}

async function settle(chat: Chat, id: string, change: Partial<Settings>): Promise<void> {
  chat.settle((await api.conversations.update(id, change)) as Facts)
}

function Transcript({
  chat,
  target,
  settings,
  look,
  inspected,
}: {
  readonly chat: Chat
  readonly target: string | null
  readonly settings: Settings
  readonly inspected: Inspected | null
  look(answer: string): void
}) {
  const { messages, live, sending, receipt, nodes } = chat
  const log = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  const running = live !== null && (live.run.state === 'active' || live.run.state === 'queued')
  const siblings = useMemo(() => {
    const found = new Map<string | null, string[]>()
    for (const { id, parent_id, kind } of nodes)
      if (kind === 'message') found.set(parent_id, [...(found.get(parent_id) ?? []), id])
    return found
  }, [nodes])
  const sorts = useMemo(() => {
    const answer = messages?.find(({ id }) => id === receipt?.message_id)
    if (!messages || !receipt || !answer) return null
    const fates = fatesOf(receipt)
    return new Map(messages.map((message) => [message.id, sortOf(message, answer, receipt, fates)]))
  }, [messages, receipt])
  const horizon = useMemo(() => {
    const left = messages?.filter(({ id }) => {
      const sort = sorts?.get(id)
      return sort ? isLess(sort) : false
    })
    const last = left?.at(-1)
    const { dropped = 0, summarised = 0, folded = 0 } = receipt?.receipt.totals ?? {}
    return last ? { after: last.id, count: dropped + summarised + folded } : null
  }, [messages, sorts, receipt])

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever makes it longer moves it along
  useLayoutEffect(() => {
    const box = log.current
    if (box && stuck.current) box.scrollTop = box.scrollHeight
  }, [messages, live, sending])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the log is there
  useEffect(() => {
    const box = log.current
    if (!box) return
    const watcher = new ResizeObserver(() => {
      if (stuck.current) box.scrollTop = box.scrollHeight
    })
    watcher.observe(box)
    return () => watcher.disconnect()
  }, [messages === null])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the messages are there
  useEffect(() => {
    const found = target === null ? null : document.getElementById(`m-${target}`)
    if (!found) return
    stuck.current = false
    found.scrollIntoView({ block: 'center' })
    found.focus()
  }, [target, messages === null])

  if (messages === null)
    return (
      <div className="log" aria-busy="true">
        <div className="skeleton tall" role="status" aria-label={strings.loading}>
          <i />
          <i />
          <i />
        </div>
      </div>
    )
  const run = settingsOf(settings)
  const results = new Map(messages.flatMap((one) => (one.kind === 'result' ? [[one.call_id, one] as const] : [])))
  return (
    <div
      ref={log}
      className="log"
      role="log"
      aria-busy={running}
      aria-live="off"
      onScroll={({ currentTarget: box }) => {
        stuck.current = box.scrollHeight - box.scrollTop - box.clientHeight < 80
      }}
    >
      {chat.hasEarlier && (
        <button
          type="button"
          className="quiet centred"
          onClick={() => {
            stuck.current = false
            void chat.earlier()
          }}
        >
          {strings.earlier}
        </button>
      )}
      {messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          results={results}
          sort={sorts?.get(message.id) ?? null}
          versions={siblings.get(message.parent_id) ?? single}
          horizon={horizon?.after === message.id ? horizon.count : 0}
          target={message.id === target}
          inspected={inspected?.answer === message.id}
          busy={running}
          show={(id) => void chat.show(id)}
          edit={(text) => chat.edit(message, text, run)}
          again={() => void chat.again(message, run).catch(() => {})}
          look={() => look(message.id)}
          rate={(value) => void chat.rate(message, value)}
        />
      ))}
      {sending !== null && <Pending text={sending} />}
      {live && !isShown(live.run.message_id, messages, running) && (
        <LiveAnswer live={live} retry={() => void chat.retry(run).catch(() => {})} />
      )}
      <p className="hidden" role="status">
        {running ? strings.begun : messages.length > 0 ? strings.answered : ''}
      </p>
    </div>
  )
}

const single: readonly string[] = []

const isShown = (id: string | null, messages: readonly Message[], running: boolean): boolean =>
  !running && id !== null && messages.some((message) => message.id === id)

function Gauge({ chat: { receipt }, look }: { readonly chat: Chat; look(answer: string): void }) {
  if (!receipt || receipt.message_id === null) return null
  const { budget, model } = receipt.receipt
  const of = budget.tokens ?? model?.window ?? null
  const share = of === null ? 0 : Math.min(1, budget.used / of)
  const answer = receipt.message_id
  return (
    <button
      type="button"
      className="gauge"
      data-full={share > 0.85}
      onClick={() => look(answer)}
      title={of === null ? strings.gaugeOpen(count(budget.used)) : strings.gaugeTitle(count(budget.used), count(of))}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <circle
          cx="10"
          cy="10"
          r="8"
          pathLength="100"
          strokeDasharray={`${Math.max(2, share * 100)} 100`}
          className="used"
        />
      </svg>
      <span>{strings.gauge(share < 0.01 && share > 0 ? 1 : Math.round(share * 100))}</span>
    </button>
  )
}

const ListButton = ({ open }: { open(): void }) => (
  <button type="button" className="square only-phone" aria-label={strings.openList} onClick={open}>
    <Icon name="menu" />
  </button>
)

function Missing({ openList }: { openList(): void }) {
  return (
    <>
      <header className="head">
        <ListButton open={openList} />
      </header>
      <div className="start">
        <h1>{strings.missing}</h1>
        <p className="dim">{strings.missingMore}</p>
        <a className="primary" href="#/">
          {strings.startNew}
        </a>
      </div>
    </>
  )
}

/** The same function for as long as the component lives, so that it starts nothing again. */
function useStable(work: () => void): () => void {
  const latest = useRef(work)
  latest.current = work
  return useRef(() => latest.current()).current
}
