/** What goes wrong in a call, told so that a model can mend it: a stable code, the parameter, and what to do next. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { HistoryError, type Issue } from '../../core/message/issue.js'
import { ModelError } from '../../models/wire/contract.js'
import { type RefusalCode, refusals } from '../../operations/refusals.js'
import type { McpContext } from './context.js'
import { sized } from './room.js'
import type { McpTool } from './tool.js'

interface Refusal {
  readonly code: string
  readonly issues: readonly Pick<Issue, 'message' | 'field' | 'reason' | 'value' | 'type' | 'suggestion'>[]
  readonly next: string
}

/** Codes whose words may speak of the machine, or of what is not the caller's. */
const silent: Readonly<Record<string, string>> = {
  unavailable: 'the storage cannot be reached',
  storage_full: 'the storage is full',
  newer_format: 'the storage was written by a newer version',
}

/** What to do next where a tool of ours helps; what holds at every door is said with the refusals. */
const nexts: Readonly<Record<string, string>> = {
  illegal_move: 'get_real_task_status shows what state the task is in',
  head_moved: 'the branch has moved on: conversation_get shows its head now',
  gone: 'it was deleted: conversation_list shows what there is',
}

/** Where to look for what is not there. */
const finders: Readonly<Record<string, string>> = {
  task_id: 'the resource tasks://list names the tasks there are',
  agent_id: 'get_real_task_status names the agents of a task',
  conversation_id: 'conversation_list names the conversations there are',
  message_id: 'conversation_get names the messages there are',
  memory_id: 'memory_list names the memories there are',
  branch: 'conversation_get names the branches there are',
  receipt_id: 'task receipts are found by task_id, those of a conversation by conversation_id',
}

/** The names of the rooms below, as the caller knows them. */
const names: Readonly<Record<string, string>> = {
  task: 'task_id',
  agent: 'agent_id',
  conversation: 'conversation_id',
  entry: 'message_id',
  receipt: 'receipt_id',
  'finding.kind': 'finding_type',
  'finding.severity': 'severity',
  'finding.message': 'message',
  'progress.status': 'status',
  'progress.message': 'message',
  'progress.percent': 'progress',
  timeoutMs: 'timeout_seconds',
  'task.state': 'task_state',
}

export function mcpRefusal(error: unknown): Refusal {
  if (HistoryError.is(error)) return ofHistory(error)
  if (ModelError.is(error))
    return { code: 'model_failed', issues: [{ message: error.message }], next: next('model_failed') }
  return { code: 'internal', issues: [{ message: 'something broke here' }], next: next('internal') }
}

function ofHistory({ code: given, issues }: HistoryError): Refusal {
  const code = given.replaceAll('.', '_')
  const hidden = silent[code]
  const told = hidden === undefined ? issues.map(asCalled) : [{ message: hidden }]
  return { code, issues: told, next: next(code, told[0]?.field) }
}

function next(code: string, field = ''): string {
  if (code === 'not_found' && finders[field]) return finders[field]
  return nexts[code] ?? (isRefusal(code) ? refusals[code][2] : 'call again with other parameters')
}

const isRefusal = (code: string): code is RefusalCode => Object.hasOwn(refusals, code)

function asCalled({ code, message, field, reason, value, type, suggestion }: Issue): Refusal['issues'][number] {
  // what the operation found wrong has the right name already
  const name = field === undefined || code === 'invalid_request' ? field : (names[field] ?? field)
  return {
    message: field !== undefined && message.startsWith(`${field} `) ? `${name}${message.slice(field.length)}` : message,
    ...(name === undefined ? null : { field: name }),
    // (field, reason, value), where specification 2 raises its error so
    ...(reason === undefined ? null : { reason, ...(value !== undefined && { value: sized(value, 1_000) }) }),
    ...(type === undefined ? null : { type }),
    ...(suggestion === undefined ? null : { suggestion }),
  }
}

/** Issues that one answer tells of. */
const most = 12

export function toolRefused(error: unknown, tool: McpTool, { log }: McpContext): CallToolResult {
  const refusal = mcpRefusal(error)
  if (refusal.code === 'internal')
    log({
      level: 'error',
      event: 'mcp-tool-failed',
      name: tool.name,
      error: error instanceof Error ? error.name : typeof error,
    })
  const issues = refusal.issues.slice(0, most)
  const lines = issues.map(lineOf)
  const more = refusal.issues.length - issues.length
  const text = [
    `${refusal.code}: ${lines[0] ?? refusal.code}`,
    ...lines.slice(1),
    ...(more > 0 ? [`and ${more} more`] : []),
    `Next: ${refusal.next}.`,
  ]
  return {
    isError: true,
    content: [{ type: 'text', text: text.join('\n') }],
    _meta: { 'throughline/error': { ...refusal, issues } },
  }
}

/** The parameter and the kind of error behind the words, unless they say it themselves. */
function lineOf({ field, message, reason, value, type, suggestion }: Refusal['issues'][number]): string {
  const named = field !== undefined && !message.startsWith(field) ? [field] : []
  const got = reason !== undefined && value !== undefined ? [`got ${JSON.stringify(value)}`] : []
  const notes = [...named, ...got, ...(type === undefined ? [] : [type])]
  const hint = suggestion === undefined ? '' : ` ${suggestion}.`
  return `${message}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${hint}`
}
