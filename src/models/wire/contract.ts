/** What a model is to the rest of the house: something that turns a window into a stream of parts. */

import type { ThinkPart } from '../../core/message/item.js'
import type { ProfileName, Target } from '../../core/message/target.js'
import type { Window } from '../../core/message/window.js'
import type { ModelFacts } from '../../core/tokens/models.js'
import type { WindowItem } from '../../core/window/assemble.js'
import type { FindUpstream } from './upstream.js'

/** A model that can be asked: `openModels` finds one, `modelFrom` makes one of an AI SDK model. */
export interface Model {
  /** `provider/name`, as in `anthropic/claude-sonnet-4-5`. */
  readonly id: string
  readonly label: string
  /** `builtin`: no AI at all; `local`: on this machine; `hosted`: someone else's, and it may cost. */
  readonly kind: 'builtin' | 'local' | 'hosted'
  readonly facts: ModelFacts
  /** Whose rules the request must satisfy. */
  readonly target: Target
  /** The server's own rules beyond those of the target, where the model's name does not tell them. */
  readonly profile?: ProfileName
  /** A hash of the account: what a provider seals for one account no other can read. */
  readonly issuer?: string
  /**
   * Ends after `finish`; a stream that just stops is a broken one, and throws `ModelError` like every other fault.
   * When the signal is aborted it throws the signal's reason, and the provider's traffic stops with it.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Takes in the provider's count of a request over ours; windows that are made later count by it. */
  learn?(drift: number): void
  /** The body that `stream` sends, to the byte; left out where nothing is sent. */
  write?(request: ModelRequest): Promise<string>
}

/** A window, and what the model may do with it. */
export interface ModelRequest {
  readonly window: Window
  /** The same window, with where each item came from; the last one is the message to answer. */
  readonly items: readonly WindowItem[]
  readonly system?: string
  /** JSON Schema tools: `{ name, description, parameters }`. */
  readonly tools?: readonly ModelTool[]
  /** Most tokens of the answer. */
  readonly output?: number
  readonly temperature?: number
  readonly settings?: ModelSettings
  /** The same for all requests of a conversation: a provider that shares its cache by it finds what it has. */
  readonly cacheKey?: string
  readonly signal: AbortSignal
}

export const efforts = ['low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** How the answer is made, where the provider can be told. */
export interface ModelSettings {
  readonly topP?: number
  readonly seed?: number
  /** Words that end the answer. */
  readonly stop?: readonly string[]
  /** Whether tools are called: as the model likes, never, always, or one by its name. */
  readonly choice?: 'auto' | 'none' | 'required' | { readonly tool: string }
  /** Tokens that may be thought before the answer, where the model thinks. */
  readonly thinking?: number
  /** How hard to think, where `thinking` does not say it in tokens. */
  readonly effort?: Effort
  /** The client's own key, in place of the conversation's. */
  readonly cacheKey?: string
  /** The answer is JSON, of the schema if there is one. */
  readonly json?: { readonly name?: string; readonly schema?: Readonly<Record<string, unknown>> }
}

/** A tool as a model is told of it. */
export interface ModelTool {
  readonly name: string
  readonly description?: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What a model says, piece by piece. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'think'; readonly text: string }
  /** The reasoning that was streamed, whole and with the provider's proof. */
  | { readonly type: 'thought'; readonly part: ThinkPart }
  | { readonly type: 'call-start'; readonly id: string; readonly name: string }
  | { readonly type: 'call-delta'; readonly id: string; readonly json: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  /** These words of the answer are a message's own, to the letter; `entry` is its id. */
  | { readonly type: 'quote'; readonly entry: string; readonly text: string }
  /** The request did not go through and is made again after a wait; `attempt` is the one that failed, from 1. */
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly code: ModelErrorCode }
  | {
      readonly type: 'finish'
      readonly reason: FinishReason
      readonly usage: Usage | null
      /** The text of `settings.stop` that ended it, where the provider says so. */
      readonly stop?: string
      readonly notes?: readonly string[]
    }

/** Why a model stopped. */
export type FinishReason = 'stop' | 'length' | 'calls' | 'filter' | 'other'

/** As the provider counted. */
export interface Usage {
  readonly input: number
  readonly output: number
  /** Input tokens read from the provider's cache, and those written to it. */
  readonly cached?: number
  readonly written?: number
  readonly thinking?: number
}

/** What went wrong at a provider, in words that are the same for all of them. */
export type ModelErrorCode =
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'overflow'
  | 'unauthorized'
  | 'refused'
  | 'unreachable'
  | 'cut'
  | 'garbled'
  | 'silent'
  | 'too_long'
  | 'unknown_model'

const brand = Symbol.for('throughline.model-error')

/** A provider's fault, in our words: its own text never becomes a message. */
export class ModelError extends Error {
  readonly code: ModelErrorCode
  readonly status: number | null
  /** What the provider asked for, in milliseconds. */
  readonly retryAfterMs: number | null
  readonly [brand] = true

  constructor(
    code: ModelErrorCode,
    message: string,
    more: { readonly status?: number; readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'ModelError'
    this.code = code
    this.status = more.status ?? null
    this.retryAfterMs = more.retryAfterMs ?? null
  }

  static is(value: unknown): value is ModelError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** The models that can be asked, and which one answers when none is named. */
export interface Models {
  readonly usual: string
  list(): Promise<readonly ModelListing[]>
  /** Throws `ModelError` `unknown_model`, naming those there are. */
  find(id?: string): Promise<Model>
  /** Who takes a request for the model in these words, as it came; left out, nobody does. */
  readonly upstream?: FindUpstream
  /** Stands in the header `x-throughline-hop` of every request to a provider. */
  readonly hop?: string
}

export interface ModelListing {
  readonly id: string
  readonly label: string
  readonly kind: Model['kind']
  readonly window: number
  readonly ready: boolean
  /** Why it is not ready, or what it costs. */
  readonly note?: string
}
