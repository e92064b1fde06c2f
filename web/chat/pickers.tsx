/** Which model answers, which policy makes its window, and how far that looks; and that no AI answers, where none does. */
import type { RecallFrom, RunSettings } from '../../src/client/index.js'
import type { Choices } from '../app.js'
import { words } from '../strings/chat.js'
import { RecallPicker } from './recall-picker.js'

export interface Settings {
  readonly model: string | null
  readonly policy: string | null
  readonly recall: RecallFrom | null
}

export const settingsOf = ({ model, policy, recall }: Settings): RunSettings => ({
  ...(model === null ? null : { model }),
  ...(policy === null ? null : { policy }),
  ...(recall === null ? null : { recall }),
})

interface Props extends Settings {
  readonly choices: Choices | null
  set(change: Partial<Settings>): void
}

export function Pickers({ choices, model, policy, recall, set }: Props) {
  if (!choices) return <div className="pickers" />
  const { system, policies } = choices
  const usual = system.models.find(({ id }) => id === system.model)
  return (
    <div className="pickers">
      <label className="picker">
        <span className="hidden">{words.model}</span>
        <select value={model ?? ''} onChange={(event) => set({ model: event.target.value || null })}>
          <option value="">{usual?.label ?? system.model}</option>
          {system.models
            .filter(({ id }) => id !== system.model)
            .map((one) => (
              <option key={one.id} value={one.id} disabled={!one.ready}>
                {one.ready ? one.label : `${one.label} (${words.notReady})`}
              </option>
            ))}
        </select>
      </label>
      <label className="picker">
        <span className="hidden">{words.policy}</span>
        <select
          value={policy ?? ''}
          title={policies.find(({ name }) => name === policy)?.says}
          onChange={(event) => set({ policy: event.target.value || null })}
        >
          <option value="">{system.policy}</option>
          {policies
            .filter(({ name }) => name !== system.policy)
            .map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </select>
      </label>
      <RecallPicker recall={recall} set={(next) => set({ recall: next })} />
    </div>
  )
}

export const isAi = (choices: Choices | null, model: string | null): boolean => {
  if (!choices) return true
  return choices.system.models.find(({ id }) => id === (model ?? choices.system.model))?.ai ?? true
}

export function NoAi({ choices }: { readonly choices: Choices | null }) {
  return (
    <span className="no-ai">
      <button type="button" className="badge" popoverTarget="no-ai" title={words.noAiTitle}>
        {words.noAi}
      </button>
      <div id="no-ai" popover="auto" className="menu tip">
        <strong>{words.noAiTitle}</strong>
        <p>{words.noAiSays}</p>
        <p>{choices?.system.hint}</p>
      </div>
    </span>
  )
}
