/** What there is to see of one task. */

import { ofConversation } from './history/gather.js'
import { counterOf, handOver } from './history/handover.js'
import type { Agent } from './record/agent.js'
import type { Ancestry, LiveHistory, Severity, Task, TaskDetail, TaskStatus, TimelineEntry } from './record/contract.js'
import { type Board, kinds, read, shelf } from './record/desk.js'
import { missingTask } from './record/refuse.js'
import { type TaskRecord, timeline } from './record/timeline.js'
import type { KeptTask } from './register.js'

export async function taskOf(desk: Board, id: string): Promise<Task> {
  const record = await read<TaskRecord>(desk, kinds.task, id)
  if (!record) throw missingTask('task', id)
  return record.task
}

/** Without its context when that has gone with the conversation it came from. */
export const keptOf = async (desk: Board, id: string): Promise<KeptTask> =>
  (await read<KeptTask>(desk, kinds.context, id)) ?? forgotten(desk.limits.promptTokens)

const forgotten = (tokens: number): KeptTask => ({
  context: {},
  section: '',
  receipt: null,
  summary: null,
  source: null,
  tokens,
  asked: { compress: 'none', model: null, thread: null, tokens },
})

export async function detailOf(desk: Board, id: string): Promise<TaskDetail | null> {
  const record = await read<TaskRecord>(desk, kinds.task, id)
  if (!record) return null
  const { context, receipt, source } = await keptOf(desk, id)
  return { ...record.task, task_context: Object.keys(context).length > 0 ? context : null, receipt, source }
}

export async function agentsOf(desk: Board, task: string): Promise<readonly Agent[]> {
  const agents: Agent[] = []
  for await (const agent of shelf<Agent>(desk, kinds.agent(task))) agents.unshift(agent)
  return agents
}

const recent = 20

export async function statusOf(desk: Board, id: string): Promise<TaskStatus> {
  const task = await taskOf(desk, id)
  const agents = await agentsOf(desk, id)
  const found: Severity[] = []
  if (task.counts.findings > 0)
    for await (const entry of shelf<TimelineEntry>(desk, kinds.timeline(id)))
      if (entry.type === 'finding') found.push(entry.severity)
  let children = 0
  for await (const _ of shelf(desk, kinds.child(id))) children++
  return {
    task,
    agents,
    states: tally(agents.map(({ state }) => state)),
    severities: tally(found),
    children,
    recent: (await timeline(desk, id, { limit: recent })).items,
  }
}

function tally<K extends string>(names: readonly K[]): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** As far up as anyone would go. */
const generations = 64

export async function ancestryOf(desk: Board, id: string, tokens: number): Promise<Ancestry> {
  const child = await taskOf(desk, id)
  const count = counterOf(child.preset)
  const tasks: Ancestry['tasks'][number][] = []
  const sections: string[] = []
  let used = 0
  let full = false
  for (let up = child.parent; up !== null && tasks.length < generations; ) {
    const task = await taskOf(desk, up)
    const { section } = await keptOf(desk, up)
    const text = `HISTORY OF TASK ${up} (${task.description.slice(0, 200)}):\n${section}`
    const cost = section === '' ? 0 : count(text)
    full ||= used + cost > tokens
    if (section !== '' && !full) {
      sections.unshift(text)
      used += cost
    }
    tasks.push({ task: up, description: task.description, shown: section !== '' && !full })
    up = task.parent
  }
  const hidden = full ? tasks.filter(({ shown }) => !shown).length : 0
  const note = hidden > 0 ? [`(The histories of ${hidden} tasks above these do not fit and are not shown.)\n`] : []
  return { text: [...note, ...sections].join('\n'), tasks, tokens: used }
}

export async function liveOf(desk: Board, id: string): Promise<LiveHistory | null> {
  const { description, preset } = await taskOf(desk, id)
  const { source, asked } = await keptOf(desk, id)
  if (!source) return null
  const gathered = await ofConversation(desk, source, preset)
  const now = desk.env.now()
  const { section, receipt } = await handOver(desk, gathered, { description, preset, ...asked, now })
  const { head } = gathered.source ?? source
  return { ...source, head, moved: head !== source.head, section, receipt }
}
