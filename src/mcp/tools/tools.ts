/** Every tool there is. */
import { nearest } from '../../core/message/nearest.js'
import type { McpTool } from '../kit/tool.js'
import { agentOutput, deployTool, killTool } from './agents.js'
import { contextAssemble } from './context.js'
import {
  conversationAppend,
  conversationFork,
  conversationGet,
  conversationImport,
  conversationList,
  conversationSearch,
  messageGet,
} from './conversations.js'
import { createTaskTool } from './create.js'
import { receiptExplain } from './explain.js'
import { memoryCorrect, memoryDelete, memoryList, memoryWrite } from './memories.js'
import { reportFindingTool, updateProgress } from './reports.js'
import { spawnChild } from './spawn.js'
import { taskStatus } from './status.js'

export const mcpTools: readonly McpTool[] = [
  createTaskTool,
  deployTool,
  taskStatus,
  agentOutput,
  killTool,
  updateProgress,
  reportFindingTool,
  spawnChild,
  conversationList,
  conversationGet,
  messageGet,
  conversationAppend,
  conversationSearch,
  conversationFork,
  conversationImport,
  contextAssemble,
  receiptExplain,
  memoryList,
  memoryWrite,
  memoryCorrect,
  memoryDelete,
]

const known = new Map(mcpTools.map((tool) => [tool.name, tool]))

export const findTool = (name: string): McpTool | undefined => known.get(name)

export const nearestTool = (name: string): string | undefined => nearest(name, [...known.keys()])

const people = 'done by people, in the app or at the terminal: each tool costs every client tokens'
const part = 'told by a tool that is there already'
const resource = 'a resource: throughline://conversations/{id}?format=FORM'
const client = 'a client of MCP has a model of its own: it answers, and appends what it said'

/** Operations that are no tools, and why. */
export const notTools: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['conversations.create', 'conversations.update', 'conversations.delete', 'conversations.verify'],
      ...['conversations.compact', 'receipts.what_if', 'labels.list', 'messages.mark', 'messages.rate'],
      ...['messages.redact', 'branches.set', 'branches.rename', 'branches.delete', 'shares.create', 'shares.list'],
      ...['shares.revoke', 'usage.get', 'memories.derive', 'memories.export', 'receipts.diff', 'receipts.replay'],
      ...['policies.list', 'policies.get', 'models.list', 'connections.list', 'connections.test', 'connections.add'],
      ...['connections.remove', 'offers.list', 'models.use', 'branches.find', 'branches.list'],
      ...['tools.list', 'tool_servers.list', 'tool_servers.test', 'tool_servers.add', 'tool_servers.check'],
      ...['tool_servers.allow', 'tool_servers.remove', 'workspace.export'],
    ].map((name) => [name, people]),
  ),
  'conversations.export': resource,
  ...Object.fromEntries(
    [
      ...['conversations.get', 'tree.get', 'messages.get', 'outline.get', 'receipts.list', 'receipts.get'],
      ...['memories.get', 'tasks.list'],
    ].map((name) => [name, part]),
  ),
  ...Object.fromEntries(
    [
      ...['runs.start', 'runs.list', 'runs.get', 'runs.stop', 'runs.decide', 'runs.resume', 'messages.edit'],
      'messages.regenerate',
    ].map((name) => [name, client]),
  ),
}
