/**
 * Tasks: work handed to agents, with the conversation that led to it.
 *
 * A task is registered with its context and history, kept in the store as records, and read by every agent as one
 * prompt. Agents are started by runners, in bounded memory and time, and leave nothing behind.
 *
 * @module
 */
export {
  type CollectedMessage,
  collectHistory,
  type HistorySource,
} from './history/collect.js'
export { getRelevantThread } from './history/thread.js'
export type {
  Agent,
  Exit,
  Runner,
  RunnerJob,
  Running,
  TaskImage,
} from './record/agent.js'
export type {
  ConversationRef,
  Task,
  TaskDetail,
  Tasks,
} from './record/contract.js'
export type { TaskInput } from './record/input.js'
export type { TaskLimits } from './record/limits.js'
export type { Command } from './runners/command.js'
export { commands } from './runners/commands.js'
export { openTasks, type TasksOptions } from './tasks.js'
