/** The life of one agent, from its start to its end, and what the store is told of it. */

import type { Agent, AgentState, Exit, Runner, RunnerJob, Running } from '../record/agent.js'
import type { Prompt } from '../record/contract.js'
import type { Board } from '../record/desk.js'
import { finding, log, progress } from '../record/timeline.js'
import { identityOf } from '../runners/group.js'
import { endAgent, type Insist, keep } from './end.js'
import { type Prints, savePrints } from './output.js'
import { openRing } from './ring.js'

export interface Life {
  /** Resolves when everything about its end is stored. */
  readonly ended: Promise<Agent>
  prints(): Prints
  end(reason: EndReason): void
}

export type EndReason = 'killed' | 'timed_out' | 'closed'

interface Birth {
  readonly desk: Board
  readonly agent: Agent
  readonly runner: Runner
  readonly prompt: Pick<Prompt, 'text' | 'images'>
  readonly insist: Insist
}

const errorBytes = 64 * 1024
/** The more there is, the less often all of it is written again. */
const slowest = 5

export function live({ desk, agent, runner, prompt, insist }: Birth): Life {
  const { limits } = desk
  const { id, task, folder, model } = agent
  const rings = { out: openRing(limits.outputHead, limits.outputTail), err: openRing(errorBytes, errorBytes) }
  const control = new AbortController()
  const prints = (): Prints => ({ out: rings.out.kept(), err: rings.err.kept() })
  const printed = (): number => rings.out.total + rings.err.total
  const end = (reason: EndReason): void => control.abort(reason)

  const run = async (): Promise<Agent> => {
    const { pid, ended } = begin(runner, {
      ...{ task, agent: id, prompt: prompt.text, images: prompt.images, folder, model, signal: control.signal },
      write: (stream, bytes) => rings[stream].write(bytes),
      progress: (update) => progress(desk, task, { ...update, agent: id }),
      finding: (found) => finding(desk, task, { ...found, agent: id }),
    })
    const timeout = setTimeout(() => end('timed_out'), agent.timeoutMs)
    const isKnown = await began(desk, agent, pid).catch(() => false)
    // what nobody knows of does not run
    if (!isKnown) end('closed')
    const heart = beating(desk, agent, { printed, prints, end })
    const exit = await ended
    clearTimeout(timeout)
    await heart.stop()
    return insist(() => over(desk, agent, exit, control.signal, prints(), printed()))
  }
  return { ended: run(), prints, end }
}

/** Whatever a runner does, its agent comes to an end. */
function begin(runner: Runner, job: RunnerJob): Running {
  try {
    const { pid, ended } = runner.start(job)
    return { pid, ended: ended.catch((error: unknown) => failed('failed', error)) }
  } catch (error) {
    return { pid: null, ended: Promise.resolve(failed('not_started', error)) }
  }
}

const failed = (code: string, error: unknown): Exit => ({
  code: null,
  signal: null,
  error: { code, message: error instanceof Error ? error.message : 'the runner failed' },
  result: null,
})

/** False when it was ended meanwhile. */
async function began(desk: Board, { id, task }: Agent, pid: number | null): Promise<boolean> {
  const at = desk.env.now()
  const identity = pid === null ? null : identityOf(pid)
  const { state } = await keep(desk, id, task, (known) =>
    known.endedAt === null ? { ...known, state: 'running', pid, identity, startedAt: at, seenAt: at } : known,
  )
  if (state === 'running') await log(desk, task, { type: 'agent', agent: id, state })
  return state === 'running'
}

async function over(
  desk: Board,
  { id, task, ...agent }: Agent,
  exit: Exit,
  signal: AbortSignal,
  prints: Prints,
  outputBytes: number,
): Promise<Agent> {
  if (outputBytes > 0) await savePrints(desk, { id, task, ...agent }, prints)
  const reason = signal.aborted ? (signal.reason as EndReason) : null
  const state = stateOf(exit, reason)
  const told = reason === null ? exit : { ...exit, error: { code: reason, message: reasons[reason] } }
  return endAgent(desk, id, task, { state, outputBytes, exit: told })
}

const reasons: Readonly<Record<EndReason, string>> = {
  killed: 'someone asked for its end',
  timed_out: 'it took longer than it may',
  closed: 'the process that ran it came to its end',
}

function stateOf({ code, error }: Exit, reason: EndReason | null): AgentState {
  if (reason !== null) return reason === 'timed_out' ? 'timed_out' : 'killed'
  return code === 0 && error === null ? 'completed' : 'failed'
}

interface Beating {
  readonly printed: () => number
  readonly prints: () => Prints
  readonly end: (reason: EndReason) => void
}

/** Says that the agent lives, stores what it printed, and hears when another process asks for its end. */
export function beating(desk: Board, agent: Agent, { printed, prints, end }: Beating): { stop(): Promise<void> } {
  let saved = 0
  let pause = 1
  let skip = 0
  let last: Promise<void> = Promise.resolve()
  const beat = async (): Promise<void> => {
    const total = printed()
    if (total > saved && --skip <= 0) {
      await savePrints(desk, agent, prints())
      saved = total
      skip = pause = Math.min(slowest, pause + 1)
    }
    const seen = { seenAt: desk.env.now(), outputBytes: total }
    const known = await keep(desk, agent.id, agent.task, (now) => (now.endedAt ? now : { ...now, ...seen }))
    if (known.asked === 'kill') end('killed')
    // someone took its owner for dead
    if (known.endedAt !== null) end('closed')
  }
  // a store that cannot be reached for a while does not end an agent
  const timer = setInterval(() => {
    last = last.then(beat).catch(() => {})
  }, desk.limits.beatMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await last
    },
  }
}
