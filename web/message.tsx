/** A message, with what can be done about it. */
import { memo, useState } from 'react'
import type { Message } from '../src/client/index.js'
import { isLess, type Sort } from './fates.js'
import { Icon, type IconName } from './icons.js'
import { Copy, Markdown } from './markdown.js'
import { strings } from './strings.js'
import { clockOf, fullTime } from './time.js'
import type { Live } from './use-chat.js'

type Result = Extract<Message, { readonly kind: 'result' }>

interface Props {
  readonly message: Message
  readonly results: ReadonlyMap<string, Result>
  readonly sort: Sort | null
  /** All versions of it, itself among them; fewer than two when there is no other. */
  readonly versions: readonly string[]
  /** How many messages were left out up to here, where the window begins after this one. */
  readonly horizon: number
  readonly target: boolean
  readonly inspected: boolean
  readonly busy: boolean
  show(version: string): void
  edit(text: string): Promise<void>
  again(): void
  look(): void
  rate(value: -1 | 0 | 1): void
}

export const MessageView = memo(function MessageView(props: Props) {
  const { message, sort, horizon, target, inspected } = props
  const [editing, setEditing] = useState(false)
  if (message.kind === 'note' || message.kind === 'result') return null
  const who = nameOf(message)
  const role = message.kind === 'summary' ? 'summary' : message.role
  return (
    <>
      <article
        id={`m-${message.id}`}
        className={`message ${role}`}
        data-less={sort !== null && isLess(sort)}
        data-target={target}
        data-inspected={inspected}
        aria-label={who}
        tabIndex={-1}
      >
        <header>
          <strong>{who}</strong>
          <time dateTime={message.at} title={fullTime(message.at)}>
            {clockOf(message.at)}
          </time>
          {message.kind === 'message' && message.model !== null && <span className="dim model">{message.model}</span>}
          {sort && <FateBadge sort={sort} />}
        </header>
        {editing ? (
          <Editor text={message.text} done={() => setEditing(false)} save={props.edit} />
        ) : (
          <Said message={message} results={props.results} />
        )}
        {message.kind === 'message' && message.status === 'aborted' && <p className="dim small">{strings.stopped}</p>}
        {!editing && message.kind === 'message' && <Actions {...props} startEdit={() => setEditing(true)} />}
      </article>
      {horizon > 0 && (
        <p className="horizon">
          <span>{strings.horizon(horizon)}</span>
        </p>
      )}
    </>
  )
}, sameMessage)

/** The functions differ at each drawing and do the same. */
function sameMessage(one: Props, other: Props): boolean {
  const keys = ['message', 'sort', 'versions', 'horizon', 'target', 'inspected', 'busy'] as const
  return keys.every((key) => one[key] === other[key]) && one.results.size === other.results.size
}

function Said({ message, results }: Pick<Props, 'message' | 'results'>) {
  if (message.kind === 'note') return null
  if (message.redacted) return <p className="dim">{strings.redacted}</p>
  return message.parts.map((part, at) => {
    const key = `${part.type}${at}`
    if (part.type === 'text' && message.kind === 'message' && message.role === 'user')
      return (
        <p className="plain" key={key}>
          {part.text}
        </p>
      )
    if (part.type === 'text') return <Markdown key={key} text={part.text} />
    if (part.type === 'think')
      return (
        <Folded key={key} label={strings.thinking}>
          {part.text}
        </Folded>
      )
    if (part.type === 'file')
      return (
        <p className="file" key={key}>
          {strings.file(part.name ?? part.mediaType)}
        </p>
      )
    return (
      <Folded key={key} label={strings.call(part.name)} icon="tool">
        {`${JSON.stringify(part.input, null, 2)}\n\n${results.get(part.id)?.text ?? ''}`.trim()}
      </Folded>
    )
  })
}

function Folded({
  label,
  icon,
  children,
}: {
  readonly label: string
  readonly icon?: IconName
  readonly children: string
}) {
  return (
    <details className="folded">
      <summary>
        {icon && <Icon name={icon} />} {label}
      </summary>
      <pre>{children}</pre>
    </details>
  )
}

function FateBadge({ sort: { fate, rule } }: { readonly sort: Sort }) {
  return (
    <span className="fate" data-fate={fate} title={rule}>
      {strings.fates[fate]}
    </span>
  )
}

function Actions({ message, versions, busy, startEdit, ...props }: Props & { startEdit(): void }) {
  const at = versions.indexOf(message.id)
  const isAnswer = message.kind === 'message' && message.role === 'assistant'
  const rating = message.rating?.value ?? 0
  return (
    <footer>
      {versions.length > 1 && at >= 0 && (
        <nav className="versions" aria-label={strings.versions}>
          <button
            type="button"
            className="square"
            aria-label={strings.before}
            disabled={at === 0}
            onClick={() => props.show(versions[at - 1] as string)}
          >
            <Icon name="left" />
          </button>
          <span role="status">{strings.version(at + 1, versions.length)}</span>
          <button
            type="button"
            className="square"
            aria-label={strings.after}
            disabled={at === versions.length - 1}
            onClick={() => props.show(versions[at + 1] as string)}
          >
            <Icon name="right" />
          </button>
        </nav>
      )}
      <span className="actions">
        <Copy text={message.text} className="action" />
        {!isAnswer && !busy && (
          <button type="button" className="action" onClick={startEdit}>
            <Icon name="edit" /> <span className="word">{strings.edit}</span>
          </button>
        )}
        {isAnswer && !busy && (
          <button type="button" className="action" onClick={props.again}>
            <Icon name="again" /> <span className="word">{strings.again}</span>
          </button>
        )}
        {isAnswer && (
          <>
            <Rate name="up" label={strings.good} on={rating === 1} rate={() => props.rate(rating === 1 ? 0 : 1)} />
            <Rate name="down" label={strings.bad} on={rating === -1} rate={() => props.rate(rating === -1 ? 0 : -1)} />
          </>
        )}
      </span>
      {isAnswer && message.model !== null && (
        <button type="button" className="action look" aria-pressed={props.inspected} onClick={props.look}>
          <Icon name="eye" /> {strings.inspect}
        </button>
      )}
    </footer>
  )
}

function Rate({
  name,
  label,
  on,
  rate,
}: {
  readonly name: IconName
  readonly label: string
  readonly on: boolean
  rate(): void
}) {
  return (
    <button type="button" className="action" aria-label={label} title={label} aria-pressed={on} onClick={rate}>
      <Icon name={name} />
    </button>
  )
}

function Editor({ text, done, save }: { readonly text: string; done(): void; save(text: string): Promise<void> }) {
  const [draft, setDraft] = useState(text)
  const submit = (): void => {
    const said = draft.trim()
    if (said === '' || said === text) done()
    else void save(said).then(done, () => {})
  }
  return (
    <div className="editor">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it was asked for just now
        autoFocus
        aria-label={strings.editLabel}
        value={draft}
        rows={Math.min(12, draft.split('\n').length + 1)}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault()
            done()
          } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            submit()
          }
        }}
      />
      <div>
        <button type="button" className="primary" onClick={submit}>
          {strings.saveEdit}
        </button>
        <button type="button" className="quiet" onClick={done}>
          {strings.cancel}
        </button>
      </div>
    </div>
  )
}

export function Pending({ text }: { readonly text: string }) {
  return (
    <article className="message user" aria-label={strings.you} data-pending="true">
      <header>
        <strong>{strings.you}</strong>
      </header>
      <p className="plain">{text}</p>
    </article>
  )
}

export function LiveAnswer({
  live: { run, text, think, calls, retried },
  retry,
}: {
  readonly live: Live
  retry(): void
}) {
  const running = run.state === 'active' || run.state === 'queued'
  const state = run.state === 'queued' ? strings.waiting : retried ? strings.retrying : strings.answering
  return (
    <article className="message assistant" aria-label={strings.assistant} data-live={running}>
      <header>
        <strong>{strings.assistant}</strong>
        {running && <span className="dim pulse">{state}</span>}
        <span className="dim model">{run.model}</span>
      </header>
      {think !== '' && <Folded label={strings.thinking}>{think}</Folded>}
      {calls.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are only added
        <p className="file" key={`${at}${name}`}>
          {strings.call(name)}
        </p>
      ))}
      {text !== '' && <Markdown text={text} />}
      {!running && run.state !== 'done' && run.state !== 'stopped' && (
        <p className="problem" role="alert">
          {run.state === 'interrupted' ? strings.interrupted : strings.failed}
          {run.error && `: ${run.error.message}`}
          <button type="button" className="quiet" onClick={retry}>
            {strings.retry}
          </button>
        </p>
      )}
    </article>
  )
}

function nameOf(message: Message): string {
  if (message.kind === 'summary') return strings.summary
  if (message.kind === 'note') return strings.note
  if (message.kind === 'result') return strings.tool
  if (message.role === 'user') return message.author ?? strings.you
  return message.role === 'assistant' ? strings.assistant : strings.system
}
