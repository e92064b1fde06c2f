/** The runs of a server: started here, followed from anywhere, ended exactly once. */

import { HistoryError } from '../core/message/issue.js'
import { lru } from '../core/message/lru.js'
import { envOf, writingOf } from '../engine/writing.js'
import { digest } from '../store/shared/runtime.js'
import { askToStop, beginRun, endInLine, freshRun, settingOf } from './begin.js'
import type { Run, RunRequest, Runs, Started } from './contract.js'
import { type Floor, isRefused, type RunsOptions, refused } from './floor.js'
import { follow } from './follow.js'
import { decide, resumed } from './going-on.js'
import { rememberHistories } from './histories.js'
import { elsewhere, findRun, repeatedRun, runPage, runsAtWork, theRun } from './look.js'
import { rememberPrefixes } from './prefix.js'
import { preview } from './preview.js'
import { enqueue, nextInLine } from './queue.js'
import { recoverRuns } from './recover.js'
import { isOver, runIdOf, runKinds } from './run.js'

/** Answers that belong to the server. @example await openRuns({ store, models }).start({ workspace: 'default', conversation, message: 'Hello' }) */
export function openRuns(options: RunsOptions): Runs {
  const { store, leaseSeconds = 15, most = 256 } = options
  const env = envOf(options.env)
  let draining = false
  const floor: Floor = {
    options,
    store,
    env,
    leaseSeconds,
    active: new Map(),
    prefixes: rememberPrefixes(),
    histories: options.histories ?? rememberHistories(),
    tidying: new Set(),
    unsummarised: lru(1_000),
    free: (workspace, conversation) => void advance(workspace, conversation).catch(() => {}),
  }
  const { active } = floor

  /** Starts what waits in line, if nothing is at work. */
  const advance = async (workspace: string, conversation: string): Promise<void> => {
    if (draining) return
    const next = await nextInLine(store, workspace, conversation)
    if (!next) return
    try {
      const { ended, repeated } = await beginRun(floor, next.request, next.run.id, true)
      ended.catch(() => {})
      if (!repeated) return
      // it ran before it got in line, asked for twice at once
      await skip(workspace, next.run)
    } catch (error) {
      if (isRefused(error, 'record_moved') && (await hasRun(workspace, next.run))) await skip(workspace, next.run)
      else if (isAtWork(error, next.request)) void behind(workspace, conversation, busyWith(error)).catch(() => {})
      else if (HistoryError.is(error) && !isRefused(error, ...passing)) await fail(next.run, workspace, error)
      // someone else was faster
      else if (!isRefused(error, 'record_moved', 'gone', 'not_found')) throw error
    }
  }

  /** Begun or stopped before it got in line, and still there: who begins from the line leaves it in the same commit. */
  const hasRun = async (workspace: string, { id }: Run): Promise<boolean> =>
    (await store.getRecord(workspace, runKinds.run, id)) !== null &&
    (await store.getRecord(workspace, runKinds.queued, id)) !== null

  /** It must not keep those behind it waiting for ever. */
  const skip = async (workspace: string, { id, conversation }: Run): Promise<void> => {
    await store.removeRecord(workspace, runKinds.queued, id)
    await advance(workspace, conversation)
  }

  /** It can never begin, and must not keep those behind it waiting. */
  const fail = async (waits: Run, workspace: string, { code, message }: HistoryError): Promise<void> => {
    await endInLine(store, workspace, { ...waits, state: 'failed', error: { code, message } }, env.now())
    await advance(workspace, waits.conversation)
  }

  /** Someone got in between: it need not know of the line, so its end is awaited here. */
  const behind = async (workspace: string, conversation: string, other: string): Promise<void> => {
    const { newest } = await store.events(workspace, conversation, 0, 1)
    const run = await findRun(store, workspace, conversation, other)
    if (run && !isOver(run)) await elsewhere(store, workspace, conversation, other, newest)
    await advance(workspace, conversation)
  }

  const wait = async (request: RunRequest, id: string, behind: string): Promise<Started> => {
    const { workspace, conversation } = request
    const setting = await settingOf(floor, request)
    const run: Run = { ...freshRun(id, request, setting, env.now()), state: 'queued' }
    const after = await enqueue(store, request, run, behind)
    if (after === null) return repeatedRun(floor, workspace, conversation, id)
    const ended = elsewhere(store, workspace, conversation, id, after)
    ended.catch(() => {})
    await advance(workspace, conversation)
    // it may have ended before it got in line: then nothing more is told of it
    const now = await findRun(store, workspace, conversation, id)
    if (now && isOver(now)) return repeatedRun(floor, workspace, conversation, id)
    return { run, repeated: false, after, warnings: [], ended, answer: () => null, cut: () => [] }
  }

  const start = async (request: RunRequest): Promise<Started> => {
    if (draining) throw refused('unavailable', 'the server is shutting down')
    const mine = [...active.values()].filter(({ workspace }) => workspace === request.workspace)
    if (mine.length >= most) throw refused('too_many_runs', `${most} runs are at work; try again when one has ended`)
    const id = request.key === undefined ? `run_${env.id()}` : keyedId(request)
    try {
      return await beginRun(floor, request, id)
    } catch (error) {
      // it came twice, and has begun meanwhile
      if (isRefused(error, 'record_moved')) return repeatedRun(floor, request.workspace, request.conversation, id)
      if (!isAtWork(error, request)) throw error
      const other = busyWith(error)
      if (other === id) return repeatedRun(floor, request.workspace, request.conversation, id)
      if (request.whenBusy !== 'queue') throw error
      return wait(request, id, other)
    }
  }

  return {
    start,
    decide: async (workspace, conversation, id, decisions) => {
      const { run, next } = await decide({ store, workspace, conversation }, id, decisions, env.now())
      return { run, next: next && (await start(next)) }
    },
    resume: async (workspace, conversation, id) => start(await resumed({ store, workspace, conversation }, id)),
    preview: (request) => preview(floor, request),
    get: (workspace, conversation, id) => findRun(store, workspace, conversation, id),
    list: (workspace, conversation, query) => runPage(store, workspace, conversation, query),
    active: async (workspace, conversation) => (await runsAtWork(store, workspace, conversation))[0] ?? null,
    async stop(workspace, conversation, id) {
      const here = active.get(id)
      if (here?.workspace === workspace && here.conversation === conversation) {
        here.control.abort('stopped')
        return here.ended
      }
      const run = await theRun(store, workspace, conversation, id)
      if (isOver(run)) return run
      try {
        const after = await askToStop(store, workspace, run, env.now())
        return await elsewhere(store, workspace, conversation, id, after)
      } catch (error) {
        if (!isRefused(error, 'record_moved')) throw error
        return this.stop(workspace, conversation, id)
      }
    },
    follow: (workspace, conversation, after, signal) => follow(store, workspace, conversation, after, signal),
    async recover(workspaces) {
      let count = 0
      for (const workspace of workspaces) {
        const found = await recoverRuns({ store, workspace, writing: writingOf(env), leaseSeconds })
        count += found.length
        const waiting = await store.records(workspace, { kind: runKinds.queued, limit: 100 })
        const places = new Set([...found, ...waiting.items.flatMap(({ conversation }) => conversation ?? [])])
        for (const conversation of places) await advance(workspace, conversation)
      }
      return count
    },
    async drain(graceMs) {
      draining = true
      const all = () => Promise.allSettled([...active.values()].map(({ ended }) => ended))
      await within(all(), graceMs)
      for (const { control } of active.values()) control.abort('interrupted')
      await all()
    },
  }
}

/** What may be otherwise the next time. */
const passing = ['unavailable', 'storage_full', 'newer_format', 'record_moved', 'gone', 'not_found'] as const

/** Another run, or this very one, which came twice at once: a message would have been known by its key. */
const isAtWork = (error: unknown, { message }: RunRequest): error is HistoryError =>
  isRefused(error, 'busy') || (message === undefined && isRefused(error, 'id_conflict'))

/** The run that the conversation is busy with. */
const busyWith = (error: HistoryError): string => runIdOf(String(error.issues[0]?.value))

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

const keyedId = ({ conversation, key = '' }: RunRequest): string =>
  `run_${digest(`${conversation}\n${key}`).slice(0, 32)}`
