/** What the next question would see, and what it would leave out: said on the field, before it is sent. */
import { useEffect, useState } from 'react'
import { api } from '../api.js'
import { Icon } from '../icons.js'
import { type Saw, sawOf } from '../receipt/saw.js'
import { words as chatWords } from '../strings/chat.js'
import { count } from '../strings/number.js'
import { words } from '../strings/receipt.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'

export interface Next extends Saw {
  /** The detail that matters most among those it would not see. */
  readonly missing: string | null
}

/** Long enough that nothing is asked for at every key. */
const pauseMs = 500

export function useNext(text: string): Next | null {
  const { chat } = useScreen()
  const [next, setNext] = useState<Next | null>(null)
  const { run, receipt } = useBox(chat.state)
  const said = text.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer makes another window
  useEffect(() => {
    setNext(null)
    if (said.length < 3 || run !== null) return
    const leaving = new AbortController()
    const ask = async (): Promise<void> => {
      const body = { conversation_id: chat.id, branch: chat.branch, current: said, risks: true }
      const { receipt } = await api.assemble(body, { signal: leaving.signal })
      if (!leaving.signal.aborted) setNext({ ...sawOf(receipt), missing: receipt.risks?.[0]?.text ?? null })
    }
    const timer = setTimeout(() => void ask().catch(() => {}), pauseMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [chat, said, run === null, receipt?.id])
  return next
}

/** The figures of the next question while one is written, else those of the last. */
export function NextSees({ next }: { readonly next: Next | null }) {
  const { chat, look } = useScreen()
  const kept = useBox(chat.state, (state) => state.receipt)
  if (!kept || kept.message_id === null) return next && <span className="gauge">{words.next(next)}</span>
  const answer = kept.message_id
  const saw = sawOf(kept.receipt)
  const title =
    saw.window === null
      ? chatWords.gaugeOpen(count(saw.used))
      : chatWords.gaugeTitle(count(saw.used), count(saw.window))
  return (
    <button type="button" className="gauge" onClick={() => look(answer)} title={title}>
      {next ? words.next(next) : words.last(saw)}
    </button>
  )
}

export function NextWarning({ next }: { readonly next: Next | null }) {
  const { chat, look } = useScreen()
  const answer = useBox(chat.state, ({ receipt }) => receipt?.message_id ?? null)
  const lost = next ? next.left + next.summarised : 0
  if (!next || lost === 0) return null
  return (
    <p className="next-warning" role="status">
      <Icon name="alert" />
      <span>
        <b>{words.wouldLeave(lost)}</b>
        {next.missing !== null && words.also(next.missing)}
      </span>
      {answer !== null && (
        <button type="button" className="quiet" onClick={() => look(answer)}>
          {words.seeWhich}
        </button>
      )}
    </p>
  )
}
