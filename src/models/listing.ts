/** How a model is shown before it is asked. */
import { findModel } from '../core/tokens/models.js'
import { extractive } from './builtin/answer.js'
import { priceNote } from './prices.js'
import { ModelError, type ModelListing } from './wire/contract.js'

export const builtin: ModelListing = {
  id: extractive.id,
  label: extractive.label,
  kind: extractive.kind,
  window: extractive.facts.window,
  ready: true,
  note: 'quotes the conversation; costs nothing and works offline',
}

export function listing(
  id: string,
  kind: 'local' | 'hosted',
  { label, window }: { readonly label?: string; readonly window?: number } = {},
): ModelListing {
  const note = kind === 'hosted' ? (priceNote(id) ?? 'the price is not known') : undefined
  return {
    id,
    label: label ?? id.slice(id.indexOf('/') + 1),
    kind,
    window: window ?? findModel(id).window,
    ready: true,
    ...(note !== undefined && { note }),
  }
}

export function unknown(id: string, offers: readonly ModelListing[]): ModelError {
  const ready = [...offers.filter((offer) => offer.ready), builtin].map((offer) => offer.id)
  return new ModelError('unknown_model', `there is no model ${id}; there are ${ready.slice(0, 20).join(', ')}`)
}
