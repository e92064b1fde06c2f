/** What happens to a task, numbered in the order in which it happened. */
import { setTimeout as wait } from 'node:timers/promises'
import { HistoryError } from '../../core/message/issue.js'
import type { Page, PageQuery } from '../../store/contract/page.js'
import { bounded } from './bounded.js'
import type { NewFinding, ProgressUpdate, Severity, Task, TaskState, TimelineEntry } from './contract.js'
import { type Board, change, kinds, put, read } from './desk.js'
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

/**
 * The entry is written before the task counts it, so entries are stored in the order of their numbers and none is
 * counted that is not there. Whoever finds the next number taken looks again; when it is never counted, its writer
 * has ended, and it is counted here.
 */
export async function log(
  desk: Board,
  task: string,
  news: News | Teller,
  also: (task: Task) => Task = same,
): Promise<Logged> {
  const at = desk.env.now()
  const place = { kind: kinds.task, id: task, field: 'task' } as const
  const counts = (number: number, changed: (task: Task) => Task) =>
    change<TaskRecord>(desk, place, (now) => ({ task: changed(now.task), entries: Math.max(now.entries, number) }))
  for (let attempt = 1; ; attempt++) {
    const known = await read<TaskRecord>(desk, kinds.task, task)
    if (!known) throw missingTask('task', task)
    const after = also(known.task)
    const told = typeof news === 'function' ? news(known.task, after) : news
    const entry: TimelineEntry = { ...told, number: known.entries + 1, at }
    try {
      await put(desk, kinds.timeline(task), String(entry.number), entry)
    } catch (error) {
      if (!HistoryError.is(error) || error.code !== 'record_moved') throw error
      if (attempt % patience === 0) await counts(entry.number, same)
      else await wait(Math.random() * Math.min(attempt, 20))
      continue
    }
    return { entry, task: (await counts(entry.number, also)).task }
  }
}

const patience = 100

interface Logged {
  readonly entry: TimelineEntry
  readonly task: Task
}

const same = (task: Task): Task => task

export async function timeline(desk: Board, task: string, query: PageQuery): Promise<Page<TimelineEntry>> {
  const page = await desk.store.records(desk.workspace, { ...query, kind: kinds.timeline(task) })
  return { items: page.items.map(({ body }) => body as TimelineEntry), cursor: page.cursor }
}

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
