/** Conversations for the Claude Agent SDK: specification 3 by its own function. @module */
export { type AgentQueryOptions, createAgentQuery, type Query, type SdkMessage } from './query.js'
