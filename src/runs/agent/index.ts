/**
 * An agent one can hold: a chat with tools and memory in fifteen lines.
 *
 * @module
 */

export type { AgentLimits } from '../tools/calls.js'
export {
  type InputOf,
  type JsonSchema,
  type Schema,
  type StandardSchema,
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
  type AskOptions,
  openAgent,
} from './agent.js'
