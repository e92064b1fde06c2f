/** What the window has from beyond the conversation: memories, and messages of other conversations, each with the way to it. */
import type { KeptReceipt } from '../../src/client/index.js'
import { addressOf, placeNow } from '../place.js'
import { jump } from '../search/jump.js'
import { words } from '../strings/inspector.js'
import { count as number } from '../strings/number.js'

type RecallLine = NonNullable<KeptReceipt['receipt']['recall']>['items'][number]

export function Beyond({ lines }: { readonly lines: readonly RecallLine[] }) {
  const foreign = lines.filter(({ kind, conversation }) => kind === 'memory' || conversation !== undefined)
  if (foreign.length === 0) return null
  return (
    <details className="beyond" open={foreign.length <= 4}>
      <summary>{words.beyond(foreign.length)}</summary>
      <ul>
        {foreign.map((line) => (
          <li key={`${line.conversation} ${line.id}`}>
            <Origin {...line} />
            <small>{words.recalledFor(line.reason, line.score)}</small>
            <b>{number(line.tokens)}</b>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Origin({ id, kind, from, conversation }: RecallLine) {
  if (kind === 'memory') return <a href="#/memory">{words.fromMemory(from)}</a>
  if (conversation === undefined) return null
  return (
    <a
      href={addressOf(conversation, 'main', id)}
      onClick={(event) => {
        event.preventDefault()
        void jump({ conversation_id: conversation, message_id: id }, placeNow()).catch(() => {})
      }}
    >
      {words.from(from)}
    </a>
  )
}
