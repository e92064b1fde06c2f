/** What holds for one chat: how it is answered, by whom, and with how much of what was said. */
import { useState } from 'react'
import type { Conversation, ConversationPatch, Effort } from '../../src/client/index.js'
import { told } from '../api.js'
import type { Choices } from '../app.js'
import { Dialog } from '../dialog.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { Pickers } from './pickers.js'

interface Props {
  readonly choices: Choices | null
  close(): void
}

export function ChatSettings({ choices, close }: Props) {
  const { chat } = useScreen()
  const conversation = useBox(chat.state, (state) => state.conversation)
  if (!conversation) return null
  return <Form key={conversation.id} conversation={conversation} choices={choices} close={close} />
}

function Form({ conversation, choices, close }: Props & { readonly conversation: Conversation }) {
  const { actions } = useScreen()
  const [held, setHeld] = useState(() => heldOf(conversation))
  const [error, setError] = useState<unknown>(null)
  const change = (next: Partial<Held>): void => setHeld({ ...held, ...next })
  const { settings } = words
  const model = choices?.system.models.find(({ id }) => id === (held.model ?? choices.system.model))
  const save = async (): Promise<void> => {
    try {
      await actions.set(patchOf(held))
      close()
    } catch (error) {
      setError(error)
    }
  }
  return (
    <Dialog label={words.chatSettings} name="chat-settings" close={close}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p className="dim">{settings.says}</p>
        {error !== null && (
          <p className="problem" role="alert">
            {told(error)}
          </p>
        )}
        <Pickers choices={choices} model={held.model} policy={held.policy} recall={held.recall} set={change} />
        <label>
          {settings.system}
          <textarea
            rows={5}
            value={held.system}
            placeholder={settings.systemHint}
            maxLength={100_000}
            onChange={({ target }) => change({ system: target.value })}
          />
        </label>
        <div className="pair">
          <label>
            {settings.temperature}
            <input
              type="number"
              min={0}
              max={2}
              step={0.1}
              value={held.temperature}
              placeholder={settings.usual}
              aria-description={settings.temperatureHint}
              onChange={({ target }) => change({ temperature: target.value })}
            />
          </label>
          <label>
            {settings.effort}
            <select value={held.effort} onChange={({ target }) => change({ effort: target.value as Effort | '' })}>
              {Object.entries(settings.efforts).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label>
          {settings.budget}
          <input
            type="number"
            min={500}
            step={1}
            value={held.budget}
            placeholder={model ? settings.budgetHint(model.window) : settings.usual}
            onChange={({ target }) => change({ budget: target.value })}
          />
        </label>
        <label className="check">
          <input type="checkbox" checked={held.tools} onChange={({ target }) => change({ tools: target.checked })} />
          {settings.tools}
        </label>
        <footer>
          <button type="button" className="quiet" onClick={close}>
            {words.cancel}
          </button>
          <button type="submit" className="primary">
            {words.save}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** As the fields hold it: numbers are what was typed so far. */
interface Held extends Pick<Conversation, 'model' | 'policy' | 'recall'> {
  readonly system: string
  readonly temperature: string
  readonly effort: Effort | ''
  readonly budget: string
  readonly tools: boolean
}

const heldOf = (one: Conversation): Held => ({
  model: one.model,
  policy: one.policy,
  recall: one.recall,
  system: one.system ?? '',
  temperature: one.temperature === null ? '' : String(one.temperature),
  effort: one.effort ?? '',
  budget: one.budget === null ? '' : String(one.budget),
  tools: one.tools !== false,
})

const patchOf = ({ system, temperature, effort, budget, tools, ...rest }: Held): ConversationPatch => ({
  ...rest,
  system: system.trim() === '' ? null : system,
  temperature: temperature === '' ? null : Number(temperature),
  effort: effort === '' ? null : effort,
  budget: budget === '' ? null : Number(budget),
  tools: tools ? null : false,
})
