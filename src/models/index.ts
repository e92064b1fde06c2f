/**
 * The models: one contract, the providers behind it, and the responder that needs none.
 *
 * Every fault of a provider arrives as a `ModelError` with a code of ours. A stream is only over when the provider
 * said so. What can be tried again is, a few times; what is too long goes down the ladder, which is the caller's to
 * climb, because only the caller can build a shorter window.
 */

export { type EmbedderConfig, openEmbedder } from './embedder.js'
export { type AnyLanguageModel, modelFrom, modelList } from './from.js'
export { ladder, type RungName } from './ladder.js'
export { costOf, pricesAsOf } from './prices.js'
export { openModels } from './registry.js'
export type { Compatible, ModelsConfig } from './wire/config.js'
export {
  type FinishReason,
  type Model,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelRequest,
  type ModelSettings,
  type Models,
  type ModelTool,
  type Usage,
} from './wire/contract.js'
