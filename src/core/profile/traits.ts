/** What a target asks of its messages, and what a profile asks beyond it. */
import type { Target } from '../message/target.js'

export interface Traits {
  /** A provider's list of messages, with a provider's rules; the others are plain text. */
  readonly chat: boolean
  /** The first message is a user's, and neighbours of one role are one message. */
  readonly alternates: boolean
  /**
   * Where a system item goes: `inside` keeps its place, `channel` is the request's own field or leading messages,
   * `first` is one leading message, `user` is the text of the first user message.
   */
  readonly system: 'inside' | 'channel' | 'first' | 'user'
  /** The role of a mark that came with role system or user. */
  readonly markRole: 'system' | 'assistant'
  /** The form of call ids. */
  readonly callId: 'any' | 'nine'
  /** Calls as the provider's own, or told as text. */
  readonly calls: 'own' | 'text'
  /** Most calls in one message. */
  readonly callsAtOnce: number
  /** Assistant messages that must carry `reasoning_content`. */
  readonly reasoning: 'none' | 'calls' | 'all'
  /** Reasoning items that a Responses server takes back. */
  readonly thoughts: boolean
  /** An assistant message stands between a tool's result and the user. */
  readonly bridge: boolean
  /** The output of a call comes right behind it. */
  readonly adjacent: boolean
  /** Calls in the history need a definition in `tools`. */
  readonly definitions: boolean
  /** A document has a text beside it. */
  readonly captions: boolean
  /** Some message is a user's. */
  readonly user: boolean
  /** Most messages of a request. */
  readonly messages: number
  readonly images: ImageLimits
}

export interface ImageLimits {
  readonly types: readonly string[]
  /** Images and documents together. */
  readonly count: number
  /** Characters of base64. */
  readonly bytes: number
  /** Pixels of the longer side. */
  readonly side: number
  /** With more than `many` images none may have a side over `manySide`. */
  readonly many: number
  readonly manySide: number
  /** Characters of base64 in the whole request. */
  readonly total: number
}

const most = Number.POSITIVE_INFINITY
const common = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

const anyImage: ImageLimits = {
  types: common,
  count: most,
  bytes: most,
  side: most,
  many: most,
  manySide: most,
  total: most,
}

const chat: Traits = {
  chat: true,
  alternates: false,
  system: 'channel',
  markRole: 'assistant',
  callId: 'any',
  calls: 'own',
  callsAtOnce: most,
  reasoning: 'none',
  thoughts: true,
  bridge: false,
  adjacent: false,
  definitions: false,
  captions: false,
  user: false,
  messages: most,
  images: anyImage,
}

const plain: Traits = { ...chat, chat: false, system: 'inside', markRole: 'system', images: { ...anyImage, types: [] } }

/** 5 MB of base64 text an image, 32 MB a request; some room is left for the rest of the body. */
const anthropicImages: ImageLimits = {
  types: common,
  count: 100,
  bytes: 5_242_880,
  side: 8_000,
  many: 20,
  manySide: 2_000,
  total: 28_000_000,
}

const googleImages: ImageLimits = {
  ...anyImage,
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'],
  count: 3_000,
  bytes: 9_786_708,
  total: 18_000_000,
}

export const traits: Readonly<Record<Target, Traits>> = {
  'openai-chat': { ...chat, system: 'inside', markRole: 'system', callsAtOnce: 128, messages: 2_048 },
  'openai-responses': { ...chat, markRole: 'system' },
  anthropic: { ...chat, alternates: true, images: anthropicImages },
  google: { ...chat, alternates: true, images: googleImages },
  'ai-sdk': chat,
  messages: plain,
  'text-tagged': { ...plain, system: 'channel' },
  'text-numbered': plain,
}
