import { charsPer4 } from './charsPer4.js'
import type { Counter } from './counter.js'
import { estimator } from './estimate.js'
import { loadCounter } from './exact.js'
import { families } from './family.js'
import { findModel } from './models.js'

/** Every way to count. */
export const counters = {
  estimate: estimator,
  exact: loadCounter,
  charsPer4,
  /** The estimate for a model, at once and without loading tables. */
  forModel: (id: string): Counter => {
    const { family, scale } = findModel(id)
    return estimator(family, scale)
  },
  /** The names that a receipt can show. */
  all: ['o200k_base', 'cl100k_base', charsPer4.name, ...families.map((family) => estimator(family).name)],
} as const
