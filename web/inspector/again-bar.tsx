/** The way out: pin what is missing and ask the same question again. It says first what that takes. */
import { useState } from 'react'
import { api, told } from '../api.js'
import { Icon } from '../icons.js'
import { mark } from '../mark.js'
import { sawOf } from '../receipt/saw.js'
import { words } from '../strings/inspector.js'
import { stored } from './actions.js'
import { askAgain } from './ask-again.js'
import type { Row } from './rows.js'
import type { Seen } from './seen.js'
import { useAnswer } from './use-answer.js'

export function AgainBar({ seen, row }: { readonly seen: Seen; readonly row: Row }) {
  const { brief } = row
  const [failed, setFailed] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const marks = stored(seen.path.map((one) => (one.id === brief.id ? { ...one, pinned: true } : one)))
  const { answer } = useAnswer(
    (signal) => api.receipts.whatIf(seen.kept.id, { marks }, { signal }),
    `${seen.kept.id} with ${brief.id}`,
  )
  const go = async (): Promise<void> => {
    setBusy(true)
    try {
      if (!brief.pinned) await mark(seen.conversation, brief.id, { pinned: true })
      await askAgain(seen, {})
    } catch (error) {
      setFailed(error)
      setBusy(false)
    }
  }
  const saw = answer && sawOf(answer.receipt)
  const share = saw?.window ? Math.min(1, saw.used / saw.window) : 0
  return (
    <footer className="again-bar">
      <span className="fill-meter" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <p>
        {failed !== null
          ? told(failed)
          : saw
            ? words.withIt(brief.depth, saw.used, answer.receipt.budget.excess === 0)
            : words.counting}
      </p>
      <button type="button" className="primary" disabled={busy} onClick={() => void go()}>
        <Icon name="pin" /> {busy ? words.asking : words.pinAndAsk}
      </button>
    </footer>
  )
}
