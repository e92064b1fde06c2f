import { words } from '../strings/chat.js'
import { count } from '../strings/number.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'

/** How much of the window the last question took. */
export function Gauge() {
  const { chat, look } = useScreen()
  const receipt = useBox(chat.state, (state) => state.receipt)
  if (!receipt || receipt.message_id === null) return null
  const { budget, model } = receipt.receipt
  const of = budget.tokens ?? model?.window ?? null
  const share = of === null ? 0 : Math.min(1, budget.used / of)
  const answer = receipt.message_id
  return (
    <button
      type="button"
      className="gauge"
      data-full={share > 0.85}
      onClick={() => look(answer)}
      title={of === null ? words.gaugeOpen(count(budget.used)) : words.gaugeTitle(count(budget.used), count(of))}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <circle
          cx="10"
          cy="10"
          r="8"
          pathLength="100"
          strokeDasharray={`${Math.max(2, share * 100)} 100`}
          className="used"
        />
      </svg>
      <span>{words.gauge(share < 0.01 && share > 0 ? 1 : Math.round(share * 100))}</span>
    </button>
  )
}
