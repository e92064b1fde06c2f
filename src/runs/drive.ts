/** One run from its window to its end. Whatever the model does, the history stays legal and the run ends once. */

import { HistoryError } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import type { WindowItem } from '../core/window/assemble.js'
import { messageEntries, type Writing } from '../engine/window/entries.js'
import { entryAdded } from '../engine/window/news.js'
import type { Source, Windowed } from '../engine/window/window.js'
import { costOf } from '../models/prices.js'
import type { FinishReason, ModelEvent, Usage } from '../models/wire/contract.js'
import { ModelError } from '../models/wire/contract.js'
import type { Step } from '../store/contract/commit.js'
import type { NewEntry } from '../store/contract/entry.js'
import type { NewEvent } from '../store/contract/event.js'
import type { StoredReceipt } from '../store/contract/keeping.js'
import { type Answer, growAnswer } from './answer.js'
import { type Asking, ask, messageOf, receiptIdOf, receiptOf } from './ask.js'
import type { Run, RunState } from './contract.js'
import { isRefused } from './floor.js'
import type { Prefixes } from './prefix.js'
import { type DraftBody, endedBy, kinds, runEnded } from './run.js'
import { openScribe } from './scribe.js'
import { shareOf } from './share.js'
import { sounder, sound as soundText } from './sound.js'
import { until } from './until.js'
import { usageOf } from './usage.js'

export interface Drive extends Asking {
  readonly source: Source
  readonly writing: Writing
  readonly epoch: number
  readonly leaseSeconds: number
  /** The number of the last event before the run's first words. */
  readonly after: number
  /** Aborted with `stopped` or `interrupted` as the reason, or because the run was lost. */
  readonly control: AbortController
  readonly prefixes: Prefixes
  /** Told of the window that was sent. */
  readonly sent?: (made: Windowed & { ok: true }) => void
  /** Told how it ended: what was said, and whether others told something in the conversation meanwhile. */
  readonly said?: (parts: readonly Part[] | null, isCrowded: boolean) => void
}

/** How the model's part went. */
interface Spoken {
  readonly finish: FinishReason | null
  readonly stop?: string
  readonly usage: Usage | null
  readonly error: Run['error']
  readonly made: (Windowed & { ok: true }) | null
  readonly receipt: StoredReceipt | null
}

/** Null when the run was lost to another server, which ends it. */
export async function drive(place: Drive): Promise<Run | null> {
  const { source, run, epoch, leaseSeconds, after, control, writing } = place
  const answer = growAnswer(run.id)
  let lost = false
  const scribe = openScribe({
    source,
    draft: { id: run.id, epoch },
    leaseSeconds,
    last: after,
    now: writing.env.now,
    gather: answer.drain,
    body: (last): DraftBody => ({ run, after: last }),
    lost: () => {
      lost = true
      control.abort('lost')
    },
  })
  const spoken = await speak(place, answer, scribe.nudge)
  let ended = endOf(place, spoken, answer)
  try {
    await scribe.close((told) => lastSteps(place, ended, spoken, answer, told))
    place.said?.(ended.entry === null ? null : answer.parts(), scribe.isCrowded)
  } catch (error) {
    if (isLost(error)) return null
    if (!HistoryError.is(error) || error.code === 'unavailable') throw error
    ended = { ...ended, state: 'failed', entry: null, error: { code: error.code, message: error.message } }
    await source.store.commit(source.workspace, source.conversation, withoutAnswer(place, ended, []))
  }
  return lost ? null : ended
}

const isLost = (error: unknown): boolean => isRefused(error, 'fenced', 'gone', 'not_found', 'id_conflict')

async function speak(place: Drive, answer: Answer, nudge: () => void): Promise<Spoken> {
  const { run, model, request, control, writing } = place
  let spoken: Spoken = { finish: null, usage: null, error: null, made: null, receipt: null }
  let first: readonly WindowItem[] = []
  try {
    for (let step = 0; ; step++) {
      const share = step === 0 ? null : shareOf(first, step, place.current !== null)
      if (share === undefined) return spoken
      const current = place.current && messageOf(place.current)
      const made = await ask({ ...place, current }, share)
      if (!made.ok) return { ...spoken, error: { code: made.error.code, message: made.error.message } }
      place.sent?.(made)
      spoken = { ...spoken, made, receipt: receiptOf(place, made, share, writing.env.now()) }
      answer.tell({ type: 'window-made', data: newsOf(run, made, step) })
      nudge()
      try {
        const stream = model.stream({
          window: made.window,
          items: made.items,
          signal: control.signal,
          ...(place.system === undefined ? null : { system: place.system }),
          ...(request.tools === undefined ? null : { tools: request.tools }),
          ...(request.output === undefined ? null : { output: request.output }),
          ...(request.temperature === undefined ? null : { temperature: request.temperature }),
          ...(request.settings === undefined ? null : { settings: request.settings }),
        })
        const sound = sounder()
        for await (const event of until(control.signal, stream)) {
          for (const one of sound(event)) answer.take(one)
          nudge()
          if (event.type === 'finish') spoken = { ...spoken, ...finishOf(event), error: null }
        }
        return spoken
      } catch (error) {
        const tooMuch = ModelError.is(error) && error.code === 'overflow' && answer.size === 0
        if (!tooMuch) throw error
        if (step === 0) first = made.items
        spoken = { ...spoken, error: faultOf(error) }
      }
    }
  } catch (error) {
    if (control.signal.aborted) return spoken
    return { ...spoken, error: faultOf(error) }
  }
}

/** Codes and our own words: what a provider says never gets further than this. */
function faultOf(error: unknown): { readonly code: string; readonly message: string } {
  if (ModelError.is(error) || HistoryError.is(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: 'the answer could not be made' }
}

function newsOf(run: Run, made: Windowed & { ok: true }, step: number) {
  const { totals, request } = made.receipt
  return {
    run: run.id,
    receipt: receiptIdOf(run),
    messages: made.items.length,
    dropped: totals.dropped,
    tokens: request.used,
    step,
  }
}

const finishOf = ({
  reason,
  usage,
  stop,
}: ModelEvent & { type: 'finish' }): Pick<Spoken, 'finish' | 'usage' | 'stop'> => ({
  finish: reason,
  usage,
  ...(stop === undefined ? null : { stop: soundText(stop) }),
})

function endOf({ run, control, model, writing }: Drive, spoken: Spoken, answer: Answer): Run {
  const asked: RunState | null = control.signal.aborted
    ? control.signal.reason === 'stopped'
      ? 'stopped'
      : 'interrupted'
    : null
  const says = answer.parts().some(({ type }) => type !== 'think')
  const done = asked === null && spoken.finish !== null && spoken.error === null
  const error =
    asked !== null ? endedBy(asked as 'stopped' | 'interrupted') : (spoken.error ?? (done && !says ? silence : null))
  const { usage, made } = spoken
  return {
    ...run,
    state: asked ?? (done && says ? 'done' : 'failed'),
    entry: says ? run.id : null,
    receipt: made ? receiptIdOf(run) : null,
    finish: spoken.finish,
    ...(spoken.stop === undefined ? null : { stop: spoken.stop }),
    usage,
    drift: usage && made && made.receipt.request.used > 0 ? round(usage.input / made.receipt.request.used) : null,
    cost: usage ? costOf(model, usage) : null,
    error: error ?? (done || asked !== null ? null : unfinished),
    endedAt: writing.env.now(),
  }
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000
const silence = { code: 'empty', message: 'the model gave no answer' }
const unfinished = { code: 'cut', message: 'the answer broke off' }

function lastSteps(
  place: Drive,
  ended: Run,
  spoken: Spoken,
  answer: Answer,
  told: readonly NewEvent[],
): readonly Step[] {
  if (ended.entry === null) return withoutAnswer(place, ended, told, spoken)
  const { writing, epoch, model } = place
  const at = ended.endedAt as string
  const status = ended.state === 'done' ? 'complete' : 'aborted'
  const [message, ...results] = messageEntries(
    ended.id,
    { parts: answer.parts(), status, at, model: model.id },
    writing,
  )
  const entries = [{ ...(message as NewEntry), meta: factsOf(ended, place, answer) }, ...results]
  return [
    { do: 'promote-draft', promotion: { id: ended.id, epoch, entries, at } },
    ...bookkeeping(place, ended, spoken, at),
    { do: 'emit', events: [...told, entryAdded(entries, ended.branch), runEnded(ended)], at },
  ]
}

function withoutAnswer(place: Drive, ended: Run, told: readonly NewEvent[], spoken?: Spoken): readonly Step[] {
  const at = ended.endedAt as string
  return [
    { do: 'drop-draft', id: ended.id, epoch: place.epoch },
    ...bookkeeping(place, ended, spoken, at),
    { do: 'emit', events: [...told, runEnded(ended)], at },
  ]
}

function bookkeeping(place: Drive, ended: Run, spoken: Spoken | undefined, at: string): Step[] {
  const receipt = spoken?.receipt
  const numbers = usageOf(ended, spoken?.made ?? null, place.prefixes)
  return [
    ...(receipt ? [{ do: 'put-receipt', receipt: { ...receipt, entry: ended.entry } } as const] : []),
    { do: 'put-record', record: { kind: kinds.run, id: ended.id, body: { run: ended }, at } },
    { do: 'add-record', record: { kind: kinds.usage, id: `${ended.conversation}:${at.slice(0, 10)}`, numbers, at } },
  ]
}

/** Kept with the answer, so that it explains itself without the run. */
function factsOf(ended: Run, { model }: Drive, answer: Answer): Readonly<Record<string, unknown>> {
  const quotes = answer.quotes()
  return {
    run: ended.id,
    ...(ended.receipt ? { receipt: ended.receipt } : null),
    ...(ended.finish ? { finish: ended.finish } : null),
    ...(model.kind === 'builtin' ? { ai: false } : null),
    ...(quotes.length > 0 ? { quotes } : null),
  }
}
