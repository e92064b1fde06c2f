/** By words or meaning; and fewer results: by who said it, when, and where. */
import { strings } from '../strings/pages.js'
import type { Narrow } from './use-search.js'

interface Props {
  readonly narrow: Narrow
  /** The conversation one is in. */
  readonly here: string | null
  set(narrow: Narrow): void
}

export function Filters({ narrow, here, set }: Props) {
  return (
    <div className="filters">
      <Choose
        label={strings.findBy}
        value={narrow.mode}
        options={strings.modes}
        set={(mode) => set({ ...narrow, mode: mode as Narrow['mode'] })}
      />
      <Choose
        label={strings.byRole}
        value={narrow.role}
        options={strings.roles}
        set={(role) => set({ ...narrow, role: role as Narrow['role'] })}
      />
      <Choose
        label={strings.when}
        value={narrow.days}
        options={strings.spans}
        set={(days) => set({ ...narrow, days })}
      />
      {here !== null && (
        <label className="check">
          <input
            type="checkbox"
            checked={narrow.conversation !== null}
            onChange={(event) => set({ ...narrow, conversation: event.target.checked ? here : null })}
          />
          {strings.here}
        </label>
      )}
    </div>
  )
}

interface ChooseProps {
  readonly label: string
  readonly value: string
  readonly options: Readonly<Record<string, string>>
  set(value: string): void
}

export const Choose = ({ label, value, options, set }: ChooseProps) => (
  <label className="picker">
    <span className="hidden">{label}</span>
    <select value={value} onChange={(event) => set(event.target.value)}>
      {Object.entries(options)
        .sort(([one], [other]) => Number(one) - Number(other) || 0)
        .map(([name, says]) => (
          <option key={name} value={name}>
            {says}
          </option>
        ))}
    </select>
  </label>
)
