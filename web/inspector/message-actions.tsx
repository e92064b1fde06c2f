/** What can be done about one message. Each action tells what it costs before it is done. */
import { useState } from 'react'
import { told } from '../api.js'
import { mark } from '../mark.js'
import { words } from '../strings/inspector.js'
import { type Action, actionsFor, type Cost, costOf } from './actions.js'
import { askAgain } from './ask-again.js'
import type { Row } from './rows.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

interface Props {
  readonly row: Row
  readonly seen: Seen
  go(): void
}

export function MessageActions({ row, seen, go }: Props) {
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const { brief } = row
  const actions = actionsFor(row)
  const act = async (action: Action): Promise<void> => {
    setBusy(true)
    setFailed(null)
    try {
      if (action.mark) {
        await mark(seen.conversation, brief.id, action.mark)
      } else await askAgain(seen, { marks: action.marks(seen.path) })
    } catch (error) {
      setFailed(error)
    }
    setBusy(false)
  }
  return (
    <div className="message-actions">
      <p className="quote">{brief.preview || '…'}</p>
      <fieldset className="acts">
        <legend className="hidden">{words.actionsFor}</legend>
        {actions.map((action) => (
          <Act key={action.name} action={action} seen={seen} own={brief.id} busy={busy} act={() => void act(action)} />
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
  readonly busy: boolean
  act(): void
}

function Act({ action, seen, own, busy, act }: ActProps) {
  const { answer, error } = useAnswer<Cost>(
    (signal) => costOf(seen, action, own, signal),
    `${seen.kept.id} ${action.name} ${own}`,
  )
  const title = action.mark ? words.nextTime : words.askedAgain
  return (
    <button type="button" className="act" disabled={busy} onClick={act} title={title}>
      <b>{words.actions[action.name]}</b>
      <span>{answer ? costWords(answer) : error === null ? words.counting : words.unknownCost}</span>
    </button>
  )
}

const costWords = ({ tokens, pushed, brought }: Cost): string =>
  [words.costs(tokens), pushed > 0 && words.pushes(pushed), brought > 0 && words.brings(brought)]
    .filter((text) => text !== false)
    .join(', ')
