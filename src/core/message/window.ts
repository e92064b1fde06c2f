/** What the model gets, before it takes a provider's form. */
import type { Item } from './item.js'
import type { ProfileName } from './target.js'

/** What a model is about to see, before it is written for a provider: see `render`. */
export interface Window {
  /** In order; marks stand where something is missing; the current message, if any, is last. */
  readonly items: readonly Item[]
  /** The last item is the current message, not history. */
  readonly hasCurrent: boolean
  readonly system?: string
  /** Tool schemas in the provider's own form, passed through and counted. */
  readonly tools?: readonly unknown[]
  /** The model it is for: reasoning is replayed only to the model that wrote it. */
  readonly model?: string
  /** The server it goes to, where its rules are not the target's own; the model's name tells most of them. */
  readonly profile?: ProfileName
  /** The account it is sent from, hashed; left out when that is not known. */
  readonly issuer?: string
  /** Whether the request asks for thinking; left out when that is not known. */
  readonly thinking?: boolean
  /** Nothing of the history is missing or changed. */
  readonly whole?: boolean
  readonly style: Style
}

/** The policy's say in how a window is written down. */
export interface Style {
  /** Reasoning of other models: left out, or shown as text. */
  readonly think: 'drop' | 'text'
  /** The numbered section: with emojis as specification 0 prints it, or plain. */
  readonly section: 'emoji' | 'plain'
  /** Escape what could forge structure. Off only to reproduce the literal texts of the specifications. */
  readonly escape: boolean
  /** The numbered section names a speaker who is none of its three as they are, not `System`. */
  readonly names?: true
}
