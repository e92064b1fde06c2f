import { HistoryError } from '../message/issue.js'
import { wellFormed } from '../message/text.js'
import type { Counter } from './counter.js'
import { estimator } from './estimate.js'
import { type Family, isFamily } from './family.js'
import { findModel, type ModelRow } from './models.js'

/** The tokenizer's own count where its tables can be had (o200k, cl100k), else the estimate. `exact` says which. */
export async function loadCounter(modelOrFamily: string): Promise<Counter> {
  const { family, scale } = isFamily(modelOrFamily) ? { family: modelOrFamily, scale: 1 } : findModel(modelOrFamily)
  return (await tableOf(family)) ?? estimator(family, scale)
}

/** The tokenizer's own count for a model, its tables loaded once; undefined where they cannot be had. */
export async function knownCounter(model: string, models?: readonly ModelRow[]): Promise<Counter | undefined> {
  return tableOf(findModel(model, models).family)
}

const tables = new Map<Family, Promise<Counter | undefined>>()

function tableOf(family: Family): Promise<Counter | undefined> {
  const known = tables.get(family)
  if (known) return known
  const loading = import('./table.js')
    .then(({ load }) => load(family))
    .then(
      (count): Counter | undefined =>
        count && { name: `${family}_base`, exact: true, count: (text) => count(wellFormed(text)) },
    )
    .catch(() => undefined)
  tables.set(family, loading)
  return loading
}

/** The tokenizer's own count. Throws a `HistoryError` where no tables can be had. */
export async function exactCounter(modelOrFamily: string): Promise<Counter> {
  const counter = await loadCounter(modelOrFamily)
  if (counter.exact) return counter
  const message = `there is no exact counter for '${modelOrFamily}': its tokenizer is not public, or its tables could not be loaded`
  const suggestion = 'counters.best takes the exact count where there is one and an estimate elsewhere'
  throw new HistoryError('counter.inexact', [
    { code: 'counter.inexact', field: 'model', value: modelOrFamily, message, suggestion },
  ])
}
