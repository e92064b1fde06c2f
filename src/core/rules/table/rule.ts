/** A written-down rule, and how a judge says that it is broken. */
import type { ProfileName } from '../../message/target.js'

/** A rule of a provider, written down with where it comes from. */
export interface Rule {
  /** Stable id, as it appears in a violation. */
  readonly rule: string
  /** The condition, in one sentence. */
  readonly says: string
  /** The part of the provider's own refusal that stays the same; paths, ids and numbers vary. */
  readonly wording?: string
  /** The row of `docs/rules.md`, for rules that were collected from refusals people got. */
  readonly code?: string
  /** The models or settings it holds for; all when it is left out. */
  readonly models?: string
  /** The servers it holds for, where they are not the target's own. */
  readonly profiles?: readonly ProfileName[]
  /**
   * What breaks it: what was said before (`history`, the default) or how the answer is asked for (`settings`). A
   * `loss` is no refusal: the provider takes the request and silently leaves something out.
   */
  readonly kind?: 'history' | 'settings' | 'loss'
  /** What a window does about it, or what the caller can. */
  readonly repair?: string
  /** Threads and pages, as `owner/repo#number` or an address. */
  readonly source?: readonly string[]
}

export type NameOf<Rules extends readonly Rule[]> = Rules[number]['rule']

/** A judge can only name rules that are in its list. */
export type Report<Name extends string> = (rule: Name, path: string, message: string) => void

/** A value of the request inside a message: quoted, short, and always well formed. */
export const quote = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 79)}…` : value)
