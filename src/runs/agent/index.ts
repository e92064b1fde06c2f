/** An agent one can hold: a chat with tools and memory in fifteen lines. @module */
export type { AgentLimits } from '../tools/calls.js'
export {
  type InputOf,
  type Schema,
  type Tool,
  type ToolCall,
  type ToolOutput,
  type ToolResult,
  tool,
  toolOutput,
} from '../tools/tool.js'
export {
  type Agent,
  type AgentAnswer,
  type AgentEvent,
  type AgentOptions,
  openAgent,
} from './agent.js'
