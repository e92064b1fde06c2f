/** What every written request shares. */

import type { Window } from '../message/window.js'
import type { Mended } from '../window/mend/mend.js'

export type Json = Readonly<Record<string, unknown>>

export interface Tools {
  readonly tools?: readonly unknown[]
}

export const toolsOf = (window: Window): Tools =>
  window.tools && window.tools.length > 0 ? { tools: window.tools } : {}

/** The system channel as one text. */
export const systemOf = (mended: Mended): string | undefined =>
  mended.system.length > 0 ? mended.system.join('\n\n') : undefined
