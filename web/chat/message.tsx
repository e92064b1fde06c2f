/** A message, with what can be done about it. */
import { memo, useState } from 'react'
import type { Message } from '../../src/client/index.js'
import { isLess, type Sort } from '../fates.js'
import { words } from '../strings/chat.js'
import { clockOf, fullTime } from '../time.js'
import { AnswerDetails } from './answer-receipt.js'
import { useScreen } from './context.js'
import { Editor } from './editor.js'
import { Ending } from './ending.js'
import { FateBadge } from './fate-badge.js'
import { Footer } from './footer.js'
import { Horizon } from './horizon.js'
import type { Result } from './rows.js'
import { Said } from './said.js'
import { SummaryRow } from './summary-row.js'

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
  if (message.kind === 'summary')
    return (
      <>
        <SummaryRow summary={message} />
        {horizon > 0 && <Horizon count={horizon} at={message.id} />}
      </>
    )
  const who = nameOf(message)
  return (
    <>
      <article
        id={`m-${message.id}`}
        className={`message ${message.role}`}
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
          {message.model !== null && <span className="dim model">{message.model}</span>}
          <FateBadge message={message} sort={sort} />
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
        <Ending message={message} />
        {!editing && <Footer {...props} startEdit={() => setEditing(true)} />}
        {message.role === 'assistant' && <AnswerDetails message={message} />}
      </article>
      {horizon > 0 && <Horizon count={horizon} at={message.id} />}
    </>
  )
})

function nameOf({ role, author }: Extract<Message, { readonly kind: 'message' }>): string {
  if (role === 'user') return author ?? words.you
  return role === 'assistant' ? words.assistant : words.system
}
