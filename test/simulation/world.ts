/**
 * A world in which one number decides everything: who speaks when, how long each call takes, which answers are lost, when a
 * server dies between two writes, and how the clock jumps. Time is not real, so that a failing number fails again in the same way.
 */
import { HistoryError } from '../../src/core/message/issue.js'
import { findModel } from '../../src/core/tokens/models.js'
import type { Env } from '../../src/engine/window/entries.js'
import type { Service } from '../../src/http/service.js'
import type { Models } from '../../src/models/wire/contract.js'
import type { Runs } from '../../src/runs/contract.js'
import { openRuns } from '../../src/runs/runs.js'
import type { Step } from '../../src/store/contract/commit.js'
import type { RecordPut } from '../../src/store/contract/record.js'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { refusal } from '../../src/store/shared/refuse.js'
import type { Tasks } from '../../src/tasks/record/contract.js'
import { openDoor, serviceOf } from './door.js'
import { openHand, tasksFor } from './hand.js'
import { type HandLaws, watchHand } from './hand-laws.js'
import { Broken, type Place, watchLaws } from './laws.js'
import { openTalk } from './talk.js'
import { beginTime, type Time } from './time.js'

/** Changes the steps of a commit as a mistake in the code of runs would. */
export type Mutant = (steps: readonly Step[]) => readonly Step[] | readonly (readonly Step[])[]

/** What is done most: talk at the servers' own functions, work that is handed over, or requests to their doors. */
export type Mode = 'talk' | 'hand' | 'door'

export interface Report {
  readonly operations: number
  readonly calls: number
  readonly crashes: number
  readonly lost: number
  readonly runs: number
  readonly tasks: number
  readonly requests: number
}

type Dice = (below: number) => number

export function dice(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export interface Server {
  readonly number: number
  readonly store: Store
  readonly runs: Runs
  readonly tasks: (workspace: string) => Tasks
  readonly service: () => Promise<Service>
  alive: boolean
  /** Until then it does not get on: longer than a lease, and another server takes its runs. */
  frozen: number
}

/** What those who act in the world are given. */
export interface World {
  readonly time: Time
  readonly base: Store
  readonly env: Env
  readonly models: Models
  readonly failures: unknown[]
  readonly counts: { tasks: number; requests: number }
  readonly roll: Dice
  /** What must hold for tasks. */
  readonly handLaws: HandLaws
  readonly servers: () => readonly Server[]
  chance(percent: number): boolean
  pick<T>(some: readonly T[]): T
  /** A server that is not among those that are asked. */
  open(): Server
  /** Null when it takes longer than anyone waits. */
  within<T>(work: Promise<T>, ms?: number): Promise<T | null>
  /** Null for what may happen to an honest caller; all else is thrown again. */
  passing(error: unknown): null
  /** What goes on beside the rest, and must not fail. */
  go(work: Promise<void>): void
}

/** Those who do one kind of thing in the world, and what must hold for them. */
export interface Desk {
  act(n: number, place: Place): void
  /** After every step. */
  look(place: Place): Promise<void>
  recover(server: Server): Promise<unknown>
  isBusy(): Promise<boolean>
  /** When nothing is under way any more; how many there were. */
  atRest(): Promise<number>
}

export const workspaces = ['w', 'x'] as const
export const conversations = ['a', 'b'] as const
const modes: readonly Mode[] = ['talk', 'hand', 'talk', 'door']
/** A new one each time: whoever waits for one that is shared is never let go of, and 400,000 operations held 4 GB. */
const never = () => new Promise<never>(() => {})
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Wish {
  readonly mutant?: Mutant
  readonly mode?: Mode
}

/** One stretch of operations on a fresh store; throws `Broken` when a law does not hold. */
export async function episode(seed: number, operations: number, wish: Wish = {}): Promise<Report> {
  const time = beginTime(Date.UTC(2026, 0, 1))
  // refusals are many here, and nobody reads where they come from
  const { stackTraceLimit } = Error
  const { random } = Math
  const chaos = dice(seed + 1)
  Math.random = () => chaos(2 ** 30) / 2 ** 30
  Error.stackTraceLimit = 0
  try {
    return await live(time, seed, operations, wish)
  } finally {
    time.end()
    Math.random = random
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function live(time: Time, seed: number, operations: number, { mutant, mode }: Wish): Promise<Report> {
  const most = mode ?? (modes[seed % modes.length] as Mode)
  const roll = dice(seed)
  const chance = (percent: number): boolean => roll(100) < percent
  const pick = <T>(some: readonly T[]): T => some[roll(some.length)] as T
  const memory = memoryStore(() => performance.now() / 1_000)
  const counts = { operations, calls: 0, crashes: 0, lost: 0, runs: 0, tasks: 0, requests: 0 }
  let calm = false
  let id = 0
  const env = { id: () => `i${id++}`, now: () => new Date().toISOString() }
  const handLaws = watchHand(memory)
  const base: Store = { ...memory, putRecord: handLaws.putRecord }

  /** What one server sees of the store: slow, failing, and silent once it is dead. */
  const seenBy = (number: number, server: () => Server | undefined): Store => {
    const troubled = (name: string, method: (...given: unknown[]) => Promise<unknown>) => {
      return async (...given: unknown[]): Promise<unknown> => {
        counts.calls++
        await pause(roll(calm ? 2 : 12))
        const rest = (server()?.frozen ?? 0) - performance.now()
        if (rest > 0) await pause(rest)
        if (server()?.alive === false) return never()
        if (!calm && chance(2)) throw refusal('unavailable', 'the line is cut')
        const done = await method(...given)
        if (server()?.alive === false) return never()
        if (!calm && chance(2)) {
          counts.lost++
          throw refusal('unavailable', `the answer to ${name} is lost`)
        }
        return done
      }
    }
    const commit: Store['commit'] = async (workspace, conversation, steps) => {
      const changed = mutant ? mutant(steps) : steps
      const parts = (Array.isArray(changed[0]) ? changed : [changed]) as readonly (readonly Step[])[]
      if (parts.length === 1) return base.commit(workspace, conversation, parts[0] ?? [])
      const outcomes = []
      for (const part of parts) {
        outcomes.push(...(await base.commit(workspace, conversation, part)).outcomes)
        await pause(roll(5))
        if (server()?.alive === false) return never()
      }
      return { outcomes, repeated: false }
    }
    const putRecord: Store['putRecord'] = (workspace, record) => base.putRecord(workspace, elsewhere(record, number))
    const methods = { ...base, commit, putRecord } as Record<string, unknown>
    const wrapped = Object.entries(methods).map(([name, method]) =>
      name === 'watch' || name === 'close'
        ? [name, method]
        : [name, troubled(name, method as (...given: unknown[]) => Promise<unknown>)],
    )
    return Object.fromEntries(wrapped) as Store
  }

  const models: Models = {
    usual: 'test/scripted',
    list: async () => [],
    find: async () => ({
      id: 'test/scripted',
      label: 'scripted',
      kind: 'builtin',
      facts: { ...findModel('gpt-4o'), id: 'test/scripted' },
      target: 'openai-chat',
      async *stream({ signal }) {
        for (let word = roll(5); word >= 0; word--) {
          await pause(roll(400))
          signal.throwIfAborted()
          yield { type: 'text', text: `word${word} ` }
        }
        yield { type: 'finish', reason: 'stop', usage: { input: 10, output: 2 } }
      },
    }),
  }

  let opened = 0
  const open = (): Server => {
    const number = opened++
    let made: Server | undefined
    const store = seenBy(number, () => made)
    const shared = { store, models, env, recaller: null, compaction: 'off', leaseSeconds: 2 } as const
    const runs = openRuns(shared)
    const tasks = tasksFor(store, world, () => made as Server)
    made = { number, store, runs, tasks, service: serviceOf(store, runs, tasks, world), alive: true, frozen: 0 }
    return made
  }

  const failures: unknown[] = []
  const underWay = new Set<Promise<void>>()
  const within: World['within'] = (work, ms = 4_000) => Promise.race([work, pause(ms).then(() => null)])
  const passing = (error: unknown): null => {
    if (HistoryError.is(error) && error.code !== 'invalid') return null
    throw error
  }
  const go = (work: Promise<void>): void => {
    const kept = work.catch((error: unknown) => void failures.push(error)).finally(() => underWay.delete(kept))
    underWay.add(kept)
  }
  const servers: Server[] = []
  const world: World = {
    ...{ time, base, env, models, failures, counts, roll, handLaws, chance, pick, open, within, passing, go },
    servers: () => servers,
  }
  servers.push(open(), open())
  for (const workspace of workspaces)
    for (const conversation of conversations) await base.create(workspace, { id: conversation, at: env.now() })

  const laws = watchLaws(base, workspaces, conversations)
  const talk = openTalk(world, laws)
  const hand = most === 'hand' ? openHand(world) : null
  const door = most === 'door' ? await openDoor(world, laws) : null
  const desks: readonly Desk[] = [talk, hand, door].filter((desk) => desk !== null)
  const recovered = (server: Server): void => {
    for (const desk of desks)
      go(
        within(desk.recover(server), 20_000)
          .then(() => undefined, passing)
          .then(() => undefined),
      )
  }
  const looked = async (place: Place): Promise<void> => {
    for (const desk of desks) await desk.look(place)
    if (failures.length > 0) throw failures[0]
  }

  for (let n = 0; n < operations; n++) {
    const place = { workspace: pick(workspaces), conversation: pick(conversations) }
    const what = roll(100)
    const other = hand ?? door
    if (what < 80) (other && chance(70) ? other : talk).act(n, place)
    else if (what < 88) recovered(pick(servers))
    else if (what < 94) {
      const at = roll(servers.length)
      ;(servers[at] as Server).alive = false
      servers[at] = open()
      counts.crashes++
    } else if (what < 96) pick(servers).frozen = performance.now() + roll(hand ? 16_000 : 5_000)
    else time.jump((roll(1_200) - 600) * 1_000)
    await time.pass(roll(250))
    await looked(place)
  }

  calm = true
  const isBusy = async (): Promise<boolean> => {
    for (const desk of desks) if (await desk.isBusy()) return true
    return false
  }
  for (let round = 0; round < 400 && (round < (hand ? 8 : 4) || underWay.size > 0 || (await isBusy())); round++) {
    recovered(servers[0] as Server)
    await time.pass(2_500)
    if (failures.length > 0) throw failures[0]
  }
  if (underWay.size > 0) throw new Broken(`${underWay.size} requests never got an answer`)
  counts.runs = await talk.atRest()
  if (hand) counts.tasks = await hand.atRest()
  if (door) counts.requests = await door.atRest()
  return counts
}

/** Each server is a machine of its own: that its process lives is told by what it writes alone. */
function elsewhere(record: RecordPut, number: number): RecordPut {
  if (!record.kind.startsWith('task-agent/')) return record
  const body = record.body as { readonly owner: object }
  const owner = { host: `machine${number}`, pid: number, identity: null }
  return 'owner' in body && (body.owner as { host: string }).host.startsWith('machine')
    ? record
    : { ...record, body: { ...body, owner } }
}
