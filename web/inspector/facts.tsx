/** The window in two lines. */
import { words } from '../strings/inspector.js'
import { isSent } from './rows.js'
import type { Seen } from './seen.js'

export function Facts({ seen: { kept, rows, run } }: { readonly seen: Seen }) {
  const { budget, policy, counter, model } = kept.receipt
  return (
    <dl className="facts">
      <div>
        <dt>{words.sent(rows.filter(isSent).length, rows.length)}</dt>
        <dd>
          {words.tokensOf(budget.used, budget.tokens)}
          {budget.limit !== null && budget.limit !== 'tokens' && `, ${words.limit(budget.limit)}`}
        </dd>
      </div>
      <div>
        <dt>
          {policy.name} <span className="dim">· {model?.id ?? run.model}</span>
        </dt>
        <dd>
          {words.counted(counter.name, counter.exact)}
          {run.usage && `; ${words.provider(run.usage.input, run.drift === null ? null : run.drift - 1)}`}
        </dd>
      </div>
    </dl>
  )
}
