/** A message, with what can be done about it. */
import { memo, useState } from 'react'
import type { Message } from '../../src/client/index.js'
import { isLess, type Sort } from '../fates.js'
import { strings } from '../strings.js'
import { clockOf, fullTime } from '../time.js'
import { useScreen } from './context.js'
import { Editor } from './editor.js'
import { Footer } from './footer.js'
import type { Result } from './rows.js'
import { Said } from './said.js'

export interface MessageProps {
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
}

export const MessageView = memo(function MessageView(props: MessageProps) {
  const { message, sort, horizon, target, inspected } = props
  const [editing, setEditing] = useState(false)
  const { actions } = useScreen()
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
          <Editor
            text={message.text}
            done={() => setEditing(false)}
            save={(text) => actions.edit(message, text).then(() => setEditing(false))}
          />
        ) : (
          <Said message={message} results={props.results} />
        )}
        {message.kind === 'message' && message.status === 'aborted' && <p className="dim small">{strings.stopped}</p>}
        {!editing && message.kind === 'message' && <Footer {...props} startEdit={() => setEditing(true)} />}
      </article>
      {horizon > 0 && (
        <p className="horizon">
          <span>{strings.horizon(horizon)}</span>
        </p>
      )}
    </>
  )
})

function FateBadge({ sort: { fate, rule } }: { readonly sort: Sort }) {
  return (
    <span className="fate" data-fate={fate} title={rule}>
      {strings.fates[fate]}
    </span>
  )
}

function nameOf(message: Message): string {
  if (message.kind === 'summary') return strings.summary
  if (message.kind === 'note') return strings.note
  if (message.kind === 'result') return strings.tool
  if (message.role === 'user') return message.author ?? strings.you
  return message.role === 'assistant' ? strings.assistant : strings.system
}
