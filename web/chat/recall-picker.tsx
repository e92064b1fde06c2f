/** How far the windows of a conversation look beyond it; off until someone asks for it. */
import type { RecallFrom } from '../../src/client/index.js'
import { words } from '../strings/chat.js'

interface Props {
  readonly recall: RecallFrom | null
  set(recall: RecallFrom | null): void
}

const froms = ['memories', 'workspace'] as const

export function RecallPicker({ recall, set }: Props) {
  const value = froms.find((from) => from === recall) ?? ''
  return (
    <label className="picker">
      <span className="hidden">{words.remembers}</span>
      <select
        value={value}
        title={words.remembersSays[value || 'conversation']}
        onChange={(event) => set(froms.find((from) => from === event.target.value) ?? null)}
      >
        <option value="">{words.remembersFrom.conversation}</option>
        {froms.map((from) => (
          <option key={from} value={from}>
            {words.remembersFrom[from]}
          </option>
        ))}
      </select>
    </label>
  )
}
