/**
 * A world in which one number decides everything: who speaks when, how long each call takes, which answers are lost, when a
 * server dies between two writes, and how the clock jumps. Time is not real, so that a failing number fails again in the same way.
 */
import { HistoryError } from '../../src/core/message/issue.js'
import { findModel } from '../../src/core/tokens/models.js'
import { openHistory } from '../../src/engine/history.js'
import type { Models } from '../../src/models/wire/contract.js'
import type { Run, Runs } from '../../src/runs/contract.js'
import { openRuns } from '../../src/runs/runs.js'
import type { Step } from '../../src/store/contract/commit.js'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { refusal } from '../../src/store/shared/refuse.js'
import { Broken, type Known, type Place, type Said, watchLaws } from './laws.js'
import { beginTime, type Time } from './time.js'

/** Changes the steps of a commit as a mistake in the code of runs would. */
export type Mutant = (steps: readonly Step[]) => readonly Step[] | readonly (readonly Step[])[]

export interface Report {
  readonly operations: number
  readonly calls: number
  readonly crashes: number
  readonly lost: number
  readonly runs: number
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

interface Server {
  readonly store: Store
  readonly runs: Runs
  alive: boolean
  /** Until then it does not get on: longer than a lease, and another server takes its runs. */
  frozen: number
}

const workspaces = ['w', 'x'] as const
const conversations = ['a', 'b'] as const
/** A new one each time: whoever waits for one that is shared is never let go of, and 400,000 operations held 4 GB. */
const never = () => new Promise<never>(() => {})
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** One stretch of operations on a fresh store; throws `Broken` when a law does not hold. */
export async function episode(seed: number, operations: number, mutant?: Mutant): Promise<Report> {
  const time = beginTime(Date.UTC(2026, 0, 1))
  // refusals are many here, and nobody reads where they come from
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await live(time, seed, operations, mutant)
  } finally {
    time.end()
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function live(time: Time, seed: number, operations: number, mutant: Mutant | undefined): Promise<Report> {
  const roll = dice(seed)
  const chance = (percent: number): boolean => roll(100) < percent
  const pick = <T>(some: readonly T[]): T => some[roll(some.length)] as T
  const base = memoryStore(() => performance.now() / 1_000)
  const counts = { operations, calls: 0, crashes: 0, lost: 0, runs: 0 }
  let calm = false
  let id = 0
  const env = { id: () => `i${id++}`, now: () => new Date().toISOString() }

  /** What one server sees of the store: slow, failing, and silent once it is dead. */
  const seenBy = (server: () => Server | undefined): Store => {
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
    const methods = { ...base, commit } as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
    const wrapped = Object.entries(methods).map(([name, method]) =>
      name === 'watch' || name === 'close' ? [name, method] : [name, troubled(name, method)],
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

  const open = (): Server => {
    let made: Server | undefined
    const store = seenBy(() => made)
    const shared = { store, models, env, recaller: null, compaction: 'off', leaseSeconds: 2 } as const
    made = { store, runs: openRuns(shared), alive: true, frozen: 0 }
    return made
  }

  const servers: Server[] = [open(), open()]
  const laws = watchLaws(base, workspaces, conversations)
  for (const workspace of workspaces)
    for (const conversation of conversations) await base.create(workspace, { id: conversation, at: env.now() })

  const within = <T>(work: Promise<T>): Promise<T | null> => Promise.race([work, pause(4_000).then(() => null)])
  const passing = (error: unknown): null => {
    if (HistoryError.is(error) && error.code !== 'invalid') return null
    throw error
  }

  /** Nothing fails any more, and nobody recovers anything: what waits begins although the server is gone where it got in line. */
  const afterwards = async (): Promise<void> => {
    const place = { workspace: pick(workspaces), conversation: pick(conversations), whenBusy: 'queue' } as const
    const [one, other] = [open(), open()]
    const say = (key: string) => ({ ...place, key, message: `${place.workspace}-${place.conversation}-${key}` })
    let [waits, first, stopped]: (Run | null)[] = [null, null, null]
    const happens = async (): Promise<void> => {
      const { run, ended } = await one.runs.start(say('first'))
      waits = (await other.runs.start(say('second'))).run
      other.alive = false
      first = await ended
      stopped = await one.runs.stop(place.workspace, place.conversation, run.id)
    }
    void happens().catch((error: unknown) => failures.push(error))
    await time.pass(20_000)
    if (failures.length > 0) throw failures[0]
    const left = waits as Run | null
    const over = left && (await base.getRecord(place.workspace, 'run', left.id))
    if (left?.state === 'queued' && !over) throw new Broken(`run ${left.id} waits for nobody`)
    if (JSON.stringify(stopped) !== JSON.stringify(first)) throw new Broken('a run that is over was stopped again')
  }

  const failures: unknown[] = []
  /** As an honest client: the same request with the same key, until someone answers. */
  const ask = async (said: Said, whenBusy: 'queue' | 'refuse'): Promise<void> => {
    const { workspace, conversation, text, key } = said
    const send = (server: Server) => {
      laws.sending(said)
      const message = text === null ? null : { message: text }
      return within(server.runs.start({ workspace, conversation, ...message, key, whenBusy })).catch(
        (error: unknown) => {
          if (!HistoryError.is(error)) throw error
          // there may be nothing to answer yet
          if (!(text === null && error.code === 'invalid')) laws.refused(said, error)
          return null
        },
      )
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const sent = chance(20) ? [pick(servers), pick(servers)] : [pick(servers)]
      const answers = await Promise.all(sent.map(send))
      for (const started of answers) {
        if (!started) continue
        const heard = started.ended.then(
          (run) => laws.ended(said, run),
          () => {},
        )
        void heard.catch((error: unknown) => failures.push(error))
        laws.started(said, started.run)
      }
      if (answers.some((one) => one !== null)) return
    }
  }

  const tell = async (said: Said): Promise<void> => {
    const { workspace, conversation, text, key } = said
    for (let attempt = 0; attempt < 3; attempt++) {
      const { store } = pick(servers)
      const write = async () => {
        const history = await openHistory({ store, workspace, conversation, env, recaller: null })
        return history.append({ role: 'user', content: text }, { key })
      }
      if ((await within(write()).catch(passing)) === null) continue
      laws.acknowledged(said)
      return
    }
  }

  /** A reader that takes its time, and goes on at another server when its own falls silent; misses nothing, gets nothing twice. */
  const listen = async ({ workspace, conversation }: Place, slowness: number): Promise<void> => {
    let last = 0
    for (let attempt = 0; attempt < 3; attempt++) {
      const control = new AbortController()
      const hear = async (): Promise<void> => {
        for await (const { number } of pick(servers).runs.follow(workspace, conversation, last, control.signal)) {
          if (number !== last + 1)
            throw new Broken(`a reader of ${workspace}/${conversation} got ${number} after ${last}`)
          last = number
          await pause(slowness)
        }
      }
      await Promise.race([hear(), pause(1_500)]).catch(passing)
      control.abort()
    }
  }

  /** What is over stays over, whoever is asked. */
  const look = async (server: Server, { workspace, conversation, id }: Known): Promise<void> => {
    const run = await within(server.runs.get(workspace, conversation, id)).catch(passing)
    if (run && ['active', 'queued'].includes(run.state)) throw new Broken(`run ${id} is over and was told ${run.state}`)
  }

  const underWay = new Set<Promise<void>>()
  const go = (work: Promise<void>): void => {
    const kept = work.catch((error: unknown) => void failures.push(error)).finally(() => underWay.delete(kept))
    underWay.add(kept)
  }

  for (let n = 0; n < operations; n++) {
    const place = { workspace: pick(workspaces), conversation: pick(conversations) }
    const said: Said = { ...place, text: `${place.workspace}-${place.conversation}-${n}`, key: `k${n}` }
    const what = roll(100)
    if (what < 40) go(ask(chance(15) ? { ...said, text: null } : said, chance(70) ? 'queue' : 'refuse'))
    else if (what < 45) go(listen(place, roll(200)))
    else if (what < 65) go(tell(said))
    else if (what < 75) {
      const run = laws.anyRun(roll)
      const { runs } = pick(servers)
      if (run)
        go(
          within(runs.stop(run.workspace, run.conversation, run.id)).then(
            () => undefined,
            () => undefined,
          ),
        )
    } else if (what < 80) {
      const run = laws.anyRun(roll)
      if (run && laws.isOver(run.id)) go(look(pick(servers), run))
    } else if (what < 88)
      go(
        within(pick(servers).runs.recover(workspaces))
          .then(() => undefined, passing)
          .then(() => undefined),
      )
    else if (what < 94) {
      const at = roll(servers.length)
      ;(servers[at] as Server).alive = false
      servers[at] = open()
      counts.crashes++
    } else if (what < 96) pick(servers).frozen = performance.now() + roll(5_000)
    else time.jump((roll(1_200) - 600) * 1_000)
    await time.pass(roll(250))
    await laws.look(place)
    if (failures.length > 0) throw failures[0]
  }

  calm = true
  for (let round = 0; round < 400 && (round < 4 || underWay.size > 0 || (await laws.isBusy())); round++) {
    go(
      within((servers[0] as Server).runs.recover(workspaces))
        .then(() => undefined, passing)
        .then(() => undefined),
    )
    await time.pass(2_500)
    if (failures.length > 0) throw failures[0]
  }
  if (underWay.size > 0) throw new Broken(`${underWay.size} requests never got an answer`)
  counts.runs = await laws.atRest()
  await afterwards()
  return counts
}
