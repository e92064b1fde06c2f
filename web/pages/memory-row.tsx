/** One note, where it comes from, and what can be done about it. */
import { useState } from 'react'
import type { Memory, MemoryKind } from '../../src/client/index.js'
import { addressOf, placeNow } from '../place.js'
import { jump } from '../search/jump.js'
import { strings } from '../strings/pages.js'
import { clockOf, fullTime } from '../time.js'
import { MemoryForm } from './memory-form.js'

interface Props {
  readonly memory: Memory
  correct(memory: Memory, kind: MemoryKind, text: string): Promise<void>
  forget(memory: Memory): Promise<void>
}

export function MemoryRow({ memory, correct, forget }: Props) {
  const [editing, setEditing] = useState(false)
  const { text, source, author, updated_at } = memory
  if (editing)
    return (
      <li>
        <MemoryForm
          label={strings.save}
          memory={memory}
          save={(kind, text) => correct(memory, kind, text).then(() => setEditing(false))}
          cancel={() => setEditing(false)}
        />
      </li>
    )
  return (
    <li>
      <p className="plain">{text}</p>
      <footer>
        <small className="dim">
          <time dateTime={updated_at} title={fullTime(updated_at)}>
            {clockOf(updated_at)}
          </time>
          {' · '}
          {source ? (
            <a
              href={addressOf(source.conversation_id, 'main', source.message_id)}
              onClick={(event) => {
                event.preventDefault()
                void jump(source, placeNow()).catch(() => {})
              }}
            >
              {strings.memorySource}
            </a>
          ) : (
            strings.memoryBy(author)
          )}
        </small>
        <span className="grow" />
        <button type="button" className="quiet" onClick={() => setEditing(true)}>
          {strings.correct}
        </button>
        <button type="button" className="quiet danger" onClick={() => void forget(memory).catch(() => {})}>
          {strings.forget}
        </button>
      </footer>
    </li>
  )
}
