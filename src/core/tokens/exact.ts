import { wellFormed } from '../message/text.js'
import type { Counter } from './counter.js'
import { estimator } from './estimate.js'
import { isFamily } from './family.js'
import { findModel } from './models.js'

/** The tokenizer's own count where its tables can be had (o200k, cl100k), else the estimate. */
export async function loadCounter(modelOrFamily: string): Promise<Counter> {
  const { family, scale } = isFamily(modelOrFamily) ? { family: modelOrFamily, scale: 1 } : findModel(modelOrFamily)
  const count = await import('./table.js').then(({ load }) => load(family)).catch(() => undefined)
  if (!count) return estimator(family, scale)
  return { name: `${family}_base`, exact: true, count: (text) => count(wellFormed(text)) }
}
