/** What must hold for tasks and agents: at every write of the store, and when nothing is under way any more. */
import type { RecordPut } from '../../src/store/contract/record.js'
import type { Store } from '../../src/store/contract/store.js'
import type { Agent } from '../../src/tasks/record/agent.js'
import type { Task, TaskState, Tasks, TimelineEntry } from '../../src/tasks/record/contract.js'
import { Broken } from './laws.js'

export interface KnownTask {
  readonly workspace: string
  readonly id: string
  readonly description: string
}

/** The server that an agent's process belongs to. */
interface Owner {
  readonly number: number
  readonly alive: boolean
  readonly frozen: number
}

interface Job {
  readonly owner: Owner
  readonly agent: string
}

/** What may follow, seen from outside; what its agents ended may be taken up again. */
const following: Readonly<Record<TaskState, readonly TaskState[]>> = {
  registered: ['active', 'cancelled'],
  active: ['blocked', 'completed', 'failed', 'cancelled'],
  blocked: ['active', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export type HandLaws = ReturnType<typeof watchHand>

export function watchHand(store: Store) {
  const tasks = new Map<string, KnownTask>()
  const agents = new Map<string, string[]>()
  const reports = new Map<string, string[]>()
  const prompts = new Map<string, string>()
  const ends = new Map<string, string>()
  const jobs = new Set<Job>()
  const states = new Map<string, TaskState>()
  /** When, by the time that does not jump, an agent was seen to have ended, or was asked to. */
  const endedAt = new Map<string, number>()
  const askedAt = new Map<string, number>()

  const expect = (holds: boolean, law: string): void => {
    if (!holds) throw new Broken(law)
  }

  const bodyOf = async <T>(workspace: string, kind: string, id: string): Promise<T | null> =>
    ((await store.getRecord(workspace, kind, id))?.body ?? null) as T | null

  const all = async <T>(workspace: string, kind: string): Promise<T[]> =>
    (await store.records(workspace, { kind, limit: 1_000 })).items.map(({ body }) => body as T)

  /** An end is told once: whatever is written of an agent afterwards says the same. */
  const ended = ({ id, state, endedAt: at, asked, exit }: Agent): void => {
    expect(at !== null || !ends.has(id), `agent ${id} is ${state} after its end as ${ends.get(id)}`)
    if (asked === 'kill' && !askedAt.has(id)) askedAt.set(id, performance.now())
    if (at === null) return
    const end = `${state} at ${at}`
    if (!ends.has(id)) {
      endedAt.set(id, performance.now())
      const owner = [...jobs].find((job) => job.agent === id)?.owner
      const lives = owner?.alive && owner.frozen < performance.now() - 8_000
      expect(!lives || exit?.error?.code !== 'lost', `agent ${id} was taken for dead, and its owner lives`)
    }
    expect((ends.get(id) ?? end) === end, `agent ${id} ended as ${ends.get(id)} and as ${end}`)
    ends.set(id, end)
  }

  const wroteTask = async (
    workspace: string,
    before: { task: Task; entries: number } | null,
    now: { task: Task; entries: number },
  ): Promise<void> => {
    const { id, state, counts } = now.task
    const [was, had] = [before?.task.state ?? 'registered', before?.entries ?? 0]
    const byAgents = before?.task.endedBy === 'agents'
    const mayFollow = byAgents ? ['active', ...following.active] : following[was]
    expect(was === state || mayFollow.includes(state), `task ${id} was ${was} and is ${state}`)
    expect(now.entries >= had && now.entries <= had + 1, `task ${id} had ${had} entries and has ${now.entries}`)
    const counted = (task: Task | undefined): number =>
      task ? task.counts.agents + task.counts.progress + task.counts.findings : 0
    const more = counted(now.task) - counted(before?.task)
    expect(more === 0 || more === 1, `task ${id} counts ${JSON.stringify(counts)} after one thing happened`)
    expect(more === 0 || now.entries > had, `task ${id} counts what its timeline does not tell`)
    if (byAgents || now.task.endedBy !== 'agents') return
    const working = (await agentsLeft(workspace, id)).filter((agent) => agent.state === 'running')
    expect(working.length === 0, `task ${id} is ${state}, and ${working[0]?.id} is at work`)
  }

  const putRecord: Store['putRecord'] = async (workspace, record) => {
    const before = await watching(workspace, record)
    const done = await store.putRecord(workspace, record)
    if (record.kind === 'task') await wroteTask(workspace, before, record.body as { task: Task; entries: number })
    if (record.kind.startsWith('task-agent/')) ended(record.body as Agent)
    return done
  }
  const watching = async (workspace: string, { kind, id }: RecordPut) =>
    kind === 'task' ? bodyOf<{ task: Task; entries: number }>(workspace, kind, id) : null

  const agentsLeft = async (workspace: string, id: string): Promise<Agent[]> =>
    (await all<Agent>(workspace, `task-agent/${id}`)).filter(({ endedAt }) => endedAt === null)

  return {
    putRecord,
    anyTask(roll: (below: number) => number, workspace: string): KnownTask | undefined {
      const own = [...tasks.values()].filter((task) => task.workspace === workspace)
      return own[roll(Math.max(1, own.length))]
    },
    anyAgent(roll: (below: number) => number, task: string): string | undefined {
      const some = agents.get(task) ?? []
      return some[roll(Math.max(1, some.length))]
    },
    registered: (workspace: string, { id, description }: Task) => void tasks.set(id, { workspace, id, description }),
    deployed: ({ id, task }: Agent) => void agents.set(task, [...(agents.get(task) ?? []), id]),
    reported: (task: string, message: string) => void reports.set(task, [...(reports.get(task) ?? []), message]),
    /** What someone who waited for an agent was told. */
    toldEnd: (agent: Agent) => ended(agent),
    async moved({ id, state }: Task, to: TaskState): Promise<void> {
      expect(state === to, `task ${id} was moved to ${to} and was told to be ${state}`)
      if (to === 'cancelled' || to === 'completed' || to === 'failed') states.set(id, to)
      const left = to === 'cancelled' ? await agentsLeft(tasks.get(id)?.workspace ?? '', id) : []
      const working = left.find((agent) => agent.state === 'running' && agent.asked === null)
      expect(working === undefined, `task ${id} is cancelled, and ${working?.id} was not asked to end`)
    },
    prompted(task: string, text: string, history: string): void {
      const known = tasks.get(task)
      expect(!known || text.includes(known.description), `the prompt of ${task} does not say what is to be done`)
      expect(
        !/\bx-[a-z]/.test(text) || known?.workspace === 'x',
        `the prompt of ${task} has words of another workspace`,
      )
      expect(
        !/\bw-[a-z]/.test(text) || known?.workspace === 'w',
        `the prompt of ${task} has words of another workspace`,
      )
      const before = prompts.get(task)
      expect(before === undefined || before === history, `the agents of ${task} are told different histories`)
      prompts.set(task, history)
    },
    /** A process begins; call back when it is over. */
    begun(owner: Owner, { agent }: { readonly task: string; readonly agent: string; readonly prompt: string }) {
      expect(![...jobs].some((job) => job.agent === agent), `agent ${agent} was started twice`)
      const job = { owner, agent }
      jobs.add(job)
      return (): void => void jobs.delete(job)
    },
    /** Nobody works on when they ended or were asked to, but for a few beats. */
    look(): void {
      const late = performance.now() - 4_000
      for (const { owner, agent } of jobs) {
        if (!owner.alive || owner.frozen > late) continue
        expect((endedAt.get(agent) ?? late) >= late, `agent ${agent} ended, and its process goes on`)
        expect((askedAt.get(agent) ?? late) >= late, `agent ${agent} was asked to end, and its process goes on`)
      }
    },
    async isBusy(): Promise<boolean> {
      for (const { workspace, id } of tasks.values()) if ((await agentsLeft(workspace, id)).length > 0) return true
      return false
    },
    /** `tasksOf`: a server that was not there before. Returns how many tasks there were. */
    async atRest(_tasksOf: (workspace: string) => Tasks): Promise<number> {
      for (const { workspace, id, description } of tasks.values()) {
        const record = await bodyOf<{ task: Task; entries: number }>(workspace, 'task', id)
        if (!record) throw new Broken(`task ${id} was acknowledged and is lost`)
        const { task, entries } = record
        expect(task.description === description, `task ${id} is another: ${task.description}`)
        const timeline = (await all<TimelineEntry>(workspace, `task-timeline/${id}`)).sort(
          (a, b) => a.number - b.number,
        )
        timeline.forEach(({ number }, at) => {
          expect(number === at + 1, `entry ${at + 1} of ${id} is missing`)
        })
        expect(
          entries === timeline.length || entries === timeline.length - 1,
          `${id} counts ${entries} of ${timeline.length} entries`,
        )
        const told = (type: TimelineEntry['type']): number =>
          timeline.slice(0, entries).filter((entry) => entry.type === type).length
        const { counts } = task
        expect(counts.progress === told('progress'), `${id} counts ${counts.progress} of ${told('progress')} reports`)
        expect(counts.findings === told('finding'), `${id} counts ${counts.findings} of ${told('finding')} findings`)
        const said = timeline.map((entry) => ('message' in entry ? entry.message : ''))
        for (const message of reports.get(id) ?? [])
          expect(said.includes(message), `"${message}" was acknowledged and is lost`)
        const last = timeline.findLast((entry) => entry.type === 'state')
        const over = ['completed', 'failed', 'cancelled']
        if (
          last?.type === 'state' &&
          over.includes(last.to) &&
          task.endedBy !== 'agents' &&
          timeline.indexOf(last) < entries
        )
          expect(
            !['registered', 'active', 'blocked'].includes(task.state) ||
              timeline.slice(timeline.indexOf(last)).some(({ type }) => type === 'agent'),
            `${id} is ${task.state}, and its timeline says ${last.to}`,
          )
        const end = states.get(id)
        expect(end === undefined || task.state === end, `${id} was moved to ${end} and is ${task.state}`)
        const crew = await all<Agent>(workspace, `task-agent/${id}`)
        for (const agent of crew) {
          expect(agent.endedAt !== null, `agent ${agent.id} of a task that is ${task.state} never ends`)
          const spoken = timeline.filter((entry) => entry.type === 'agent' && entry.agent === agent.id)
          const finals = spoken.filter(
            (entry) => entry.type === 'agent' && !['queued', 'running'].includes(entry.state),
          )
          expect(finals.length <= 1, `agent ${agent.id} was told to have ended ${finals.length} times`)
        }
        const known = crew.map((agent) => agent.id)
        for (const agent of agents.get(id) ?? [])
          expect(known.includes(agent), `agent ${agent} was acknowledged and is lost`)
        expect(
          task.state !== 'active' || counts.agents === 0,
          `${id} is active, and all its ${counts.agents} agents have ended`,
        )
      }
      for (const { owner, agent } of jobs) expect(!owner.alive, `agent ${agent} ended, and its process goes on`)
      return tasks.size
    },
  }
}
