/** Re-ask with full context: what it would take, and whether it fits. */
import { useState } from 'react'
import type { WhatIf } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { words } from '../strings/inspector.js'
import { askAgain } from './ask-again.js'
import { compare } from './compare.js'
import { isLost, rowsOf } from './rows.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

/** No limit but the model's own window, and nothing shortened. */
const everything: WhatIf = {
  budget: null,
  overrides: {
    fold: { tools: 'keep' },
    clip: { user: null, assistant: null, tool: null },
    fit: { messages: null, turns: null, chars: null, bytes: null, tokens: 'model' },
  },
}

export function Ask({ seen }: { readonly seen: Seen }) {
  const lacking = seen.rows.some((row) => isLost(row) || row.whole - row.sent >= 1)
  return lacking ? <Offer seen={seen} /> : null
}

function Offer({ seen }: { readonly seen: Seen }) {
  const { answer, error } = useAnswer(
    (signal) => api.receipts.whatIf(seen.kept.id, everything, { signal }),
    seen.kept.id,
  )
  const [failed, setFailed] = useState<unknown>(null)
  if (error !== null) return null
  const rows = answer ? rowsOf(answer.receipt, seen.path) : []
  const found = answer && compare({ receipt: seen.kept.receipt, rows: seen.rows }, { receipt: answer.receipt, rows })
  const short = rows.some(isLost)
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
        {short && answer?.receipt.model && `${words.noRoom(answer.receipt.model.window)} `}
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
