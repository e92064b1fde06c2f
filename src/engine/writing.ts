/** What entries are written with: ids, time, and the measure of their tokens. */
import { estimator } from '../core/count/estimate.js'
import { findModel } from '../core/count/models.js'
import { messageOverhead } from '../core/count/size.js'
import type { Scale } from '../core/size.js'
import type { Env, Writing } from './entries.js'

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
    model,
    sizes: new WeakMap(),
    style: { think: 'drop', section: 'plain', escape: true },
    overhead: messageOverhead(facts.family),
  }
}
