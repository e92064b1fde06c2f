/**
 * An agent one can hold: a chat with tools and memory in fifteen lines.
 *
 * @module
 */
export {
  type Agent,
  type AgentAnswer,
  type AgentEvent,
  type AgentLimits,
  type AgentOptions,
  type AskOptions,
  openAgent,
} from './agent.js'
export {
  type InputOf,
  type JsonSchema,
  type Schema,
  type StandardSchema,
  type Tool,
  type ToolCall,
  type ToolResult,
  tool,
} from './tool.js'
