/** The `Session` of `@openai/agents` on a history, with its transactions and rewrites. */
import type { History } from '../../engine/history.js'
import { envOf } from '../../engine/writing.js'
import { canonical } from '../../store/shared/gate.js'
import { refusal } from '../../store/shared/refuse.js'
import { keyOf } from '../desk.js'
import { type ListOptions, messageList } from '../list/list.js'
import { type AgentItem, agentsDialect } from './item.js'

/** One change of the list under a name: the same name again changes nothing. */
export interface HistoryTransaction<Item> {
  readonly operationId: string
  readonly transaction:
    | { readonly type: 'append_items'; readonly items: Item[] }
    | { readonly type: 'replace_suffix'; readonly expectedSuffix: Item[]; readonly replacement: Item[] }
}

/** What the SDK asks to replace in items that were stored. */
export interface HistoryMutations<Item> {
  readonly mutations: {
    readonly type: 'replace_function_call'
    readonly callId: string
    readonly replacement: Item
  }[]
}

/** Fits `Session`, `SessionHistoryTransactionAwareSession` and `SessionHistoryRewriteAwareSession` of the SDK. */
export interface AgentSession<Item> {
  getSessionId(): Promise<string>
  getItems(limit?: number): Promise<Item[]>
  addItems(items: Item[]): Promise<void>
  popItem(): Promise<Item | undefined>
  clearSession(): Promise<void>
  replaceHistoryWithCompaction(items: Item[]): Promise<void>
  applyHistoryMutations(args: HistoryMutations<Item>): Promise<void>
  applyHistoryTransaction(args: HistoryTransaction<Item>): Promise<void>
}

/**
 * `Item` is the SDK's `AgentInputItem`, which this package does not import.
 * @example await run(agent, 'Hello', { session: agentSession(history) })
 */
// biome-ignore lint/suspicious/noExplicitAny: so that a session fits whatever version of the SDK it is given to
export function agentSession<Item = any>(history: History, options: ListOptions = {}): AgentSession<Item> {
  const list = messageList<AgentItem>(history, agentsDialect, options)
  const env = envOf(options.env)

  const session: AgentSession<AgentItem> = {
    getSessionId: async () => history.id,
    getItems: (limit) => list.read(limit),
    addItems: (items) => list.add(items),
    async popItem() {
      let popped: AgentItem | undefined
      await list.rewrite((items) => {
        popped = items.at(-1)
        return items.slice(0, -1)
      })
      return popped
    },
    clearSession: () => list.rewrite(() => []),
    replaceHistoryWithCompaction: (items) => list.rewrite(() => items),
    applyHistoryMutations: ({ mutations }) => list.rewrite((items) => mutations.reduce(mutated, items)),
    async applyHistoryTransaction({ operationId, transaction }) {
      if (typeof operationId !== 'string' || operationId.trim() === '')
        throw refusal('invalid', 'operationId must be a text that is not empty', { field: 'operationId' })
      const operation = { id: keyOf(history.id, operationId), change: keyOf(canonical(transaction)) }
      if (await isApplied(history, operation)) return
      const body = { operation: operationId, change: operation.change }
      const record = { kind, id: operation.id, body, at: env.now(), expect: null }
      try {
        await list.rewrite((items) => changed(items, transaction), [{ do: 'put-record', record }])
      } catch (error) {
        // the same change may have been made meanwhile, by an attempt that was taken for lost
        if (!(await isApplied(history, operation))) throw error
      }
    },
  }
  return session as AgentSession<Item>
}

const kind = 'agents-operation'

async function isApplied(history: History, operation: { readonly id: string; readonly change: string }) {
  const known = await history.record(kind, operation.id)
  if (!known) return false
  if ((known.body as typeof operation).change === operation.change) return true
  throw refusal('key_reused', 'the operation was applied before with another change', { field: 'operationId' })
}

function mutated(items: readonly AgentItem[], { callId, replacement }: HistoryMutations<AgentItem>['mutations'][0]) {
  const isCall = (item: AgentItem): boolean => item.type === 'function_call' && item.callId === callId
  const first = items.findIndex(isCall)
  return items.flatMap((item, i) => (i === first ? [replacement] : isCall(item) ? [] : [item]))
}

function changed(
  items: readonly AgentItem[],
  change: HistoryTransaction<AgentItem>['transaction'],
): readonly AgentItem[] {
  if (change.type === 'append_items') return [...items, ...change.items]
  const { expectedSuffix, replacement } = change
  const start = items.length - expectedSuffix.length
  const isThere = start >= 0 && canonical(items.slice(start)) === canonical(expectedSuffix)
  if (!isThere)
    throw refusal('invalid', 'the end of the history is no longer the one that was to be replaced', {
      field: 'transaction.expectedSuffix',
    })
  return [...items.slice(0, start), ...replacement]
}
