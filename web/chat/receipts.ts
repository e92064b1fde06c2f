/** The receipts of a conversation by the answers they led to, newest first and page by page. */
import type { KeptReceipt, Page } from '../../src/client/index.js'
import { isCounted } from '../receipt/saw.js'
import type { Receipts } from './state.js'

/** What is here, with the newest page. */
export function receiptsOf(held: Receipts, page: Page<KeptReceipt>): Receipts {
  const isFirst = held.since === null
  const byAnswer = merged(held, page)
  if (!isFirst && byAnswer === held.byAnswer) return held
  return {
    byAnswer,
    since: isFirst ? (page.items.at(-1)?.at ?? null) : held.since,
    cursor: isFirst ? page.next_cursor : held.cursor,
  }
}

export const withOlder = (held: Receipts, page: Page<KeptReceipt>): Receipts => ({
  byAnswer: merged(held, page),
  since: page.items.at(-1)?.at ?? held.since,
  cursor: page.next_cursor,
})

/** A receipt does not change: the one that is here stays the same object. */
function merged({ byAnswer }: Receipts, { items }: Page<KeptReceipt>): ReadonlyMap<string, KeptReceipt> {
  const fresh = items.filter((one) => one.message_id !== null && !byAnswer.has(one.message_id) && isCounted(one))
  if (fresh.length === 0) return byAnswer
  return new Map([...byAnswer, ...fresh.map((kept) => [kept.message_id as string, kept] as const)])
}
