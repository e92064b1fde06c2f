/** What an answer saw: a line under each, and under the newest the details that it could not see. */
import { useEffect } from 'react'
import type { KeptReceipt, Message } from '../../src/client/index.js'
import { Icon } from '../icons.js'
import { askAgain } from '../inspector/ask-again.js'
import { Details } from '../receipt/details.js'
import { ReceiptLine } from '../receipt/line.js'
import { useMissing } from '../receipt/missing.js'
import { words } from '../strings/chat.js'
import { useBox } from './box.js'
import { useScreen } from './context.js'

interface Props {
  readonly message: Message
  readonly inspected: boolean
}

export function AnswerLine({ message, inspected }: Props) {
  const { look } = useScreen()
  const kept = useReceipt(message)
  const missing = useMissing(useIsNewest(message) ? kept : null)
  if (kept) return <ReceiptLine kept={kept} missing={missing} isOpen={inspected} open={() => look(message.id)} />
  return (
    <button type="button" className="action look" aria-pressed={inspected} onClick={() => look(message.id)}>
      <Icon name="eye" /> {words.inspect}
    </button>
  )
}

export function AnswerDetails({ message }: { readonly message: Message }) {
  const { chat, look } = useScreen()
  const receipt = useBox(chat.state, (state) => state.receipt)
  const isNewest = useIsNewest(message)
  const missing = useMissing(isNewest ? receipt : null)
  if (!isNewest || !receipt || !missing || missing.details.length === 0) return null
  return (
    <Details
      conversation={chat.id}
      missing={missing}
      show={(id) => look(message.id, id)}
      askAgain={() => askAgain({ conversation: chat.id, answer: message.id, kept: receipt }, {})}
    />
  )
}

/** The newest answer, as long as no other is being written. */
function useIsNewest({ id }: Message): boolean {
  return useBox(useScreen().chat.state, ({ receipt, run }) => run === null && receipt?.message_id === id)
}

/** Older receipts are read when their answers come in sight. */
function useReceipt({ id, at }: Message): KeptReceipt | null {
  const { chat } = useScreen()
  const { byAnswer, since, cursor } = useBox(chat.state, ({ receipts }) => receipts)
  const kept = byAnswer.get(id) ?? null
  const isOlder = kept === null && cursor !== null && since !== null && at < since
  // biome-ignore lint/correctness/useExhaustiveDependencies: page after page, until it is there
  useEffect(() => {
    if (isOlder) void chat.olderReceipts().catch(() => {})
  }, [chat, isOlder, cursor])
  return kept
}
