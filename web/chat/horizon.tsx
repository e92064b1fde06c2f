/** Where the window of the last question begins: what is above was not sent as it stands. */
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'

export function Horizon({ count, at }: { readonly count: number; readonly at: string }) {
  const { chat, look } = useScreen()
  const answer = useBox(chat.state, ({ receipt }) => receipt?.message_id ?? null)
  return (
    <p className="horizon">
      <button type="button" className="quiet" disabled={answer === null} onClick={() => answer && look(answer, at)}>
        {words.horizon(count)} · <u>{words.horizonWhy}</u>
      </button>
    </p>
  )
}
