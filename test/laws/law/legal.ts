/** The request is one that its provider takes. */

import { isBlank } from '../../../src/core/message/text.js'
import { closingCue, openingCue } from '../../../src/core/window/mend/order.js'
import { check } from '../../../src/index.js'
import { pieces } from '../trial.js'
import type { Law } from './read.js'

/** P-07 */
export const legal: Law = (trial) => {
  const { target, result } = trial
  const said = pieces(trial).filter((piece) => piece.at >= 0)
  // without a history and a current message a section of text is no section
  if (!provider.test(target) && said.length === 0 && result.items.every((item) => isBlank(item.text))) return []
  if (provider.test(target) && said.every((piece) => cues.has(piece.text))) return ['nothing but cues']
  return check(target, result.rendered, { losses: true }).map(
    ({ rule, path, message }) => `${rule} at ${path}: ${message}`,
  )
}

const provider = /^(?:openai-chat|openai-responses|anthropic|google|ai-sdk)$/
const cues = new Set([openingCue, closingCue])
