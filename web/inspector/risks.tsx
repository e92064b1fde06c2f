/** Paths, commands, numbers and names that stand only in what was left out: a summary keeps decisions and loses these. */
import { api } from '../api.js'
import { words } from '../strings/inspector.js'
import { isLost } from './rows.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

export function Risks({ seen, show }: { readonly seen: Seen; show(message: string): void }) {
  return seen.rows.some(isLost) ? <Found seen={seen} show={show} /> : null
}

function Found({ seen, show }: { readonly seen: Seen; show(message: string): void }) {
  const { answer } = useAnswer((signal) => api.receipts.whatIf(seen.kept.id, { risks: true }, { signal }), seen.kept.id)
  const risks = answer?.receipt.risks
  if (!risks) return null
  if (risks.length === 0) return <p className="risks dim">{words.noRisks}</p>
  return (
    <details className="risks">
      <summary>{words.risks(risks.length)}</summary>
      <ul>
        {risks.map(({ kind, text, message }) => (
          <li key={`${kind}${text}`}>
            <button type="button" className="chip" onClick={() => show(seen.path[message]?.id ?? '')}>
              {text} <small>{words.riskKinds[kind]}</small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
