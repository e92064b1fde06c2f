/** The specifications' functions by their own names, each a few lines over core. @module */
export { policyFrom } from '../core/policy/presets/settings.js'
export {
  buildPromptWithHistory,
  formatMessagesForSDK,
  getConversationHistory,
  type Rows,
  type Turn,
  truncateHistory,
} from './agent.js'
export { type StoredHistory, type StoredMessage, truncateConversationHistory } from './handoff.js'
export type { TaskValidationError } from './refusal.js'
export { applyContextWindow } from './session.js'
export { formatTaskEnrichmentPrompt, type TaskContext } from './task-prompt.js'
export {
  calculateHistorySize,
  type Validated,
  type ValidMessage,
  validateConversationHistory,
} from './validation.js'
