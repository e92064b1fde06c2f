/** What can be done about a message. */
import { Copy } from '../copy.js'
import { Icon, type IconName } from '../icons.js'
import { words } from '../strings/chat.js'
import { AgainWith } from './again-with.js'
import { AnswerLine } from './answer-receipt.js'
import { useScreen } from './context.js'
import type { MessageProps } from './message.js'
import { Remember } from './remember.js'
import { Versions } from './versions.js'

export function Footer({ message, versions, busy, inspected, startEdit }: MessageProps & { startEdit(): void }) {
  const { actions } = useScreen()
  const isAnswer = message.kind === 'message' && message.role === 'assistant'
  const rating = message.rating?.value ?? 0
  return (
    <footer>
      {isAnswer && message.model !== null && <AnswerLine message={message} inspected={inspected} />}
      {isAnswer && <span className="grow" />}
      {versions.length > 1 && <Versions message={message} versions={versions} />}
      <span className="actions">
        <Copy text={message.text} className="action" does="copy" />
        {!isAnswer && !busy && (
          <button type="button" className="action" data-does="edit" onClick={startEdit}>
            <Icon name="edit" /> <span className="word">{words.edit}</span>
          </button>
        )}
        {isAnswer && !busy && (
          <button type="button" className="action" onClick={() => void actions.again(message).catch(() => {})}>
            <Icon name="again" /> <span className="word">{words.again}</span>
          </button>
        )}
        {isAnswer && !busy && <AgainWith message={message} />}
        {message.text.trim() !== '' && <Remember message={message} />}
        {isAnswer && (
          <>
            <Rate
              name="up"
              label={words.good}
              on={rating === 1}
              rate={() => void actions.rate(message, rating === 1 ? 0 : 1)}
            />
            <Rate
              name="down"
              label={words.bad}
              on={rating === -1}
              rate={() => void actions.rate(message, rating === -1 ? 0 : -1)}
            />
          </>
        )}
      </span>
    </footer>
  )
}

interface RateProps {
  readonly name: IconName
  readonly label: string
  readonly on: boolean
  rate(): void
}

function Rate({ name, label, on, rate }: RateProps) {
  return (
    <button type="button" className="action" aria-label={label} title={label} aria-pressed={on} onClick={rate}>
      <Icon name={name} />
    </button>
  )
}
