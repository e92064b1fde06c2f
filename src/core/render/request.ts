/** What every written request shares. */

import type { Window } from '../message/window.js'
import type { Mended } from '../window/mend/mend.js'

/** The tools as they were given. Lists in a request are the caller's own to change: the SDKs take no readonly ones. */
export interface Tools<Tool = unknown> {
  readonly tools?: Tool[]
}

export const toolsOf = (window: Window): Tools =>
  window.tools && window.tools.length > 0 ? { tools: [...window.tools] } : {}

/** The system channel as one text. */
export const systemOf = (mended: Mended): string | undefined =>
  mended.system.length > 0 ? mended.system.join('\n\n') : undefined
