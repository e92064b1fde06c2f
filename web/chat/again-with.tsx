/** The same question to another model: its answer is on a branch of its own. */
import type { Message } from '../../src/client/index.js'
import { words } from '../strings/chat.js'
import { useScreen } from './context.js'

export function AgainWith({ message }: { readonly message: Message }) {
  const { actions, choices } = useScreen()
  const models = choices?.system.models.filter(({ id, ready }) => ready && id !== message.model) ?? []
  if (models.length === 0) return null
  return (
    <label className="picker again-with">
      <span className="hidden">{words.againWith}</span>
      <select
        value=""
        title={words.againWith}
        onChange={({ target }) => void actions.again(message, target.value).catch(() => {})}
      >
        <option value="" disabled>
          {words.againWithShort}
        </option>
        {models.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
