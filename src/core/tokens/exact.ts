import { HistoryError } from '../message/issue.js'
import type { Counter } from './counter.js'
import { estimator } from './estimate.js'
import { type Family, isFamily } from './family.js'
import { findModel, type ModelRow } from './models.js'

/** The tokenizer's own count where its tables can be had (o200k, cl100k), else the nearest one's times a factor, else the estimate. `exact` says which. */
export async function loadCounter(modelOrFamily: string): Promise<Counter> {
  const { family, scale } = isFamily(modelOrFamily) ? { family: modelOrFamily, scale: 1 } : findModel(modelOrFamily)
  return (await tableOf(family, scale)) ?? estimator(family, scale)
}

/** The count by a table for a model, its own or the nearest, loaded once; undefined where there is none. */
export async function knownCounter(model: string, models?: readonly ModelRow[]): Promise<Counter | undefined> {
  const { family, scale } = findModel(model, models)
  return tableOf(family, scale)
}

const tables = new Map<string, Promise<Counter | undefined>>()

function tableOf(family: Family, scale: number): Promise<Counter | undefined> {
  const key = `${family} ${scale}`
  const known = tables.get(key)
  if (known) return known
  const loading = import('./table.js').then(({ load }) => load(family, scale)).catch(() => void tables.delete(key))
  if (tables.size < 1_000) tables.set(key, loading)
  return loading
}

/** The one that a receipt names; undefined for a caller's own. */
export async function namedCounter(name: string): Promise<Counter | undefined> {
  const [, guessed = '', times] = /^estimate:(\w+)(?: x([\d.]+))?$/.exec(name) ?? []
  if (isFamily(guessed)) return estimator(guessed, Number(times ?? 1))
  const [, family = '', factor] = /^([a-z\d]+)(?:_base| by \w+ x([\d.]+))$/.exec(name) ?? []
  if (!isFamily(family)) return undefined
  const { load, scaleOf } = await import('./table.js')
  return load(family, factor === undefined ? 1 : scaleOf(family, Number(factor)))
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
