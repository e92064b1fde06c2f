/** `@openai/agents` on a history: its session, and windows for its runs. @module */
export { type AgentSession, agentSession, type HistoryMutations, type HistoryTransaction } from './session.js'
export { type ModelInput, type WindowedOptions, windowed } from './windowed.js'
