/** Registers a task: the five points of specification 0, from the parameters to the prompt. */
import type { Issue } from '../core/message/issue.js'
import type { Receipt } from '../core/receipt/receipt.js'
import type { TaskContext } from '../recipes/task-prompt.js'
import type { Summary } from './history/condense.js'
import { gather } from './history/gather.js'
import { type Ask, handOver } from './history/handover.js'
import { restOf } from './prompt.js'
import type { ConversationRef, Registered, Task } from './record/contract.js'
import { type Board, kinds, put } from './record/desk.js'
import { readTask, type TaskInput } from './record/input.js'
import { log } from './record/timeline.js'

/** What is kept of a task beside its entry in the list. */
export interface KeptTask {
  readonly context: TaskContext
  readonly section: string
  readonly receipt: Receipt | null
  readonly summary: Summary | null
  readonly source: ConversationRef | null
  /** Tokens of the shared prompt. */
  readonly tokens: number
  /** How the history was asked for, so that it can be made again. */
  readonly asked: Pick<Ask, 'compress' | 'model' | 'thread' | 'tokens'>
}

export async function register(desk: Board, input: TaskInput, parent: string | null): Promise<Registered> {
  const request = readTask(input, desk.limits, desk.handoff)
  const { description, priority, preset, compress, model, thread } = request
  const id = `task_${desk.env.id()}`
  const now = desk.env.now()
  const tokens = request.tokens ?? desk.limits.promptTokens
  const rest = restOf({ task: { id, description, priority, preset }, context: request.context }, preset)
  const gathered = await gather(desk, request.history, preset, thread)
  const room = Math.max(Math.floor(tokens * desk.limits.historyShare), tokens - rest)
  const asked = { compress, model, thread, tokens: room }
  const handed = await handOver(desk, gathered, { description, preset, now, ...asked })
  const context: TaskContext = {
    ...request.context,
    ...(handed.stored && { conversation_history: handed.stored }),
  }
  const task: Task = {
    ...{ id, description, priority, preset, parent, client_cwd: request.client_cwd },
    state: 'registered',
    note: null,
    has_enhanced_context: Object.keys(context).length > 0,
    conversation_messages_count: handed.stored?.total_messages ?? 0,
    result: null,
    counts: { agents: 0, progress: 0, findings: 0 },
    createdAt: now,
    updatedAt: now,
  }
  const { section, receipt, summary } = handed
  const { source } = gathered
  const kept: KeptTask = { context, section, receipt, summary, source, tokens, asked }
  // words of a conversation go when the conversation goes
  await put(desk, kinds.context, id, kept, source?.conversation)
  if (source === null && isCut(receipt)) await put(desk, kinds.source, id, request.history)
  if (parent !== null) await put(desk, kinds.child(parent), id, { task: id })
  // the entry in the list is last: whoever finds the task finds all of it
  await put(desk, kinds.task, id, { task, entries: 0 })
  await log(desk, id, { type: 'state', agent: null, from: null, to: 'registered', note: null })
  return { task, receipt, warnings: [...handed.warnings, ...crowded(rest, tokens)] }
}

/** What was cut or left out is kept as it was given; everything else stands in the context already. */
const isCut = (receipt: Receipt | null): boolean => receipt !== null && receipt.totals.kept < receipt.totals.messages

function crowded(rest: number, tokens: number): Issue[] {
  if (rest <= tokens) return []
  const message = `without its history the prompt has ${rest} tokens already; at most ${tokens} were to be used`
  return [{ code: 'task.prompt', field: 'task', severity: 'high', value: rest, message }]
}
