/** Whether a tool runs at once, is asked about, or never runs. */
import type { ToolApproval } from '../../src/client/index.js'
import { toolWords as words } from '../strings/tools.js'

interface Props {
  readonly label: string
  readonly value: ToolApproval
  readonly disabled?: boolean
  set(value: ToolApproval): void
}

export const ApprovalPicker = ({ label, value, disabled = false, set }: Props) => (
  <select
    className="approval"
    aria-label={label}
    value={value}
    disabled={disabled}
    onChange={({ target }) => set(target.value as ToolApproval)}
  >
    {Object.entries(words.approvals).map(([name, says]) => (
      <option key={name} value={name}>
        {says}
      </option>
    ))}
  </select>
)
