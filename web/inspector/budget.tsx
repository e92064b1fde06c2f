/** A number of tokens, dragged or written. The handle moves by ratio, as windows differ by orders of magnitude. */
import { words } from '../strings/inspector.js'
import type { Receipt } from './rows.js'

const least = 200
const steps = 200

interface Props {
  /** Of the window as it stands now. */
  readonly receipt: Receipt
  readonly most: number
  readonly budget: number | null
  set(budget: number | null): void
}

export function Budget({ receipt, most, budget, set }: Props) {
  const usual = totalOf(receipt) ?? most
  const value = budget ?? usual
  const ratio = Math.log(most / least)
  const at = Math.round((Math.log(Math.max(least, value) / least) / ratio) * steps)
  const tokensAt = (step: number): number => rounded(least * Math.exp((step / steps) * ratio))
  return (
    <div className="field budget">
      <label htmlFor="budget-number">{words.budget}</label>
      <input
        type="range"
        aria-label={words.budget}
        aria-valuetext={words.tokens(value)}
        min={0}
        max={steps}
        value={at}
        onChange={({ target }) => set(tokensAt(Number(target.value)))}
      />
      <input
        id="budget-number"
        type="number"
        min={0}
        step={100}
        value={budget ?? ''}
        placeholder={words.budgetUsual}
        onChange={({ target }) => set(target.value === '' ? null : Math.max(0, Math.round(Number(target.value))))}
      />
    </div>
  )
}

/** What a budget of this size would be asked for with. */
const totalOf = ({ request }: Receipt): number | null => request.budget

/** Two digits that mean something. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(value)) - 1)
  return Math.round(value / unit) * unit
}
