/** Every tool there is. */
import { nearest } from '../../core/message/nearest.js'
import type { Tool } from '../kit/tool.js'
import { agentOutput, deployAgent, killAgent } from './agents.js'
import { contextAssemble } from './context.js'
import {
  conversationAppend,
  conversationFork,
  conversationGet,
  conversationList,
  conversationSearch,
  messageGet,
} from './conversations.js'
import { createTask } from './create.js'
import { receiptExplain } from './explain.js'
import { memoryCorrect, memoryDelete, memoryList, memoryWrite } from './memories.js'
import { reportFinding, updateProgress } from './reports.js'
import { spawnChild } from './spawn.js'
import { taskStatus } from './status.js'

export const tools: readonly Tool[] = [
  createTask,
  deployAgent,
  taskStatus,
  agentOutput,
  killAgent,
  updateProgress,
  reportFinding,
  spawnChild,
  conversationList,
  conversationGet,
  messageGet,
  conversationAppend,
  conversationSearch,
  conversationFork,
  contextAssemble,
  receiptExplain,
  memoryList,
  memoryWrite,
  memoryCorrect,
  memoryDelete,
]

const known = new Map(tools.map((tool) => [tool.name, tool]))

export const findTool = (name: string): Tool | undefined => known.get(name)

export const nearestTool = (name: string): string | undefined => nearest(name, [...known.keys()])
