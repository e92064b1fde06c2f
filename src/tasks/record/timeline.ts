/** What happens to a task, numbered in the order in which it happened. */
import { HistoryError } from '../../core/message/issue.js'
import type { Page, PageQuery } from '../../store/contract/page.js'
import { bounded } from './bounded.js'
import type { NewFinding, ProgressUpdate, Severity, Task, TaskState, TimelineEntry } from './contract.js'
import { type Board, change, kinds, put, read, yieldTo } from './desk.js'
import { invalid, missingTask, tooLarge } from './refuse.js'
import { movedTask } from './state.js'

/** The record of a task: its entry in the list, and how many entries its timeline has. */
export interface TaskRecord {
  readonly task: Task
  readonly entries: number
}

type News = TimelineEntry extends infer E ? (E extends TimelineEntry ? Omit<E, 'number' | 'at'> : never) : never

/** Told of what was and of what is. */
type Teller = (before: Task, after: Task) => News

/** An entry as it is kept: with what it makes of its task. */
type Kept = TimelineEntry & { readonly makes?: Change }

/** Fields that are others from then on; null for one that goes. */
type Change = { readonly [F in keyof Task]?: Task[F] | null }

/**
 * The entry is written before the task counts it, so entries are stored in the order of their numbers and none is counted
 * that is not there. It says what it makes of the task: whoever finds it uncounted counts it, though its writer is dead.
 * With `isTold` it is written once, whoever else has it to tell.
 */
export async function log(
  desk: Board,
  task: string,
  news: News | Teller,
  also: (task: Task) => Task = (now) => now,
  isTold: ((entry: TimelineEntry) => boolean) | null = null,
): Promise<Logged> {
  const at = desk.env.now()
  for (let attempt = 1; ; attempt++) {
    const known = await read<TaskRecord>(desk, kinds.task, task)
    if (!known) throw missingTask('task', task)
    const before = isTold && (await timeline(desk, task, { limit: lately })).items.find(isTold)
    if (before) return { entry: before, task: known.task }
    const after = also(known.task)
    const told = typeof news === 'function' ? news(known.task, after) : news
    const entry: TimelineEntry = { ...told, number: known.entries + 1, at }
    const kept: Kept = { ...entry, makes: changeOf(known.task, after) }
    try {
      await put(desk, kinds.timeline(task), String(entry.number), kept)
    } catch (error) {
      if (!HistoryError.is(error) || error.code !== 'record_moved') throw error
      await catchUp(desk, task, entry.number)
      await yieldTo(attempt)
      continue
    }
    return { entry, task: await count(desk, task, kept) }
  }
}

/** Entries among which one is looked for that may stand there already. */
const lately = 50

/** Counts the entry with this number if it is there and nobody has. */
export async function catchUp(desk: Board, task: string, number: number): Promise<void> {
  const kept = await read<Kept>(desk, kinds.timeline(task), String(number))
  if (kept) await count(desk, task, kept)
}

async function count(desk: Board, id: string, { number, makes = {} }: Kept): Promise<Task> {
  const place = { kind: kinds.task, id, field: 'task' } as const
  const counted = await change<TaskRecord>(desk, place, (now) =>
    now.entries >= number ? now : { task: changedBy(now.task, makes), entries: number },
  )
  return counted.task
}

function changeOf(before: Task, after: Task): Change {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Task)[]
  return Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]),
  )
}

function changedBy({ endedBy: was, ...task }: Task, { endedBy = was ?? null, ...change }: Change): Task {
  return { ...task, ...(change as Partial<Task>), ...(endedBy && { endedBy }) }
}

interface Logged {
  readonly entry: TimelineEntry
  readonly task: Task
}

export async function timeline(desk: Board, task: string, query: PageQuery): Promise<Page<TimelineEntry>> {
  const page = await desk.store.records(desk.workspace, { ...query, kind: kinds.timeline(task) })
  return { items: page.items.map(({ body }) => entryOf(body as Kept)), cursor: page.cursor }
}

const entryOf = ({ makes: _, ...entry }: Kept): TimelineEntry => entry

/** The first word of an agent makes a task active, wherever the agent was started. */
export async function progress(desk: Board, task: string, update: ProgressUpdate): Promise<TimelineEntry> {
  const { agent, status, message, percent } = sound(desk, update, 'progress')
  words(status, 'progress.status', 200)
  if (message !== undefined) words(message, 'progress.message', 20_000, true)
  if (percent !== undefined && !(typeof percent === 'number' && percent >= 0 && percent <= 100))
    throw wrong('progress.percent', 'must be a number from 0 to 100')
  const news = {
    type: 'progress',
    agent: nameOf(agent),
    status,
    message: message ?? '',
    percent: percent ?? null,
  } as const
  const { entry } = await log(desk, task, news, (now) => reported(desk, now, 'progress'))
  return entry
}

const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical']

export async function finding(desk: Board, task: string, found: NewFinding): Promise<TimelineEntry> {
  const { agent, kind, severity = 'medium', message, data } = sound(desk, found, 'finding')
  words(kind, 'finding.kind', 100)
  words(message, 'finding.message', 20_000)
  if (!severities.includes(severity)) throw wrong('finding.severity', `must be one of ${severities.join(', ')}`)
  const news = { type: 'finding', agent: nameOf(agent), kind, severity, message, data: data ?? null } as const
  const { entry } = await log(desk, task, news, (now) => reported(desk, now, 'findings'))
  return entry
}

/** A report is read as carefully as a task: it comes from an agent. */
function sound<T extends object>({ limits }: Board, report: T, field: string): T {
  try {
    const copy = bounded(report, field, { ...limits, inputBytes: Math.min(limits.inputBytes, 1024 * 1024) })
    if (typeof copy === 'object' && copy !== null) return copy as T
  } catch (error) {
    if (HistoryError.is(error)) throw error
  }
  throw wrong(field, 'must be an object')
}

function words(value: unknown, field: string, most: number, mayBeEmpty = false): void {
  if (typeof value !== 'string' || (value.trim() === '' && !mayBeEmpty)) throw wrong(field, 'must be text')
  if (value.length > most)
    throw tooLarge(field, `${field} has ${value.length} characters; at most ${most}`, value.length)
}

function nameOf(agent: unknown): string | null {
  if (agent === undefined || agent === null) return null
  words(agent, 'agent', 200)
  return agent as string
}

const wrong = (field: string, what: string): Error =>
  invalid([{ code: 'task.report', field, message: `${field} ${what}`, type: 'invalid_value' }])

function reported({ env, limits }: Board, task: Task, what: 'progress' | 'findings'): Task {
  const { progress, findings } = task.counts
  if (progress + findings >= limits.reportsPerTask) throw tooLarge('task', 'the task has too many reports already')
  return counted(begunTask(task, env.now()), what)
}

/** Active from now on, if it is in one of these states. */
export const begunTask = (task: Task, at: string, from: readonly TaskState[] = ['registered']): Task =>
  from.includes(task.state) ? movedTask(task, 'active', at) : { ...task, updatedAt: at }

export const counted = (task: Task, what: keyof Task['counts']): Task => ({
  ...task,
  counts: { ...task.counts, [what]: task.counts[what] + 1 },
})
