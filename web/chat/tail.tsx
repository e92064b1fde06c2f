/** What is not in the log yet: a message on its way, the answer that is being made. */
import { useEffect, useRef, useState } from 'react'
import type { Message } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { GrowingMarkdown, Markdown } from '../markdown/markdown.js'
import { words } from '../strings/chat.js'
import { toolWords } from '../strings/tools.js'
import { toolOf } from '../tools/name.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { Attached } from './said.js'
import { has, isOver, type Sending } from './state.js'
import { Uploading } from './uploading.js'

export function Tail() {
  const { chat } = useScreen()
  const { run, messages, sending } = useBox(chat.state)
  // an agent's earlier steps are in the log while the next one is written
  const isKept = run === null || has(messages, run.message_id)
  const isSaid = useBox(chat.live, ({ calls }) => calls.some(({ id }) => hasCall(messages, id)))
  const isNext = useBox(chat.live, ({ text, think, calls }) => text !== '' || think !== '' || calls.length > 0)
  const isShown = isKept && (run === null || isOver(run) || isSaid || !isNext)
  return (
    <div className="tail">
      {sending && <Pending sending={sending} />}
      {!isShown && <LiveAnswer />}
      <Announcer />
    </div>
  )
}

const hasCall = (messages: readonly Message[] | null, id: string): boolean =>
  messages?.some((one) => one.kind === 'message' && one.parts.some((part) => part.type === 'call' && part.id === id)) ??
  false

function Pending({ sending: { text, files, sent } }: { readonly sending: Sending }) {
  return (
    <article className="message user" aria-label={words.you} data-pending="true">
      <header>
        <strong>{words.you}</strong>
      </header>
      {files.map(({ key, name, mediaType, source }) => (
        <Attached key={key} name={name} mediaType={mediaType} source={source} />
      ))}
      {text !== '' && <p className="plain">{text}</p>}
      <Uploading sent={sent} />
    </article>
  )
}

function LiveAnswer() {
  const { chat, actions } = useScreen()
  const run = useBox(chat.state, (state) => state.run)
  const { text, think, calls, retried } = useBox(chat.live)
  if (!run) return null
  const running = !isOver(run)
  const state = run.state === 'queued' ? words.queued : retried ? words.retrying : words.answering
  return (
    <article className="message assistant" aria-label={words.assistant} data-live={running}>
      <header>
        <strong>{words.assistant}</strong>
        {running && (
          <span className="dim pulse" role="status">
            {state}
          </span>
        )}
        <span className="dim model">{run.model}</span>
      </header>
      {think !== '' && (
        <details className="folded">
          <summary>{words.thinking}</summary>
          <pre>{think}</pre>
        </details>
      )}
      {calls.map(({ id, name, input }) => (
        <details className="folded tool" data-state="running" key={id}>
          <summary>
            <Icon name="tool" /> <span className="tool-name">{toolOf(name).tool}</span>
            <span className="tool-state">{toolWords.states.running}</span>
          </summary>
          <pre>{input}</pre>
        </details>
      ))}
      {text !== '' && (running ? <GrowingMarkdown text={text} /> : <Markdown text={text} />)}
      {text === '' && think === '' && calls.length === 0 && running && (
        <p className="thinking-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </p>
      )}
      {!running && run.state !== 'done' && run.state !== 'stopped' && (
        <p className="problem" role="alert">
          {run.state === 'interrupted' ? words.interrupted : words.failed}
          {run.error && `: ${run.error.message}`}
          <button type="button" className="quiet" onClick={() => void actions.retry().catch(() => {})}>
            {words.retry}
          </button>
        </p>
      )}
    </article>
  )
}

/** Says once that the answer begins and once that it is there; not every word. */
function Announcer() {
  const { chat } = useScreen()
  const { run, messages } = useBox(chat.state)
  const awaited = useRef<string | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (run && !isOver(run) && awaited.current !== run.id) {
      awaited.current = run.id
      setSaid(words.begun)
    } else if (!run && awaited.current !== null) {
      awaited.current = null
      const answer = messages?.at(-1)
      setSaid(answer ? words.finished(answer.text.split(/\s+/).filter(Boolean).length) : '')
    }
  }, [run, messages])
  return (
    <p className="hidden" role="status" aria-live="polite">
      {said}
    </p>
  )
}
