/** Every tool there is. */

import { z } from 'zod'
import { nearest } from '../../core/message/nearest.js'
import { spawnAgent } from '../../operations/agents.js'
import { explainReceipt } from '../../operations/receipts.js'
import { createdTask } from '../../operations/shapes/task.js'
import * as operations from '../../operations/tasks.js'
import { createTask as operation } from '../../operations/tasks.js'
import { exposeTool } from '../kit/expose.js'
import { clipText, fitItems, room } from '../kit/room.js'
import type { McpTool } from '../kit/tool.js'
import { uris } from '../kit/uris.js'
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
import { memoryCorrect, memoryDelete, memoryList, memoryWrite } from './memories.js'
import { briefAgent, briefEvent, briefIssue, eventLine } from './shapes.js'
import { taskStatus } from './status.js'

// `create_real_task`: work to hand over, with the conversation that led to it.

/** Specification 0's own word. */
const createdExtra = { success: z.literal(true) }

type Created = z.output<typeof createdTask>

const createdShown = (task: Created): Created & { readonly success: true } => ({
  success: true,
  ...task,
  warnings: [...fitItems(task.warnings.map(briefIssue), 8_000).items],
})

const createTaskTool = exposeTool('create_real_task', operation, {
  title: 'Create a task',
  description:
    'Registers a task together with the conversation that led to it, so that every agent deployed on it knows why it exists and what the user wants. Lists and objects may be JSON or a JSON string.',
  show: { output: createdTask.extend(createdExtra), from: createdShown },
  text: ({ task_id, priority, conversation_messages_count: count, history, warnings }) => {
    const cut =
      history && history.clipped + history.dropped > 0 ? ` (${history.clipped} cut, ${history.dropped} left out)` : ''
    return [
      `Task ${task_id} is registered (${priority}) with ${count} messages of history${cut}.`,
      ...warnings.map(({ message }) => `Warning: ${message}`),
      `Next: deploy_headless_agent with task_id ${task_id}.`,
    ].join('\n')
  },
  links: ({ task_id }) => [{ uri: uris.status(task_id), name: 'status' }],
})

// What agents report: how far they are, and what they found.

type Reported = z.output<typeof operations.reportFinding.output>

const show = {
  output: z.object({ success: z.literal(true), ...operations.reportFinding.output.shape }),
  from: ({ entry, task_status }: Reported) => ({ success: true, entry: briefEvent(entry, 1_000), task_status }),
}
const text = ({ entry }: Reported): string => eventLine(entry)
const links = (_: Reported, { task_id }: { readonly task_id: string }) => [
  { uri: uris.timeline(task_id), name: 'progress-timeline' },
]

const updateProgress = exposeTool('update_agent_progress', operations.reportProgress, {
  title: 'Report progress',
  description:
    'Reports how far an agent is. task_state also moves the task: blocked, active again, completed with a result, failed or cancelled.',
  show,
  text,
  links,
})

const reportFindingTool = exposeTool('report_agent_finding', operations.reportFinding, {
  title: 'Report a finding',
  description: 'Reports something an agent found, for the orchestrator to read in get_real_task_status.',
  show,
  text,
  links,
})

// `spawn_child_agent`: an agent hands a part of its task to another one.

const spawnChild = exposeTool('spawn_child_agent', spawnAgent, {
  title: 'Deploy a child agent',
  description:
    'Registers a child task and deploys an agent on it. The child works in the folder of its parent and can read the histories above it: get_real_task_status with include: ancestors.',
  hints: { open: true },
  show: {
    output: spawnAgent.output.extend(createdExtra),
    from: ({ agent, parent_task_id, ...task }) => ({ ...createdShown(task), parent_task_id, agent: briefAgent(agent) }),
  },
  text: ({ task_id, parent_task_id, agent }) =>
    `Child task ${task_id} of ${parent_task_id} is registered; agent ${agent.agent_id} is ${agent.status} with the runner ${agent.runner}.`,
  links: ({ task_id }) => [{ uri: uris.status(task_id), name: 'status' }],
})

// `receipt_explain`: what became of every message, and why.

const receiptExplain = exposeTool('receipt_explain', explainReceipt, {
  title: 'Explain a window',
  description:
    'Tells what was sent and what was not, and why, from a kept receipt: of a run, of a conversation, or of a task.',
  show: {
    output: explainReceipt.output,
    from: ({ explanation, ...rest }) => ({ ...rest, explanation: clipText(explanation, room - 2_000).text }),
  },
  text: ({ explanation }) => explanation,
  links: ({ receipt_id }) => (receipt_id === null ? [] : [{ uri: uris.receipt(receipt_id), name: 'receipt' }]),
})

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
