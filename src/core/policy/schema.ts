/** A policy is plain data that says how a path becomes a window. The order of the stages is law, not policy. */
import type { Target } from '../message/target.js'
import type { Style } from '../message/window.js'

/** How a text over a limit is cut, in code points. */
export interface Cut {
  /** A text of more code points than this is cut. */
  readonly over: number
  /** Code points kept from the beginning. */
  readonly head: number
  /** Code points kept from the end. */
  readonly tail: number
  /** Goes between them; `{original}` and `{omitted}` become numbers, `{expand}` says how to get the whole. */
  readonly mark: string
}

/** Which messages of a history are taken in. */
export interface IntakePolicy {
  /** A malformed message is an error, or is left out and costs no place. */
  readonly invalid: 'reject' | 'drop'
  /** Who may speak. */
  readonly roles: readonly ('user' | 'assistant' | 'orchestrator' | 'system' | 'tool')[]
  /** Role names must match exactly, or after trimming and lower-casing. */
  readonly role: 'exact' | 'loose'
  /** Content may be anything a known dialect allows, must be a string, or is made one. */
  readonly content: 'any' | 'string' | 'coerce'
  /** Trim the text of each message. */
  readonly trim: boolean
  /** Messages without words are kept or dropped. */
  readonly empty: 'keep' | 'drop'
  /** Timestamps are kept as given, filled when missing, or filled and repaired with a warning. */
  readonly time: 'keep' | 'fill' | 'repair'
  /** A text over this many code points is refused. */
  readonly hard: { readonly user: number; readonly assistant: number } | null
  /** Only this many newest messages are looked at; the rest are dropped unseen. */
  readonly last: number | null
  /** Warn from this many messages on. */
  readonly warnAt: number | null
  /** A system message in the history is refused, dropped with a warning, kept while it leads, or, while it leads, the system prompt. */
  readonly system: 'refuse' | 'drop' | 'lead' | 'prompt'
  /** Whose words errors and warnings use: ours, or those of specification 0 or 2. */
  readonly voice: 'plain' | 's0' | 's2'
}

/** How tool traffic appears. */
export interface FoldPolicy {
  /** As it is; inside the assistant's text; quoted in part, but only when not everything fits; or not at all. */
  readonly tools: 'keep' | 'inline' | 'abbreviate' | 'drop'
  /** How a tool result is cut when it is inlined or abbreviated. */
  readonly result: Cut
}

/** How long a single message may be. */
export interface ClipPolicy {
  /** These limits always hold, or only for old messages when not everything fits. */
  readonly when: 'always' | 'pressure'
  /** For what the user said; null: no limit. */
  readonly user: Cut | null
  /** For what the assistant said; null: no limit. */
  readonly assistant: Cut | null
  /** For the results of calls that were kept; null: no limit. */
  readonly tool: Cut | null
  /** Cut between graphemes, not only between code points. */
  readonly graphemes: boolean
  /** The newest user message is exempt. */
  readonly newestWhole: boolean
}

/** How the reader is told that messages are missing. */
export interface GapPolicy {
  /** Not at all, in front of the next message, or as a message of its own. */
  readonly form: 'none' | 'prefix' | 'message'
  /** Who says it, when it is a message of its own. */
  readonly role: 'system' | 'assistant'
  /** `{n}` becomes the number of messages left out there. */
  readonly text: string
  /** Its cost is set aside first; or it is added only if there is room; or added whatever it costs. */
  readonly reserve: 'first' | 'if-room' | 'never'
  /** Shown whenever the history is over the limit, even if nothing could be left out. */
  readonly always: boolean
}

/** How a summary takes the place of the beginning. */
export interface SummaryPolicy {
  /** Its first line; `{n}` becomes the number of messages it covers. */
  readonly text: string
  /** It may take this share of each limit; with 0 no summary is used. */
  readonly share: number
  /** A new one is written when this share of the budget is missing from the window; 0: only when asked for. */
  readonly due: number
}

/** How much of the window belongs to earlier messages that matter now, and where they are looked for. */
export interface RecallPolicy {
  /** Share of the tokens that the newest turns leave to what is recalled when a message asks about the past; 0 is off. */
  readonly share: number
  /** The share while the talk goes on: it stays the same, so that the prefix does. */
  readonly usual: number
  /** More tokens than this are never left to it. */
  readonly most: number | null
  /** Where to look: here; also at what is known, the memories; also at the workspace's other conversations. */
  readonly from: 'conversation' | 'memories' | 'workspace'
  /** The line before what is quoted. */
  readonly text: string
}

/** How much of the history a window holds. */
export interface FitPolicy {
  /** Single messages may be left out, or only whole turns. */
  readonly grain: 'message' | 'turn'
  /** Messages of the history; the current message does not count. */
  readonly messages: number | null
  /** Turns of the history; the current message does not count. */
  readonly turns: number | null
  /** Code points of the history; the current message does not count. */
  readonly chars: number | null
  /** Bytes of the history and the current message. */
  readonly bytes: number | null
  /** Tokens: a number, or `model` for the model's window. The `budget` of a call takes its place. */
  readonly tokens: number | 'model' | null
  /** Tokens limit the history alone, and the message to answer comes on top as far as the model has room; or the whole request, and the reserves are taken off first. */
  readonly covers: 'history' | 'request'
  /** Tokens kept free for the system prompt, the tools and the answer. What a call brings is counted and takes their place. */
  readonly reserve: { readonly system: number; readonly tools: number; readonly response: number }
  /** What a character limit counts: the text, or the whole record as specification 2 measures it. */
  readonly measure: 'text' | 'record'
  /** This many first messages stay, each in at most this share of the tokens; those that people pinned share as much. */
  readonly pin: { readonly first: number; readonly of: 'any' | 'user'; readonly share: number }
  /** This many newest messages stay whatever the limits say. */
  readonly floor: number
  /** Share of the token budget that is freed at once when the history overflows. */
  readonly step: number
  /** The history may begin with anyone, or must begin with a user. Needs grain "turn". */
  readonly lead: 'any' | 'user'
  /** What becomes of a newest message that is alone over the limit. */
  readonly oversize: 'refuse' | 'clip' | 'keep'
  /** How the reader is told that messages are missing. */
  readonly gap: GapPolicy
  /** How a summary takes the place of the beginning. */
  readonly summary: SummaryPolicy
}

/** How a window is written down. */
export interface RenderPolicy<T extends Target = Target> extends Omit<Style, 'names'> {
  /** The form, when a call names no target. */
  readonly target: T
}

/** Plain data that says how a path becomes a window: one field per stage, in the order of the pipeline. */
export interface Policy<T extends Target = Target> {
  readonly name: string
  /** What it does, in a sentence. */
  readonly says: string
  readonly intake: IntakePolicy
  readonly fold: FoldPolicy
  readonly clip: ClipPolicy
  readonly fit: FitPolicy
  /** `auto` takes the counter of the model's family. */
  readonly counter: 'auto' | 'chars/4'
  /** What happens to what does not fit. `summarize` needs a summariser and falls back with a warning. */
  readonly strategy: 'truncate' | 'summarize'
  readonly recall: RecallPolicy
  readonly render: RenderPolicy<T>
}

/**
 * Changes to a policy: any field at any depth; lists are replaced.
 *
 * @example
 * ```ts
 * const overrides: Overrides = { fit: { tokens: 4_000 }, recall: { share: 0 } }
 * ```
 */
export type Overrides = { readonly [K in keyof Policy]?: Changes<Policy[K]> }

type Changes<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: Changes<T[K]> } : T
