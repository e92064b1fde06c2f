import { charsPer4 } from './charsPer4.js'
import type { Counter } from './counter.js'
import { estimator } from './estimate.js'
import { exactCounter, loadCounter } from './exact.js'
import { families } from './family.js'
import { findModel } from './models.js'

/**
 * Every way to count tokens.
 *
 * @example
 * ```ts
 * const counter = await counters.best('gpt-4o')
 * const made = assemble(messages, 'balanced', { model: 'gpt-4o', counter })
 * ```
 */
export const counters = {
  /** The estimate of a family; it errs on the high side. */
  estimate: estimator,
  /** The tokenizer's own count; rejects for a model whose tokenizer is not public. */
  exact: exactCounter,
  /** The tokenizer's own count where its tables can be had, the estimate elsewhere. */
  best: loadCounter,
  /** A quarter of the characters, as specification 4 counts. */
  charsPer4,
  /** The estimate for a model, at once and without loading tables. */
  forModel: (id: string): Counter => {
    const { family, scale } = findModel(id)
    return estimator(family, scale)
  },
  /** The names that a receipt can show. */
  all: ['o200k_base', 'cl100k_base', charsPer4.name, ...families.map((family) => estimator(family).name)],
} as const
