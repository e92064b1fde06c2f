/** A dialect as the forwarder sees it. */
import type { WireName } from '../../models/wire/wires.js'

/** A request as it came, read but not checked: that is for its provider. */
export type Asked = Readonly<Record<string, unknown>>

export interface Door {
  readonly wire: Exclude<WireName, 'ollama'>
  /** The model it asks for, by the body or the path. */
  readonly model: (asked: Asked, params: Readonly<Record<string, string>>) => unknown
  /** Behind the provider's base URL. */
  readonly path: (model: string, params: Readonly<Record<string, string>>) => string
  /** It needs something that only this service has. */
  readonly isOurs: (asked: Asked) => boolean
  /** With what only this service can read taken apart; the same when there is none. */
  readonly opened?: (asked: Asked) => Asked
  /** The answer that it goes on from, where it names one: what was kept here can only go on here. */
  readonly previous?: (asked: Asked) => unknown
  /** Asks for a number or a shorter history, and not for an answer. */
  readonly isCount: (params: Readonly<Record<string, string>>) => boolean
  readonly isStream: (asked: Asked, params: Readonly<Record<string, string>>) => boolean
  /** The client's history, oldest first. */
  readonly history: (asked: Asked) => readonly unknown[]
  /** What was answered to it, as it will stand in the next history. */
  readonly answered: (messages: readonly unknown[], asked: Asked) => readonly unknown[]
  /** What the operator of the client says to the model. */
  readonly system: (asked: Asked) => unknown
}
