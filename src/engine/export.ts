/** Everything a conversation holds, as data: leaving is as easy as coming. */
import type { Branch, Conversation } from '../store/contract.js'
import type { Entry } from '../store/entry.js'
import { refusal } from '../store/refuse.js'
import type { Source } from './window.js'

export interface Exported {
  readonly schema: 'throughline.conversation/1'
  readonly conversation: Conversation
  readonly branches: readonly Branch[]
  /** In the order of `seq`, every branch included. */
  readonly entries: readonly Entry[]
}

export async function exportOf({ store, workspace, conversation: id }: Source): Promise<Exported> {
  const conversation = await store.get(workspace, id)
  if (!conversation) throw refusal('gone', 'the conversation was deleted', { field: 'conversation', value: id })
  const entries: Entry[] = []
  for (;;) {
    const next = await store.feed(workspace, id, entries.at(-1)?.seq ?? 0, 1_000)
    entries.push(...next)
    if (next.length < 1_000) break
  }
  return { schema: 'throughline.conversation/1', conversation, branches: await store.branches(workspace, id), entries }
}
