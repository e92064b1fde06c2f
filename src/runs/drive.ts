/**
 * One run from its window to its end: a step of the model, the tools it calls, and again, until nothing is left to call.
 * Whatever the model does, the history stays legal and the run ends once.
 */
import { HistoryError } from '../core/message/issue.js'
import type { CallPart, Part } from '../core/message/item.js'
import { resultEntry, type Writing } from '../engine/window/entries.js'
import type { Source, Windowed } from '../engine/window/window.js'
import type { ModelEvent } from '../models/wire/contract.js'
import type { Step } from '../store/contract/commit.js'
import type { NewEvent, StoredEvent } from '../store/contract/event.js'
import type { Asking } from './ask.js'
import type { Run, RunEvent, RunRequest, WaitingCall } from './contract.js'
import { afterStep, type GrowingAnswer, growAnswer, overSteps, type StepPlace, stepSteps } from './ending.js'
import { isRefused } from './floor.js'
import type { Prefixes } from './prefix.js'
import { cutOff, type DraftBody, reached, stepIdOf } from './run.js'
import { openScribe, type Scribe } from './scribe.js'
import { type Spoken, speak, unspoken } from './speak.js'
import { type AgentLimits, type Done, deny, doCall, type Sorted, sortCalls, type Toolbox } from './tools/calls.js'

export interface Drive extends Asking {
  readonly source: Source
  readonly writing: Writing
  readonly epoch: number
  readonly leaseSeconds: number
  /** The number of the last event before the run's first words. */
  readonly after: number
  /** Aborted with `stopped`, `time` or `interrupted` as the reason, or because the run was lost. */
  readonly control: AbortController
  readonly prefixes: Prefixes
  /** What it can call; null where the caller runs its own tools. */
  readonly box: Toolbox | null
  readonly limits: AgentLimits
  /** Kept with a run that ends early, for whoever lets it go on. */
  readonly again: RunRequest
  /** Calls at the end of the branch that have no result yet. */
  readonly open: readonly CallPart[]
  /** Told of each window that is sent. */
  readonly sent?: (made: Windowed & { ok: true }, receipt: string) => void
  readonly heard?: ((event: ModelEvent) => void | Promise<void>) | undefined
  readonly answered?: ((done: Done) => void) | undefined
  readonly failed?: ((error: unknown) => void) | undefined
  /** Told how it ended: what was said last, and whether others told something in the conversation meanwhile. */
  readonly said?: (parts: readonly Part[] | null, isCrowded: boolean) => void
}

const none: Sorted = { run: [], denied: [], waiting: [], theirs: [] }

/** Null when the run was lost to another server, which ends it. */
export async function drive(place: Drive): Promise<Run | null> {
  const { box, control } = place
  const timer = box && setTimeout(() => control.abort('time'), Math.min(place.limits.milliseconds, 2 ** 31 - 1))
  try {
    return await steps(place)
  } catch (error) {
    if (isLost(error)) return null
    throw error
  } finally {
    if (timer) clearTimeout(timer)
  }
}

async function steps(place: Drive): Promise<Run | null> {
  const { box, control, run: begun } = place
  const { signal } = control
  let run = begun
  let said: readonly Part[] | null = null
  let calls = box && place.open.length > 0 ? await sortCalls(place.open, box, signal) : none
  let at = await openStep(place, run, calls, place.after)
  for (;;) {
    try {
      await answerCalls(place, at, calls)
    } catch (error) {
      at.scribe.leave()
      throw error
    }
    const early = signal.aborted ? cutOff(signal.reason) : restOf(place, run, calls)
    if (early) {
      const over: Run = { ...run, ...early, waiting: early.state === 'waiting' ? calls.waiting.map(waitingOf) : [] }
      return end(place, at, over, run, unspoken, growAnswer(run.id), said)
    }
    const { answer, scribe } = at
    const spoken = await speak({ ...place, ...speakingOf(place, at, run) }, answer, scribe.nudge)
    const parts = answer.parts()
    if (parts.length > 0) said = parts
    const wanted = parts.filter((part) => part.type === 'call')
    const goesOn = box !== null && spoken.finish !== null && spoken.error === null && !signal.aborted
    calls = goesOn && wanted.length > 0 ? await sortCalls(wanted, box, signal) : none
    const waits = calls.waiting.map(waitingOf)
    const after = afterStep(run, at, spoken, answer, waits)
    if (calls.run.length + calls.denied.length === 0 || signal.aborted)
      return end(place, at, after, run, spoken, answer, said)
    at = await nextStep(place, at, { ...after, state: 'active', waiting: [] }, run, spoken, calls)
    run = { ...after, state: 'active', waiting: [], endedAt: null }
  }
}

const isLost = (error: unknown): boolean => isRefused(error, 'fenced', 'gone', 'not_found', 'id_conflict')

const waitingOf = ({ id, name, input }: CallPart): WaitingCall => ({ id, name, input })

/** Why the model is not asked again, if it is not. */
function restOf({ limits, request }: Drive, run: Run, calls: Sorted): Pick<Run, 'state' | 'error'> | null {
  if (calls.waiting.length > 0) return { state: 'waiting', error: null }
  if (calls.theirs.length > 0) return { state: 'done', error: null }
  const { steps = 0, tokens = 0 } = request.spent ?? {}
  if (run.steps + steps >= limits.steps) return { state: 'stopped', error: reached('steps') }
  const used = (run.usage?.input ?? 0) + (run.usage?.output ?? 0) + tokens
  return used >= limits.tokens ? { state: 'stopped', error: reached('tokens') } : null
}

/** A draft that is held while tools run and the model speaks. */
interface OpenStep extends StepPlace {
  readonly answer: GrowingAnswer
  readonly scribe: Scribe
  /** Another server has the run now. */
  readonly isLost: () => boolean
}

const speakingOf = (place: Drive, { id, signal, writing }: OpenStep, run: Run) => ({
  id,
  signal,
  now: writing.env.now,
  current: run.steps === 0 ? place.current : null,
})

/** The draft is there already. Calls that are about to be run are written down before they are. */
async function openStep(place: Drive, run: Run, calls: Sorted, after: number): Promise<OpenStep> {
  const { source, writing, leaseSeconds, prefixes, control, model, again, box } = place
  const id = stepIdOf(run.id, run.steps + 1)
  const draft = { id, epoch: run.steps === 0 ? place.epoch : 1 }
  const kept = box ? again : undefined
  const body = (last: number | null): DraftBody => ({ ...bodyOf(run, calls, kept), after: last })
  let last = after
  if (run.steps === 0 && calls.run.length > 0) {
    const { outcomes } = await source.store.commit(source.workspace, source.conversation, [
      { do: 'save-draft', draft: { ...draft, text: '', body: body(null), leaseSeconds } },
      { do: 'emit', events: begunNews(run, calls), at: writing.env.now() },
    ])
    last = (outcomes[1] as readonly StoredEvent[]).at(-1)?.number ?? after
  }
  let lost = false
  const answer = growAnswer(run.id)
  const scribe = openScribe({
    source,
    draft,
    leaseSeconds,
    last,
    now: writing.env.now,
    gather: answer.drain,
    body,
    lost: () => {
      lost = true
      control.abort('lost')
    },
  })
  const isLost = (): boolean => lost
  return { ...draft, isLost, model, writing, prefixes, signal: control.signal, request: kept, answer, scribe }
}

const bodyOf = (run: Run, { run: begun }: Sorted, request: Drive['again'] | undefined): DraftBody => ({
  run,
  after: null,
  ...(begun.length > 0 && { running: begun.map(({ id }) => id) }),
  ...(request && { request }),
})

const begunNews = (run: Run, { run: begun }: Sorted): RunEvent[] =>
  begun.map(({ id, name }) => ({ type: 'tool-started', data: { run: run.id, id, name } }))

const asked = (run: Run, waiting: readonly WaitingCall[]): RunEvent[] =>
  waiting.map((call) => ({ type: 'approval-asked', data: { run: run.id, ...call } }))

/** The answer is kept and the next draft is opened in one commit: nobody gets in between. */
async function nextStep(
  place: Drive,
  at: OpenStep,
  run: Run,
  before: Run,
  spoken: Spoken,
  calls: Sorted,
): Promise<OpenStep> {
  const { leaseSeconds, writing, again } = place
  const next: Run = { ...run, endedAt: null }
  const id = stepIdOf(run.id, run.steps + 1)
  await at.scribe.close((told) => {
    const { steps, events } = stepSteps(run, before, at, spoken, at.answer, told)
    const body = bodyOf(next, calls, again)
    const opened: Step = {
      do: 'open-draft',
      draft: { id, branch: run.branch, parent: run.entry, leaseSeconds, at: writing.env.now(), body, sole: true },
    }
    return [...steps, opened, { do: 'emit', events: [...events, ...begunNews(run, calls)], at: writing.env.now() }]
  })
  if (at.isLost()) throw new HistoryError('fenced', [])
  return openStep(place, next, calls, at.scribe.last)
}

/** All at once; each result is kept as soon as it is there. */
async function answerCalls(place: Drive, at: OpenStep, calls: Sorted): Promise<void> {
  const { box, history, run, leaseSeconds } = place
  if (!box) return
  const { id, epoch, signal, writing } = at
  let written: Promise<unknown> = Promise.resolve()
  const keep = async (done: Done): Promise<void> => {
    const { name, told, milliseconds } = done
    const now = writing.env.now()
    const entry = {
      ...resultEntry(done, now, writing),
      meta: { run: run.id, tool: { name, state: told, milliseconds } },
    }
    const news: RunEvent = {
      type: 'tool-ended',
      data: {
        ...{ run: run.id, id: done.callId, name, state: told, milliseconds, entry: entry.id },
        ...{ text: entry.text.slice(0, shownChars), chars: entry.text.length },
      },
    }
    const also = (): Step[] => [
      { do: 'renew-draft', draft: { id, epoch, leaseSeconds } },
      { do: 'emit', events: [news], at: now },
    ]
    written = written.then(() => history.write([entry], { branch: run.branch, also }))
    await written
    place.answered?.(done)
  }
  await Promise.all([
    ...calls.denied.map((call) => keep(deny(call, box))),
    ...calls.run.map(async (call) => keep(await doCall(call, box.tools, signal))),
  ]).catch((error) => {
    // someone else has ended the run, and has said what is not known
    if (isRefused(error, 'already_answered', 'unknown_call')) throw new HistoryError('fenced', [])
    throw error
  })
}

/** Characters of a result that its event shows; the log has all of it. */
const shownChars = 2_000

async function end(
  place: Drive,
  at: OpenStep,
  ended: Run,
  before: Run,
  spoken: Spoken,
  answer: GrowingAnswer,
  said: readonly Part[] | null,
): Promise<Run | null> {
  const { source, writing } = place
  const over: Run = { ...ended, endedAt: ended.endedAt ?? writing.env.now() }
  const last = (told: readonly NewEvent[]): Step[] => {
    const { steps, events } = stepSteps(over, before, at, spoken, answer, told)
    return [...steps, ...overSteps(over, at.request, [...events, ...asked(over, over.waiting)])]
  }
  try {
    await at.scribe.close(last)
    place.said?.(over.entry === null ? null : said, at.scribe.isCrowded || over.steps > 1)
  } catch (error) {
    if (isLost(error)) return null
    if (!HistoryError.is(error) || error.code === 'unavailable') throw error
    const fault = { code: error.code, message: error.message }
    const failed: Run = { ...over, state: 'failed', entry: before.entry, waiting: [], error: fault }
    const { steps } = stepSteps(failed, before, at, spoken, answer, [])
    const last = [...steps, ...overSteps(failed, at.request, [])]
    await source.store.commit(source.workspace, source.conversation, last)
    return failed
  }
  return at.isLost() ? null : over
}
