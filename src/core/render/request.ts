/** What every written request shares. */
import type { Mended } from '../mend/mend.js'
import type { Window } from '../window.js'

export type Json = Readonly<Record<string, unknown>>

export interface Tools {
  readonly tools?: readonly unknown[]
}

export const toolsOf = (window: Window): Tools =>
  window.tools && window.tools.length > 0 ? { tools: window.tools } : {}

/** The system channel as one text. */
export const systemOf = (mended: Mended): string | undefined =>
  mended.system.length > 0 ? mended.system.join('\n\n') : undefined
