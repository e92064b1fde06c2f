/** Plain messages: a role and a text each. */
import type { Role } from '../message/item.js'
import type { Window } from '../message/window.js'
import type { Mended } from '../window/mend/mend.js'
import { plainText } from '../window/mend/plain.js'
import { systemOf, type Tools, toolsOf } from './request.js'

export interface PlainMessage {
  readonly role: Role
  readonly content: string
}

/** Plain messages, for models that take nothing but text. */
export interface MessagesRequest<Tool = unknown> extends Tools<Tool> {
  readonly system?: string
  readonly messages: PlainMessage[]
}

export function writeMessages(mended: Mended, window: Window): MessagesRequest {
  const system = systemOf(mended)
  const messages = mended.items.map((item) => ({ role: item.role, content: plainText(item, window.style.think) }))
  return { ...(system && { system }), messages, ...toolsOf(window) }
}
