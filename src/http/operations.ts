/** Every operation that has a route of its own, by its method and path. */
import { deployAgent, killAgent, readAgent, spawnAgent } from '../operations/agents.js'
import {
  deleteBranch,
  findBranches,
  forkBranch,
  listBranches,
  renameBranch,
  setBranch,
} from '../operations/branches.js'
import { getPolicy, listModels, listPolicies } from '../operations/choices.js'
import { compactConversation } from '../operations/compact.js'
import {
  addConnection,
  listConnections,
  listOffers,
  removeConnection,
  testConnection,
  useModel,
} from '../operations/connections.js'
import {
  createConversation,
  deleteConversation,
  getConversation,
  listConversations,
  listLabels,
  updateConversation,
  verifyConversation,
} from '../operations/conversations.js'
import { deriveMemories } from '../operations/derive.js'
import { exportConversation, exportWorkspace } from '../operations/export.js'
import {
  addMemory,
  correctMemory,
  deleteMemory,
  exportMemories,
  getMemory,
  listMemories,
} from '../operations/memories.js'
import {
  appendMessages,
  expandMessage,
  getMessage,
  getOutline,
  listMessages,
  markMessage,
  rateMessage,
  redactMessage,
} from '../operations/messages.js'
import {
  diffReceipts,
  explainReceipt,
  getReceipt,
  listReceipts,
  replayReceipt,
  whatIfReceipt,
} from '../operations/receipts.js'
import { decideRun, getRun, listRuns, resumeRun, stopRun } from '../operations/runs.js'
import { searchMessages } from '../operations/search.js'
import { createShare, listShares, revokeShare } from '../operations/shares.js'
import { createTask, getTask, listTasks, reportFinding, reportProgress } from '../operations/tasks.js'
import {
  addToolServer,
  allowTools,
  checkToolServer,
  listToolServers,
  listTools,
  removeToolServer,
  testToolServer,
} from '../operations/tool-servers.js'
import { getTree } from '../operations/tree.js'
import { getUsage } from '../operations/usage.js'
import { editMessage, regenerateMessage } from '../operations/versions.js'
import { assembleWindow } from '../operations/windows.js'
import { type ExportName, exportForms } from '../transfer/out/formats.js'
import { expose } from './kit/expose.js'
import type { Route } from './kit/route.js'
import { writeWindow } from './window-reply.js'

const all = '/api/v1/conversations'
const one = `${all}/{conversation_id}`
const message = `${one}/messages/{message_id}`
const branch = `${one}/branches/{branch}`
const run = `${one}/runs/{run_id}`
const receipt = '/api/v1/receipts/{receipt_id}'
const tasks = '/api/v1/tasks'
const task = `${tasks}/{task_id}`
const agent = `${task}/agents/{agent_id}`
const connections = '/api/v1/connections'
const toolServers = '/api/v1/tool-servers'
const memories = '/api/v1/memories'
const memory = `${memories}/{memory_id}`

/** The same key again: what it made is there already. */
const repeated = {
  status: 200,
  says: 'It was there already',
  if: (output: { readonly repeated: boolean }) => output.repeated,
}

export const operationRoutes: readonly Route[] = [
  expose('get', all, listConversations),
  expose('post', all, createConversation, {
    status: 201,
    otherwise: repeated,
    location: ({ id }: { readonly id: string }) => `${all}/${encodeURIComponent(id)}`,
  }),
  expose('get', one, getConversation, { tagged: true }),
  expose('patch', one, updateConversation, { tagged: true, guardedBy: getConversation }),
  expose('delete', one, deleteConversation),
  expose('get', '/api/v1/labels', listLabels, { tag: 'conversations' }),
  expose('get', `${one}/tree`, getTree, { tag: 'conversations' }),
  expose('get', `${one}/export`, exportConversation, {
    answers: { type: '*/*', says: '`throughline.conversation/1`, or the form that was asked for' },
    // the name of the file comes from the id, never from what someone wrote
    file: ({ conversation_id: id, format }: { readonly conversation_id: string; readonly format: ExportName }) =>
      [`${id.slice(0, 80)}.${exportForms[format].ending}`, exportForms[format].mediaType] as const,
  }),
  expose('get', `${one}/verify`, verifyConversation),
  expose('post', `${one}/compact`, compactConversation),
  expose('post', `${one}/memories`, deriveMemories, { status: 201, tag: 'memories' }),

  expose('get', `${one}/messages`, listMessages),
  expose('post', `${one}/messages`, appendMessages, { status: 201, otherwise: repeated }),
  expose('get', `${one}/outline`, getOutline, { tag: 'messages' }),
  expose('get', message, getMessage, { tagged: true }),
  expose('patch', message, markMessage),
  expose('delete', message, redactMessage),
  expose('get', `${message}/text`, expandMessage),
  expose('put', `${message}/rating`, rateMessage),
  expose('post', `${message}/edit`, editMessage, { status: 201 }),
  expose('post', `${message}/regenerate`, regenerateMessage, { status: 201 }),
  expose('get', '/api/v1/search', searchMessages, { tag: 'search' }),

  expose('get', `${one}/branches`, listBranches),
  expose('put', branch, setBranch),
  expose('patch', branch, renameBranch),
  expose('delete', branch, deleteBranch, { status: 204 }),
  expose('post', `${one}/fork`, forkBranch, { status: 201 }),
  expose('get', `${message}/branches`, findBranches),

  expose('get', `${one}/runs`, listRuns),
  expose('get', run, getRun),
  expose('post', `${run}/stop`, stopRun),
  expose('post', `${run}/decide`, decideRun),
  expose('post', `${run}/resume`, resumeRun, { status: 201 }),

  expose('post', '/api/v1/context/assemble', assembleWindow, { reply: writeWindow }),
  expose('get', `${one}/receipts`, listReceipts, { tag: 'windows' }),
  expose('get', receipt, getReceipt, { tag: 'windows', tagged: true }),
  expose('get', '/api/v1/explain', explainReceipt, { tag: 'windows' }),
  expose('get', `${receipt}/diff/{other_id}`, diffReceipts, { tag: 'windows' }),
  expose('post', `${receipt}/replay`, replayReceipt, { tag: 'windows' }),
  expose('post', `${receipt}/what-if`, whatIfReceipt, { tag: 'windows' }),
  expose('get', '/api/v1/policies', listPolicies, { tag: 'windows', tagged: true }),
  expose('get', '/api/v1/policies/{policy}', getPolicy, { tag: 'windows', tagged: true }),
  expose('get', '/api/v1/models', listModels, { tag: 'windows' }),
  expose('put', '/api/v1/models/usual', useModel, { tag: 'connections' }),

  expose('get', '/api/v1/tools', listTools),
  expose('get', toolServers, listToolServers, { tag: 'tools' }),
  expose('post', toolServers, addToolServer, { status: 201, tag: 'tools' }),
  expose('post', `${toolServers}/test`, testToolServer, { tag: 'tools' }),
  expose('get', `${toolServers}/{server}/tools`, checkToolServer, { tag: 'tools' }),
  expose('patch', `${toolServers}/{server}`, allowTools, { tag: 'tools' }),
  expose('delete', `${toolServers}/{server}`, removeToolServer, { status: 204, tag: 'tools' }),

  expose('get', connections, listConnections),
  expose('post', connections, addConnection, { status: 201 }),
  expose('post', `${connections}/test`, testConnection),
  expose('get', `${connections}/{connection}/models`, listOffers, { tag: 'connections' }),
  expose('delete', `${connections}/{connection}`, removeConnection),

  expose('post', `${one}/shares`, createShare, {
    status: 201,
    location: ({ token }: { readonly token: string }) => `/api/v1/shares/${token}`,
  }),
  expose('get', `${one}/shares`, listShares),
  expose('delete', `${one}/shares/{share_id}`, revokeShare, { status: 204 }),
  expose('get', '/api/v1/usage', getUsage),
  expose('get', '/api/v1/export', exportWorkspace, {
    tag: 'conversations',
    file: () => ['throughline.jsonl', 'application/x-ndjson'],
  }),

  expose('get', tasks, listTasks),
  expose('post', tasks, createTask, {
    status: 201,
    location: ({ task_id }: { readonly task_id: string }) => `${tasks}/${encodeURIComponent(task_id)}`,
  }),
  expose('get', task, getTask),
  expose('post', `${task}/progress`, reportProgress, { status: 201, tag: 'tasks' }),
  expose('post', `${task}/findings`, reportFinding, { status: 201, tag: 'tasks' }),
  expose('post', `${task}/agents`, deployAgent, { status: 201, tag: 'tasks' }),
  expose('post', `${task}/children`, spawnAgent, { status: 201, tag: 'tasks' }),
  expose('get', `${agent}/output`, readAgent, { tag: 'tasks' }),
  expose('post', `${agent}/kill`, killAgent, { tag: 'tasks' }),

  expose('get', memories, listMemories),
  expose('get', `${memories}/export`, exportMemories, {
    file: () => ['memories.jsonl', 'application/x-ndjson'],
  }),
  expose('post', memories, addMemory, { status: 201 }),
  expose('get', memory, getMemory),
  expose('patch', memory, correctMemory),
  expose('delete', memory, deleteMemory, { status: 204 }),
]

/** Operations whose route is written by hand, and why. */
export const notExposed: Readonly<Record<string, string>> = {
  'transfer.import': 'over HTTP the body is the file: POST /api/v1/import',
}
