/** What a target asks of the order and roles of its messages. */
import type { Target } from '../../message/target.js'

export interface Traits {
  /** A provider's list of messages, with a provider's rules; the others are plain text. */
  readonly chat: boolean
  /** The first message is a user's, and neighbours of one role are one message. */
  readonly alternates: boolean
  /** System items keep their place; elsewhere they move to the system channel. */
  readonly systemInside: boolean
  /** The role of a mark that came with role system or user. */
  readonly markRole: 'system' | 'assistant'
}

export const traits: Readonly<Record<Target, Traits>> = {
  'openai-chat': { chat: true, alternates: false, systemInside: true, markRole: 'system' },
  'openai-responses': { chat: true, alternates: false, systemInside: false, markRole: 'system' },
  anthropic: { chat: true, alternates: true, systemInside: false, markRole: 'assistant' },
  google: { chat: true, alternates: true, systemInside: false, markRole: 'assistant' },
  'ai-sdk': { chat: true, alternates: false, systemInside: false, markRole: 'assistant' },
  messages: { chat: false, alternates: false, systemInside: true, markRole: 'system' },
  'text-tagged': { chat: false, alternates: false, systemInside: false, markRole: 'system' },
  'text-numbered': { chat: false, alternates: false, systemInside: true, markRole: 'system' },
}
