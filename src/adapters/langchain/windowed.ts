/** Windows for the messages of a graph: the model gets what fits and, with `recall`, what it needs of the rest; the state keeps everything. */
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import type { Input } from '../../core/window/assemble.js'
import type { History } from '../../engine/history.js'
import { messageList } from '../list/list.js'
import { type Manner, type WindowedOptions, windowOfList } from '../list/window.js'
import { langchainDialect } from './message.js'
import { threadPlaceOf } from './thread.js'

/** What the windows of a graph are like, what is sent beside its messages and counts, and which log mirrors them. */
export interface GraphWindowOptions extends WindowedOptions, Pick<Input, 'system' | 'tools'> {
  /**
   * The log that becomes what the messages are and keeps the receipts, or how to open that of a thread. An answer is written
   * when a later call brings it, or at once by the option `messages` of `checkpointer`.
   */
  readonly history?: History | ((thread: string) => Promise<History>)
}

const manner: Manner<StoredMessage> = { dialect: langchainDialect, target: 'openai-chat' }

/**
 * Makes what a model is called with of the `messages` of a graph. The config of the node says which thread it is.
 *
 * @example
 * ```ts
 * const fit = windowed({ budget: 8_000, history: (thread) => openHistory({ store, conversation: thread }) })
 * graph.addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(await fit(messages, config))] }))
 * ```
 */
export function windowed({ history, system, tools, ...options }: GraphWindowOptions = {}) {
  return async (messages: readonly BaseMessage[], config: RunnableConfig = {}): Promise<BaseMessage[]> => {
    const log = typeof history === 'function' ? await history(threadPlaceOf(config, 'find the log').thread) : history
    if (log) await mirror(log, messages)
    const found = messages.findIndex(({ type }) => type !== 'system')
    const lead = messages.slice(0, found < 0 ? messages.length : found)
    const said = messages.slice(lead.length)
    const stored = mapChatMessagesToStoredMessages([...said])
    const prompt = [...(system === undefined ? [] : [system]), ...lead.map(({ text }) => text)].join('\n\n')
    const input = { messages: stored, ...(prompt && { system: prompt }), ...(tools && { tools }) }
    const fitting = await windowOfList(input, manner, options, log)
    const originals = new Map(stored.map((one, i) => [one, said[i] as BaseMessage]))
    return [...lead, ...fitting.flatMap((one) => originals.get(one) ?? mapStoredMessagesToChatMessages([one]))]
  }
}

/** The log becomes these messages; what they no longer have stays on a branch of the past. */
export const mirror = (history: History, messages: readonly BaseMessage[]): Promise<void> =>
  messageList(history, langchainDialect).rewrite(() => mapChatMessagesToStoredMessages([...messages]))
