/** Re-ask with full context: what it would take, and whether it fits. */
import { useState } from 'react'
import type { WhatIf } from '../../src/client/index.js'
import { api, told } from '../api.js'
import type { Choices } from '../app.js'
import { words } from '../strings/inspector.js'
import { askAgain } from './ask-again.js'
import { compare } from './compare.js'
import { isLost, type Receipt, type Row, rowsOf } from './rows.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

/** No limit but the model's own window, and nothing shortened. */
export const everything: WhatIf = {
  budget: null,
  overrides: {
    fold: { tools: 'keep' },
    clip: { user: null, assistant: null, tool: null },
    fit: { messages: null, turns: null, chars: null, bytes: null, tokens: 'model' },
  },
}

interface Props {
  readonly seen: Seen
  readonly choices: Choices | null
}

export function Ask(props: Props) {
  const lacking = props.seen.rows.some((row) => isLost(row) || row.whole - row.sent >= 1)
  return lacking ? <Offer {...props} /> : null
}

function Offer({ seen, choices }: Props) {
  const { answer, error } = useAnswer(
    (signal) => api.receipts.whatIf(seen.kept.id, everything, { signal }),
    seen.kept.id,
  )
  const [failed, setFailed] = useState<unknown>(null)
  if (error !== null) return null
  const rows = answer ? rowsOf(answer.receipt, seen.path) : []
  const found = answer && compare({ receipt: seen.kept.receipt, rows: seen.rows }, { receipt: answer.receipt, rows })
  const short = rows.some(isLost) ? (answer?.receipt ?? null) : null
  // with nothing shortened a window may hold less than it did
  if (found && !found.same && found.tokens <= 0)
    return <p className="offer dim small">{short ? noRoom(short, rows, choices) : words.noGain}</p>
  return (
    <div className="offer">
      <button
        type="button"
        className="act"
        disabled={!found || found.same}
        onClick={() => void askAgain(seen, everything).catch(setFailed)}
      >
        <b>{words.actions.full}</b>
        <span>{found ? words.costs(found.tokens) : words.counting}</span>
      </button>
      <p className="dim small">
        {found && found.more > 0 && `${words.more(found.more)}. `}
        {short && `${noRoom(short, rows, choices)} `}
        {words.askedAgain}
      </p>
      {failed !== null && (
        <p className="problem" role="alert">
          {told(failed)}
        </p>
      )}
    </div>
  )
}

/** That not all of it fits, and what it would fit. */
function noRoom({ model, budget }: Receipt, rows: readonly Row[], choices: Choices | null): string {
  if (!model || budget.tokens === null) return words.noGain
  const needed = model.window - budget.tokens + rows.reduce((sum, row) => sum + (isLost(row) ? row.whole : row.sent), 0)
  const wider = (choices?.system.models ?? []).filter(({ kind, window }) => kind !== 'builtin' && window >= needed)
  const [nearest] = [...wider].sort((a, b) => a.window - b.window)
  return `${words.noRoom(model.window)}${nearest ? ` ${words.wouldFit(nearest.label)}` : ''}`
}
