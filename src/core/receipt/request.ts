/** One request in numbers. Every surface prints these and no others. */
import type { Fate } from './receipt.js'

/** What the tokens of a request are spent on; together they are all of it. */
export interface RequestParts {
  readonly system: number
  readonly tools: number
  /** What the provider adds around the request, and cues that make the order of roles legal. */
  readonly frame: number
  /** Messages of the history, as far as they are sent where they were said. */
  readonly history: number
  readonly summary: number
  /** Earlier messages and memories that are quoted before the message to answer. */
  readonly recall: number
  /** Words that say where messages are missing. */
  readonly markers: number
  /** The message to answer, when it is not part of the history. */
  readonly current: number
}

/** Tokens of the whole request beside its limits. */
export interface RequestNumbers {
  /** Tokens that the model takes, its answer included; null when no model is named. */
  readonly window: number | null
  /** Tokens that the request may have, system prompt and tools included; null without a limit. */
  readonly budget: number | null
  /** Tokens that it has: the sum of `parts`. */
  readonly used: number
  readonly free: number | null
  readonly parts: RequestParts
  /** Messages that are sent in any form, of those there are; the message to answer is one. */
  readonly messages: { readonly sent: number; readonly of: number }
  /** Tokens of messages, sent and whole; null where not all were counted, estimated where not all were looked at. */
  readonly tokens: { readonly sent: number; readonly of: number | null; readonly estimated?: true }
  /** Each message of the history that is sent in any form: where it stands, its tokens sent and whole. */
  readonly each: readonly EachMessage[]
}

export type EachMessage = readonly [index: number, sent: number, whole: number]

/** The message is in the request, if not as it was said. */
export const isSentAs = (fate: Fate): boolean => fate !== 'dropped' && fate !== 'summarised'

export const usedOf = (parts: RequestParts): number => Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)
