/** What entries are written with: ids, time, and the measure of their tokens. */

import { traits } from '../core/profile/traits.js'
import type { Scale } from '../core/render/size.js'
import { estimator } from '../core/tokens/estimate.js'
import { findModel } from '../core/tokens/models.js'
import { messageOverhead } from '../core/tokens/size.js'
import type { Env, Writing } from './window/entries.js'

export const envOf = (given: Partial<Env> = {}): Env => ({
  id: given.id ?? (() => crypto.randomUUID()),
  now: given.now ?? (() => new Date().toISOString()),
})

/** Tokens are counted for a model, or for the one that most resembles all. */
export const writingOf = (env: Env, model?: string): Writing => ({ env, scale: scaleOf(model) })

function scaleOf(model: string | undefined): Scale {
  const facts = findModel(model ?? 'gpt-4o')
  return {
    counter: estimator(facts.family, facts.scale),
    family: facts.family,
    target: 'openai-chat',
    traits: traits['openai-chat'],
    model,
    sizes: new WeakMap(),
    style: { think: 'drop', section: 'plain', escape: true },
    overhead: messageOverhead(facts.family),
  }
}
