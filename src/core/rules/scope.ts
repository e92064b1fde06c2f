/** What a judge knows beside the request: whose rules hold, and what the provider has issued before. */
import type { ProfileName, Target } from '../message/target.js'
import { type Claude, claudeOf } from '../profile/claude.js'
import { profilesOf, traitsOf } from '../profile/profiles.js'
import type { Traits } from '../profile/traits.js'
import type { Json } from './json.js'
import { isFields } from './shape.js'

/** What `check` cannot read from the request itself. */
export interface CheckContext {
  /** The model it is for, where the request does not name it. */
  readonly model?: string
  /** Where it is sent: some servers have rules of their own. */
  readonly baseUrl?: string
  readonly profile?: ProfileName
  /** What the provider issued with a signature or as sealed text; nothing for what it never did. */
  readonly issued?: (proof: string) => Issued | undefined
  /** The request before this one, for what is lost when it changes. */
  readonly before?: unknown
  /** Tell also what is taken, but silently left out. */
  readonly losses?: boolean
}

/** What is known of reasoning that a provider gave out. */
export interface Issued {
  readonly text?: string
  /** The hash of everything before it, as `prefixHash` takes it. */
  readonly prefix?: string
  readonly model?: string
}

export interface Scope {
  readonly model: string | undefined
  readonly claude: Claude | undefined
  readonly profiles: readonly ProfileName[]
  readonly traits: Traits
  readonly issued: CheckContext['issued']
  readonly before: Json | undefined
}

export function scopeOf(target: Target, request: Json, context: CheckContext, before: Json | undefined): Scope {
  const named = isFields(request) && typeof request.model === 'string' ? request.model : undefined
  const model = context.model ?? named
  const place = { model, baseUrl: context.baseUrl, profile: context.profile }
  return {
    model,
    claude: claudeOf(model),
    profiles: profilesOf(target, place),
    traits: traitsOf(target, place),
    issued: context.issued,
    before,
  }
}
