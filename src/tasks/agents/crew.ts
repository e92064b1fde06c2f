/** The agents of this process: those that run, and those that wait for a place. */
import { hostname } from 'node:os'
import type { Agent, Deployed, DeployRequest, Runner } from '../record/agent.js'
import type { Prompt, Task } from '../record/contract.js'
import { type Board, kinds, put, read } from '../record/desk.js'
import { illegalMove, invalid, missingTask, tooLarge } from '../record/refuse.js'
import { isTaskOver } from '../record/state.js'
import { begunTask, counted, log } from '../record/timeline.js'
import { identityOf } from '../runners/group.js'
import { endAgent, keep } from './end.js'
import { type EndReason, type Life, live } from './life.js'
import { type Prints, readPrints } from './output.js'

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
  const waiting: (() => void)[] = []
  let free = desk.limits.agentsAtOnce
  let closed = false

  const place = (): Promise<void> => {
    if (free <= 0) return new Promise((resolve) => waiting.push(resolve))
    free--
    return Promise.resolve()
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  const man = (agent: Agent, runner: Runner, prompt: Prompt): Post => {
    let called: EndReason | null = null
    const run = async (): Promise<Agent> => {
      await place()
      try {
        if (called !== null) return await neverBegan(desk, agent, called)
        post.life = live({ desk, agent, runner, prompt })
        return await post.life.ended
      } finally {
        leave()
        posts.delete(agent.id)
      }
    }
    const post: Post = {
      life: null,
      ended: Promise.resolve().then(run),
      end: (reason) => {
        called ??= reason
        post.life?.end(reason)
      },
    }
    // whoever does not wait for the end is not troubled by it
    post.ended.catch(() => {})
    return post
  }

  return {
    async deploy(task, folder, { request, runner, prompt }) {
      if (closed) throw invalid([{ code: 'task.closed', field: 'runner', message: 'no agents are started any more' }])
      const id = await enlist(desk, task.id)
      const made = prompt(id)
      const agent = recruit(desk, { id, task: task.id, folder, tokens: made.tokens }, request)
      await put(desk, kinds.agent(task.id), id, agent)
      const post = man(agent, runner, made)
      posts.set(id, post)
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
      await Promise.allSettled(all.map(({ ended }) => ended))
    },
  }
}

/** Takes the next number among the agents of a task, which is active from then on. */
async function enlist(desk: Board, task: string): Promise<string> {
  const idOf = ({ counts }: Task): string => `${task}.${counts.agents}`
  const enlisted = await log(
    desk,
    task,
    (_, after) => ({ type: 'agent', agent: idOf(after), state: 'queued' }),
    (now) => {
      if (isTaskOver(now)) throw illegalMove(now.state, 'active')
      const { agents } = now.counts
      if (agents >= desk.limits.agentsPerTask) throw tooLarge('agents', 'the task has too many agents already', agents)
      const at = desk.env.now()
      return counted(begunTask(now, at, ['registered', 'blocked', 'completed', 'failed']), 'agents')
    },
  )
  return idOf(enlisted.task)
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

async function neverBegan(desk: Board, { id, task }: Agent, reason: EndReason): Promise<Agent> {
  const endedAt = desk.env.now()
  const error = { code: reason, message: 'it was ended before it began' }
  const exit = { code: null, signal: null, error, result: null }
  return endAgent(desk, id, task, (known) => ({ ...known, state: 'killed', exit, endedAt, seenAt: endedAt }))
}
