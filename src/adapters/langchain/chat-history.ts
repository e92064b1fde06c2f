/** LangChain's chat message history on a history of ours. */
import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages'
import type { History } from '../../engine/history.js'
import { type ListOptions, type MessageList, messageList } from '../list/list.js'
import { langchainDialect } from './message.js'

/** A chat message history of LangChain on a history. @example chatHistory(await openHistory({ store, conversation: 'a' })) */
export const chatHistory = (history: History, options: ListOptions = {}): BaseListChatMessageHistory =>
  new ChatHistory(messageList(history, langchainDialect, options))

/** A class, because LangChain's contract is one. */
class ChatHistory extends BaseListChatMessageHistory {
  lc_namespace = ['throughline', 'chat_history']
  readonly #list: MessageList<StoredMessage>

  constructor(list: MessageList<StoredMessage>) {
    super()
    this.#list = list
  }

  async getMessages(): Promise<BaseMessage[]> {
    return mapStoredMessagesToChatMessages(await this.#list.read())
  }

  addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message])
  }

  override addMessages(messages: BaseMessage[]): Promise<void> {
    return this.#list.add(mapChatMessagesToStoredMessages(messages))
  }

  override clear(): Promise<void> {
    return this.#list.rewrite(() => [])
  }
}
