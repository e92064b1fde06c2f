/** What became of a message, where it is worth a word: something was lost, brought back, or decided by a person. */
import type { Message } from '../../src/client/index.js'
import type { Sort } from '../fates.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'

type Fate = keyof typeof words.fates

const quiet: ReadonlySet<Fate> = new Set(['kept', 'current', 'answer'])

export function FateBadge({ message, sort }: { readonly message: Message; readonly sort: Sort | null }) {
  const { chat, look } = useScreen()
  const answer = useBox(chat.state, ({ receipt }) => receipt?.message_id ?? null)
  const fate: Fate = message.excluded ? 'excluded' : message.pinned ? 'pinned' : (sort?.fate ?? 'kept')
  if (quiet.has(fate)) return null
  if (answer === null || sort === null)
    return (
      <span className="fate" data-fate={fate}>
        {words.fates[fate]}
      </span>
    )
  return (
    <button
      type="button"
      className="fate"
      data-fate={fate}
      title={words.fateTitle}
      onClick={() => look(answer, message.id)}
    >
      {words.fates[fate]}
    </button>
  )
}
