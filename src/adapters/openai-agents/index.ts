/** `@openai/agents` on a history: its session, and windows for its runs. @module */
export type { WindowedOptions } from '../list/window.js'
export { type AgentSession, agentSession, type HistoryMutations, type HistoryTransaction } from './session.js'
export { type ModelInput, windowed } from './windowed.js'
