/** What a provider counted corrects what we count: a scale for each model, from its newest answers. */
import type { Model } from './wire/contract.js'

/** So many of the newest answers count; fewer than that say nothing yet. */
const newest = 8
const fewest = 3
/** It moves in steps, since each of them changes every window of the model; and no further than that. */
const step = 0.05
const bounds = { least: 0.5, most: 2 }

/** `ratios`: the provider's count over what we count without a correction, the newest last. */
export function scaled(model: Model, ratios: number[]): Model {
  const factor = factorOf(ratios)
  return {
    ...model,
    facts: { ...model.facts, scale: model.facts.scale * factor },
    learn(drift) {
      ratios.push(drift * factor)
      ratios.splice(0, ratios.length - newest)
    },
  }
}

/** As much as the most of them: a count must not be too low. */
function factorOf(ratios: readonly number[]): number {
  if (ratios.length < fewest) return 1
  const most = Math.ceil(Math.max(...ratios) / step - 0.01) * step
  return Number(Math.min(bounds.most, Math.max(bounds.least, most)).toFixed(2))
}
