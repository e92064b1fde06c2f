/** What can be done about one message. Each action tells what it costs before it is done. */
import { useState } from 'react'
import { told } from '../api.js'
import { decide } from '../mark.js'
import type { Missing } from '../receipt/missing.js'
import { words } from '../strings/inspector.js'
import { type Action, actionsFor, type Cost, costOf } from './actions.js'
import { askAgain } from './ask-again.js'
import { isLost, type Row, reasonOf } from './rows.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

interface Props {
  readonly row: Row
  readonly seen: Seen
  readonly missing: Missing | null
  go(): void
}

export function MessageActions({ row, seen, missing, go }: Props) {
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const { brief } = row
  const actions = actionsFor(row)
  const act = async (action: Action): Promise<void> => {
    setBusy(true)
    setFailed(null)
    try {
      if (action.mark) {
        await decide(seen.conversation, [brief.id], action.mark)
      } else await askAgain(seen, { marks: action.marks(seen.path), budget: null })
    } catch (error) {
      setFailed(error)
    }
    setBusy(false)
  }
  return (
    <div className="message-actions">
      <p className="quote">
        <Marked text={brief.preview || '…'} details={missing?.details.map(({ text }) => text) ?? []} />
      </p>
      <p className="why dim">{reasonOf(row)}</p>
      <fieldset className="acts">
        <legend className="hidden">{words.actionsFor}</legend>
        {actions.map((action) => (
          <Act
            key={action.name}
            action={action}
            seen={seen}
            own={brief.id}
            isLost={isLost(row)}
            busy={busy}
            act={() => void act(action)}
          />
        ))}
        <button type="button" className="quiet" onClick={go}>
          {words.goTo}
        </button>
      </fieldset>
      {failed !== null && (
        <p className="problem" role="alert">
          {told(failed)}
        </p>
      )}
    </div>
  )
}

interface ActProps {
  readonly action: Action
  readonly seen: Seen
  readonly own: string
  readonly isLost: boolean
  readonly busy: boolean
  act(): void
}

function Act({ action, seen, own, isLost, busy, act }: ActProps) {
  const { answer, error } = useAnswer<Cost>(
    (signal) => costOf(seen, action, own, signal),
    `${seen.kept.id} ${action.name} ${own}`,
  )
  const title = action.mark ? words.nextTime : words.askedAgain
  return (
    <button type="button" className="act" disabled={busy} onClick={act} title={title}>
      <b>{isLost && action.name === 'pin' ? words.actions.back : words.actions[action.name]}</b>
      <span>{answer ? costWords(answer) : error === null ? words.counting : words.unknownCost}</span>
    </button>
  )
}

const costWords = ({ tokens, pushed, brought }: Cost): string =>
  [words.costs(tokens), pushed > 0 && words.pushes(pushed), brought > 0 && words.brings(brought)]
    .filter((text) => text !== false)
    .join(', ')

/** The words with the details in them that the model could not see. */
function Marked({ text, details }: { readonly text: string; readonly details: readonly string[] }) {
  const sought = details.filter((detail) => text.includes(detail))
  if (sought.length === 0) return text
  const pattern = new RegExp(`(${sought.map((detail) => detail.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`)
  let at = 0
  return text.split(pattern).map((piece) => {
    const key = `${at++}`
    return sought.includes(piece) ? (
      <mark key={key} className="lost-mark">
        {piece}
      </mark>
    ) : (
      piece
    )
  })
}
