/** How an answer ended, where it did not come to its own end, and what to do about it. */
import type { Message, Run } from '../../src/client/index.js'
import { words } from '../strings/chat.js'
import { toolWords } from '../strings/tools.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'
import { isOver } from './state.js'

type End = 'stopped' | 'interrupted' | 'failed' | 'length' | 'filter' | 'unfinished'

export function Ending({ message }: { readonly message: Message }) {
  const { chat, actions } = useScreen()
  const run = useBox(chat.state, ({ runs }) => runs.find(({ message_id }) => message_id === message.id))
  const isLast = useBox(
    chat.state,
    ({ messages }) => messages?.findLast(({ kind }) => kind !== 'result')?.id === message.id,
  )
  const busy = useBox(chat.state, ({ run }) => run !== null && !isOver(run))
  const limit = run?.state === 'stopped' ? toolWords.limits[run.error?.code ?? ''] : undefined
  if (run && limit !== undefined)
    return (
      <p className="ending" data-end="limit">
        <span>{limit}</span>
        {isLast && !busy && (
          <button type="button" className="button low" onClick={() => void actions.resume(run.id).catch(() => {})}>
            {toolWords.resume}
          </button>
        )}
      </p>
    )
  const end = endOf(message, run)
  if (end === null) return null
  const isError = end === 'failed' || end === 'interrupted'
  return (
    <p className={isError ? 'ending problem' : 'ending'} data-end={end} role={isError && isLast ? 'alert' : undefined}>
      <span>
        {words.ends[end]}
        {end === 'failed' && run?.error ? ` ${run.error.message}.` : ''}
      </span>
      {isLast && !busy && (
        <>
          {end !== 'failed' && end !== 'filter' && (
            <button
              type="button"
              className="button low"
              onClick={() => void actions.say(words.continueText, []).catch(() => {})}
            >
              {words.continue}
            </button>
          )}
          {end !== 'length' && (
            <button type="button" className="button low" onClick={() => void actions.again(message).catch(() => {})}>
              {end === 'failed' ? words.retry : words.again}
            </button>
          )}
        </>
      )}
    </p>
  )
}

function endOf(message: Message, run: Run | undefined): End | null {
  if (message.kind !== 'message' || message.role !== 'assistant') return null
  if (run?.state === 'stopped' || run?.state === 'interrupted' || run?.state === 'failed') return run.state
  if (run?.finish === 'length' || run?.finish === 'filter') return run.finish
  return message.status === 'aborted' && run === undefined ? 'unfinished' : null
}
