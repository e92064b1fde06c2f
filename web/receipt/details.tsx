/** The details the model could not see, right under the answer; a click brings one back. */
import { useState } from 'react'
import { told } from '../api.js'
import { Icon } from '../icons.js'
import { decide } from '../mark.js'
import { words } from '../strings/receipt.js'
import { costOf, type Detail, type Missing } from './missing.js'

interface Props {
  readonly conversation: string
  readonly missing: Missing
  /** Opens the list where the message is. */
  show(message: string): void
  askAgain(): Promise<void>
}

/** More of them hide the ones that matter. */
const most = 5

export function Details({ conversation, missing, show, askAgain }: Props) {
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const shown = missing.details.slice(0, most)
  const messages = [...new Set(shown.map(({ message }) => message))]
  const open = messages.filter((id) => !missing.pinned.has(id))
  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setFailed(null)
    await work().catch(setFailed)
    setBusy(false)
  }
  const bring = (ids: readonly string[]) => trying(() => decide(conversation, ids, { pinned: true }))
  return (
    <section className="details" aria-label={words.missingTitle}>
      <header>
        <b>{words.missingTitle}</b>
        <span className="dim">{words.missingIn(shown.length, messages.length)}</span>
        <span className="grow" />
        <button type="button" className="quiet" onClick={() => show(messages[0] ?? '')}>
          {words.seeWhere}
        </button>
        {open.length > 0 && (
          <button type="button" className="button low" disabled={busy} onClick={() => void bring(open)}>
            {words.bringAll} <span className="cost">{words.cost(costOf(missing, open))}</span>
          </button>
        )}
      </header>
      <ul>
        {shown.map((detail) => (
          <li key={detail.text}>
            <Chip detail={detail} missing={missing} busy={busy} bring={() => void bring([detail.message])} />
          </li>
        ))}
      </ul>
      {open.length < messages.length && (
        <footer>
          <span className="dim">{words.pinnedNext}</span>
          <button type="button" className="primary low" disabled={busy} onClick={() => void trying(askAgain)}>
            <Icon name="again" /> {words.askAgain}
          </button>
        </footer>
      )}
      {failed !== null && (
        <p className="problem" role="alert">
          {told(failed)}
        </p>
      )}
    </section>
  )
}

interface ChipProps {
  readonly detail: Detail
  readonly missing: Missing
  readonly busy: boolean
  bring(): void
}

function Chip({ detail: { kind, text, message }, missing, busy, bring }: ChipProps) {
  const isPinned = missing.pinned.has(message)
  return (
    <button type="button" className="detail-chip" disabled={isPinned || busy} data-pinned={isPinned} onClick={bring}>
      <b>{text}</b> <small>{words.kinds[kind]}</small>
      <span className="back">
        <Icon name={isPinned ? 'pin' : 'back'} />
        <span className="verb">{isPinned ? words.broughtBack : words.bringBack}</span>
        {!isPinned && words.cost(missing.costs.get(message) ?? 0)}
      </span>
    </button>
  )
}
