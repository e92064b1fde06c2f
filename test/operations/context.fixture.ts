import { type History, openHistory } from '../../src/engine/history.js'
import type { OperationContext } from '../../src/operations/context.js'
import { openServices, type ServicesGiven } from '../../src/operations/services.js'
import { memoryStore } from '../../src/store/memory/store.js'

/** A caller of the operations themselves, over a store of its own. */
export function contextFor(
  given: Omit<ServicesGiven, 'store'> & Partial<Pick<OperationContext, 'store' | 'scope' | 'workspace'>>,
): OperationContext & { open(conversation: string): Promise<History> } {
  const { store = memoryStore(), scope = 'admin', workspace = 'default', ...rest } = given
  return {
    ...openServices({ ...rest, store }),
    workspace,
    scope,
    author: 'person',
    key: undefined,
    trace: undefined,
    signal: new AbortController().signal,
    open: (conversation) => openHistory({ store, workspace, conversation, live: true }),
  }
}
