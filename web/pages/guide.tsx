/** The guided demo, in place of the list: see what went wrong, find the cut, pin and ask again. */
import { type ReactNode, useState } from 'react'
import type { Conversation } from '../../src/client/index.js'
import { api, told } from '../api.js'
import { Icon } from '../icons.js'
import { askAgain } from '../inspector/ask-again.js'
import { mark } from '../mark.js'
import { goTo, rewrite } from '../place.js'
import { sawOf } from '../receipt/saw.js'
import { words } from '../strings/demo.js'
import { strings } from '../strings/pages.js'
import { type Shown, useDemo } from './demo.js'

interface Props {
  readonly demo: Conversation
  readonly step: string | null
  readonly branch: string
}

export function Guide({ demo, step, branch }: Props) {
  const shown = useDemo(demo)
  const now = step === 'done' ? 4 : Math.min(3, Math.max(1, Number(step) || 1))
  const leave = async (): Promise<void> => {
    goTo(null)
    if (shown) await tidied(demo.id, shown, step === 'done' ? branch : null).catch(() => {})
  }
  return (
    <nav className="guide" aria-label={words.guide}>
      <header>
        <b>{strings.app}</b>
        <span className="dim">{now > 3 ? words.done : words.stepOf(now)}</span>
      </header>
      <progress max={3} value={Math.min(3, now - 1)} aria-label={words.guide} />
      {shown && <Steps demo={demo} shown={shown} now={now} />}
      <footer>
        <p className="dim small">{words.honest}</p>
        <button type="button" className={now > 3 ? 'primary' : 'button'} onClick={() => void leave()}>
          {words.leave}
        </button>
      </footer>
    </nav>
  )
}

/** The demo as it was found: without the pin, and without the branch of the second answer. */
async function tidied(id: string, { lost }: Shown, branch: string | null): Promise<void> {
  if (lost) await mark(id, lost.id, { pinned: false })
  if (branch !== null && branch !== 'main') await api.branches.remove(id, branch)
}

function Steps({ demo, shown, now }: { readonly demo: Conversation; readonly shown: Shown; readonly now: number }) {
  const { kept, answer, missing, lost } = shown
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const saw = sawOf(kept.receipt)
  const place = (lost?.depth ?? 0) + 1
  const look = { answer: answer.id, at: lost?.id ?? null, tab: null }
  const again = async (): Promise<void> => {
    if (!lost) return
    setBusy(true)
    try {
      await mark(demo.id, lost.id, { pinned: true })
      await askAgain({ conversation: demo.id, answer: answer.id, kept }, {})
    } catch (error) {
      setFailed(error)
    }
    setBusy(false)
  }
  return (
    <ol>
      <Step at={1} now={now} title={words.see} says={words.seeSays(saw.seen, saw.of)}>
        <button type="button" className="primary" onClick={() => rewrite({ ...look, guide: '2' })}>
          {words.next.find}
        </button>
      </Step>
      <Step at={2} now={now} title={words.cut} says={words.cutSays(place)}>
        <button type="button" className="primary" onClick={() => rewrite({ ...look, guide: '3' })}>
          {words.next.pin}
        </button>
        <button
          type="button"
          className="quiet"
          onClick={() => rewrite({ answer: null, at: null, tab: null, guide: '1' })}
        >
          {words.back}
        </button>
      </Step>
      <Step at={3} now={now} title={words.ask} says={words.askSays(missing?.costs.get(lost?.id ?? '') ?? 0)}>
        <button type="button" className="primary" disabled={busy} onClick={() => void again()}>
          <Icon name="pin" /> {busy ? words.asking : words.pinAndAsk}
        </button>
        <button type="button" className="quiet" onClick={() => rewrite({ ...look, guide: '2' })}>
          {words.back}
        </button>
        {failed !== null && (
          <p className="problem" role="alert">
            {told(failed)}
          </p>
        )}
      </Step>
      {now > 3 && (
        <li className="step" data-state="now">
          <i aria-hidden="true">
            <Icon name="check" />
          </i>
          <h2>{words.knows}</h2>
          <p>{words.knowsSays}</p>
        </li>
      )}
    </ol>
  )
}

interface StepProps {
  readonly at: number
  readonly now: number
  readonly title: string
  readonly says: string
  readonly children: ReactNode
}

function Step({ at, now, title, says, children }: StepProps) {
  const state = at < now ? 'done' : at === now ? 'now' : 'later'
  return (
    <li className="step" data-state={state} {...(state === 'now' && { 'aria-current': 'step' as const })}>
      <i aria-hidden="true">{state === 'done' ? <Icon name="check" /> : at}</i>
      <h2>{title}</h2>
      <p>{says}</p>
      {state === 'now' && <div className="step-acts">{children}</div>}
    </li>
  )
}
