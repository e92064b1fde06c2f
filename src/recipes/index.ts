/**
 * The specifications' functions by their own names, each a few lines over core.
 *
 * @module
 */

export { policyFrom } from '../core/policy/presets/settings.js'
export {
  buildPromptWithHistory,
  formatMessagesForSDK,
  getConversationHistory,
  type HistoryLimits,
  type Rows,
  type Turn,
  truncateHistory,
} from './agent.js'
export { type StoredHistory, type StoredMessage, type TruncateOptions, truncateConversationHistory } from './handoff.js'
export type { TaskValidationError } from './refusal.js'
export { applyContextWindow, type ContextWindowOptions } from './session.js'
export { formatTaskEnrichmentPrompt, type PromptOptions, type TaskContext, type TaskRegistry } from './task-prompt.js'
export {
  calculateHistorySize,
  type Validated,
  type ValidateOptions,
  type ValidMessage,
  validateConversationHistory,
} from './validation.js'
