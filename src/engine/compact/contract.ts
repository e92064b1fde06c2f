/** A summary is an entry of the log: it stands for what it covers, which stays. */

/** What was said, as a summariser reads it. */
export interface Said {
  /** The entry it stands in. */
  readonly id: string
  readonly voice: 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly at: string
}

export const sections = ['request', 'decision', 'fact', 'open', 'exact'] as const
export type Section = (typeof sections)[number]

/** One statement of a summary, and the entries it rests on. */
export interface Statement {
  readonly section: Section
  readonly text: string
  readonly sources: readonly string[]
}

export interface Brief {
  /** What the summary before this one said; it is folded into the new one. */
  readonly previous: readonly Statement[]
  /** Said since then, oldest first. */
  readonly said: readonly Said[]
  /** Words the summary may have. */
  readonly words: number
}

/** Makes statements of what was said. It may fail: then nothing changes. */
export interface Summariser {
  /** Who wrote it: a model's id, or `extractive`. */
  readonly author: string
  summarise(brief: Brief, signal: AbortSignal): Promise<readonly Statement[]>
}

/** Why there is no summary; stable. */
export type Cause =
  /** The summariser threw or took too long. */
  | 'summary_failed'
  /** It said nothing, or what it said is the text of an error. */
  | 'summary_empty'
  /** With what must not vanish it is no smaller than what it stands for. */
  | 'summary_too_large'
  /** Someone else covered the same entries, or the branch went elsewhere. */
  | 'summary_overtaken'

export type Compacted =
  | { readonly state: 'unneeded' }
  | { readonly state: 'refused'; readonly cause: Cause; readonly attempts: number }
  | {
      readonly state: 'done'
      /** The summary's entry. */
      readonly entry: string
      readonly until: string
      /** Entries it stands for. */
      readonly covers: number
      readonly tokens: readonly [before: number, after: number]
      /** Specifics that the summariser had left out and that were added to the letter. */
      readonly added: number
      readonly attempts: number
    }
