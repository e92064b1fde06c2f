/** The agents of this process: those that run, and those that wait for a place. */
import { hostname } from 'node:os'
import { HistoryError } from '../../core/message/issue.js'
import type { Agent, Deployed, DeployRequest, Runner } from '../record/agent.js'
import type { Prompt, Task } from '../record/contract.js'
import { type Board, kinds, put, read, sleep } from '../record/desk.js'
import { illegalMove, invalid, missingTask, tooLarge } from '../record/refuse.js'
import { isTaskOver } from '../record/state.js'
import { begunTask, counted, log } from '../record/timeline.js'
import { identityOf } from '../runners/group.js'
import { endAgent, type Insist, isPassing, keep } from './end.js'
import { beating, type EndReason, type Life, live } from './life.js'
import { type Prints, readPrints, silent } from './output.js'

interface Crew {
  deploy(task: Task, folder: string | null, order: Order): Promise<Deployed>
  kill(agent: string): Promise<Agent>
  prints(agent: Agent): Promise<Prints>
  close(): Promise<void>
}

interface Order {
  readonly request: DeployRequest
  readonly runner: Runner
  readonly prompt: (agent: string) => Prompt
}

export const taskIdOf = (agent: string): string => agent.slice(0, agent.lastIndexOf('.'))

export async function agentOf(desk: Board, id: string): Promise<Agent> {
  const agent = await read<Agent>(desk, kinds.agent(taskIdOf(id)), id)
  if (!agent) throw missingTask('agent', id)
  return agent
}

/** Either it waits for a place or it lives. */
interface Post {
  readonly ended: Promise<Agent>
  end(reason: EndReason): void
  life: Life | null
}

export function openCrew(desk: Board): Crew {
  const posts = new Map<string, Post>()
  /** Agents that were never told of, on their way out. */
  const gone = new Set<Promise<unknown>>()
  const waiting: (() => void)[] = []
  let free = desk.limits.agentsAtOnce
  let closed = false

  /** A place among those that run, when one is free. */
  const queueUp = () => {
    let come = (): void => {}
    const came = new Promise<void>((resolve) => {
      come = resolve
    })
    if (free > 0) {
      free--
      come()
    } else waiting.push(come)
    const leave = (): void => {
      const at = waiting.indexOf(come)
      if (at >= 0) return void waiting.splice(at, 1)
      const next = waiting.shift()
      if (next) next()
      else free++
    }
    return { came, leave }
  }

  /** While the store cannot be reached, again and again, for as long as this process is not about to end. */
  const insist: Insist = async (work) => {
    for (let left = 3; ; ) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error) || (closed && --left <= 0)) throw error
        await sleep(desk.limits.beatMs)
      }
    }
  }

  const man = (agent: Agent, runner: Runner, prompt: Prompt): Post => {
    let called: EndReason | null = null
    let callOff = (): void => {}
    const calledOff = new Promise<void>((resolve) => {
      callOff = resolve
    })
    const run = async (): Promise<Agent> => {
      const place = queueUp()
      // who waits lives, too
      const heart = beating(desk, agent, { printed: () => 0, prints: () => silent, end: post.end })
      await Promise.race([place.came, calledOff])
      await heart.stop()
      try {
        const off = called
        if (off !== null) return await insist(() => neverBegan(desk, agent, off))
        post.life = live({ desk, agent, runner, prompt, insist })
        return await post.life.ended
      } finally {
        place.leave()
        posts.delete(agent.id)
      }
    }
    const post: Post = {
      life: null,
      ended: Promise.resolve().then(run),
      end: (reason) => {
        called ??= reason
        callOff()
        post.life?.end(reason)
      },
    }
    // whoever does not wait for the end is not troubled by it
    post.ended.catch(() => {})
    return post
  }

  /** Takes the next number among the agents of a task, which is active from then on. */
  const enlist = async (task: Task, make: (id: string) => Agent): Promise<Agent> => {
    mayWork(desk, task)
    for (let number = task.counts.agents + 1; ; number++) {
      const agent = make(`${task.id}.${number}`)
      try {
        // the agent is there before the task counts it, so that none is counted that nobody ends
        if (!(await wasFree(put(desk, kinds.agent(task.id), agent.id, agent)))) continue
        await log(desk, task.id, { type: 'agent', agent: agent.id, state: 'queued' }, (now) =>
          counted(begunTask(mayWork(desk, now), desk.env.now(), begins), 'agents'),
        )
        return agent
      } catch (error) {
        const leaving = insist(() => neverBegan(desk, agent, 'not_started')).catch(() => undefined)
        gone.add(leaving)
        void leaving.finally(() => gone.delete(leaving))
        throw error
      }
    }
  }

  return {
    async deploy(task, folder, { request, runner, prompt }) {
      if (closed) throw invalid([{ code: 'task.closed', field: 'runner', message: 'no agents are started any more' }])
      const agent = await enlist(task, (id) =>
        recruit(desk, { id, task: task.id, folder, tokens: prompt(id).tokens }, request),
      )
      const post = man(agent, runner, prompt(agent.id))
      posts.set(agent.id, post)
      return { agent, ended: post.ended }
    },
    async kill(id) {
      const agent = await keep(desk, id, taskIdOf(id), (known) =>
        known.endedAt !== null || known.asked === 'kill' ? known : { ...known, asked: 'kill' },
      )
      const post = posts.get(id)
      if (!post) return agent
      post.end('killed')
      return post.ended
    },
    async prints(agent) {
      return posts.get(agent.id)?.life?.prints() ?? readPrints(desk, agent)
    },
    async close() {
      closed = true
      const all = [...posts.values()]
      for (const post of all) post.end('closed')
      await Promise.allSettled([...all.map(({ ended }) => ended), ...gone])
    },
  }
}

/** What a task may be that an agent begins to work on. */
const begins = ['registered', 'blocked', 'completed', 'failed'] as const

function mayWork({ limits }: Board, task: Task): Task {
  if (isTaskOver(task)) throw illegalMove(task.state, 'active')
  const { agents } = task.counts
  if (agents >= limits.agentsPerTask) throw tooLarge('agents', 'the task has too many agents already', agents)
  return task
}

/** False when someone else has the name already. */
async function wasFree(written: Promise<void>): Promise<boolean> {
  try {
    await written
    return true
  } catch (error) {
    if (HistoryError.is(error) && error.code === 'record_moved') return false
    throw error
  }
}

interface Recruit {
  readonly id: string
  readonly task: string
  readonly folder: string | null
  readonly tokens: number
}

function recruit({ env, limits }: Board, { tokens, ...who }: Recruit, request: DeployRequest): Agent {
  const { runner, model = null, timeoutMs = limits.timeoutMs } = request
  const at = env.now()
  return {
    ...who,
    ...{ runner, model, timeoutMs, promptTokens: tokens, outputBytes: 0 },
    owner: { host: hostname(), pid: process.pid, identity: identityOf(process.pid) },
    state: 'queued',
    pid: null,
    identity: null,
    exit: null,
    asked: null,
    deployedAt: at,
    startedAt: null,
    endedAt: null,
    seenAt: at,
  }
}

async function neverBegan(desk: Board, { id, task }: Agent, code: EndReason | 'not_started'): Promise<Agent> {
  const error = { code, message: 'it was ended before it began' }
  const exit = { code: null, signal: null, error, result: null }
  return endAgent(desk, id, task, { state: code === 'not_started' ? 'failed' : 'killed', exit })
}
