/** How a step and a run end: what the run comes to, and the writes that keep it. */

import type { CallPart, Part, ThinkPart } from '../core/message/item.js'
import type { Line } from '../core/receipt/receipt.js'
import { charsPer4 } from '../core/tokens/charsPer4.js'
import { messageEntries, type Writing } from '../engine/window/entries.js'
import { entryAdded } from '../engine/window/news.js'
import type { Windowed } from '../engine/window/window.js'
import { costOf } from '../models/prices.js'
import type { Model, ModelEvent, Usage } from '../models/wire/contract.js'
import type { Step } from '../store/contract/commit.js'
import type { NewEntry } from '../store/contract/entry.js'
import type { NewEvent, StoredEvent } from '../store/contract/event.js'
import type { Run, RunEvent, RunRequest, WaitingCall } from './contract.js'
import type { Prefixes } from './prefix.js'
import { cutOff, type RunBody, runEnded, runKinds } from './run.js'
import type { Spoken } from './speak.js'

/** One step of a run: a draft that becomes an answer. */
export interface StepPlace {
  readonly id: string
  readonly epoch: number
  readonly model: Model
  readonly writing: Writing
  readonly prefixes: Prefixes
  readonly signal: AbortSignal
  /** Kept with the run, so that it can go on later. */
  readonly request: RunRequest | undefined
}

/** The run after a step of the model: what it said, cost, and whether that was the end of it. */
export function afterStep(
  run: Run,
  { id, model, signal, writing }: StepPlace,
  spoken: Spoken,
  answer: GrowingAnswer,
  waiting: readonly WaitingCall[] = [],
): Run {
  const says = answer.parts().some(({ type }) => type !== 'think')
  const done = spoken.finish !== null && spoken.error === null
  const { usage, made } = spoken
  const receipt = spoken.receipt?.id ?? null
  const drift = usage && made && made.receipt.request.used > 0 ? round(usage.input / made.receipt.request.used) : null
  if (drift !== null && made && isTelling(made)) model.learn?.(drift)
  return {
    ...run,
    ...(signal.aborted ? cutOff(signal.reason) : stateOf(done, says, spoken, waiting)),
    entry: says ? id : run.entry,
    receipt: receipt ?? run.receipt,
    steps: run.steps + 1,
    receipts: receipt === null ? run.receipts : [...run.receipts, receipt],
    waiting,
    finish: spoken.finish,
    ...(spoken.stop === undefined ? null : { stop: spoken.stop }),
    usage: addUsage(run.usage, usage),
    drift,
    cost: usage ? addCost(run.cost, costOf(model, usage)) : run.cost,
    endedAt: writing.env.now(),
  }
}

function stateOf(
  done: boolean,
  says: boolean,
  { error }: Spoken,
  waiting: readonly WaitingCall[],
): Pick<Run, 'state' | 'error'> {
  if (done && says) return { state: waiting.length > 0 ? 'waiting' : 'done', error: null }
  return { state: 'failed', error: error ?? (done ? silence : unfinished) }
}

/** The family's estimate of words: a short request is frames, and pictures and specifications count in their own way. */
const isTelling = ({ receipt, items }: NonNullable<Spoken['made']>): boolean =>
  !receipt.counter.exact &&
  receipt.counter.name !== charsPer4.name &&
  receipt.request.used >= 1_000 &&
  !items.some(({ parts }) => parts.some(({ type }) => type === 'file'))

const round = (value: number): number => Math.round(value * 1_000) / 1_000
const silence = { code: 'empty', message: 'the model gave no answer' }
const unfinished = { code: 'cut', message: 'the answer broke off' }

const addCost = (one: number | null, other: number | null): number | null => (one === null ? other : one + (other ?? 0))

function addUsage(one: Usage | null, other: Usage | null): Usage | null {
  if (!one || !other) return one ?? other
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value
  return { ...sum, input: one.input + other.input, output: one.output + other.output }
}

/** The draft becomes the answer, with its receipt and figures. Without words it goes and leaves nothing. */
export function stepSteps(
  run: Run,
  before: Run,
  place: StepPlace,
  spoken: Spoken,
  answer: GrowingAnswer,
  told: readonly NewEvent[],
): { readonly steps: Step[]; readonly events: NewEvent[] } {
  const { id, epoch, writing, model, prefixes } = place
  const at = run.endedAt as string
  const figures = figuresOf(run, before, spoken, prefixes)
  const usage: Step = { do: 'add-record', record: { kind: runKinds.usage, id: dayOf(run, at), numbers: figures, at } }
  const entry = run.entry === id ? id : null
  const receipt: Step[] = spoken.receipt ? [{ do: 'put-receipt', receipt: { ...spoken.receipt, entry } }] : []
  if (entry === null) return { steps: [{ do: 'drop-draft', id, epoch }, ...receipt, usage], events: [...told] }
  const status = ['done', 'waiting', 'active'].includes(run.state) ? 'complete' : 'aborted'
  const [message, ...results] = messageEntries(id, { parts: answer.parts(), status, at, model: model.id }, writing)
  const entries = [{ ...(message as NewEntry), meta: factsOf(run, model, answer) }, ...results]
  return {
    steps: [{ do: 'promote-draft', promotion: { id, epoch, entries, at } }, ...receipt, usage],
    events: [...told, entryAdded(entries, run.branch)],
  }
}

/** The run is over: kept, and told of. */
export function overSteps(run: Run, request: RunRequest | undefined, events: readonly NewEvent[]): Step[] {
  const at = run.endedAt as string
  const body: RunBody = { run, ...(request && run.state !== 'done' && { request }) }
  return [
    { do: 'put-record', record: { kind: runKinds.run, id: run.id, body, at } },
    { do: 'emit', events: [...events, runEnded(run)], at },
  ]
}

const dayOf = (run: Run, at: string): string => `${run.conversation}:${at.slice(0, 10)}`

/** Of this step alone; a run counts when it is over. */
function figuresOf(
  run: Run,
  before: Run,
  { usage, made }: Spoken,
  prefixes: Prefixes,
): Readonly<Record<string, number>> {
  const cost = (run.cost ?? 0) - (before.cost ?? 0)
  const asked = before.steps === 0 ? run.asked : null
  const entry = run.entry === before.entry ? null : run.entry
  const { runs, [run.state]: state, ...rest } = usageOf({ ...run, asked, entry, usage, cost }, made, prefixes)
  return run.state === 'active' ? rest : { runs: runs ?? 1, [run.state]: state ?? 1, ...rest }
}

/** Kept with the answer, so that it explains itself without the run. */
function factsOf(run: Run, model: Model, answer: GrowingAnswer): Readonly<Record<string, unknown>> {
  const quotes = answer.quotes()
  return {
    run: run.id,
    ...(run.receipt ? { receipt: run.receipt } : null),
    ...(run.finish ? { finish: run.finish } : null),
    ...(model.kind === 'builtin' ? { ai: false } : null),
    ...(quotes.length > 0 ? { quotes } : null),
  }
}

// the figures of one run, added to those of its conversation and day

function usageOf(
  ended: Run,
  made: (Windowed & { ok: true }) | null,
  prefixes: Prefixes,
): Readonly<Record<string, number>> {
  const receipt = made?.receipt
  const before = receipt?.totals.tokens.before ?? null
  const reused = made ? prefixes.reused(ended.conversation, made.items) : null
  return {
    runs: 1,
    [ended.state]: 1,
    messages: (ended.asked ? 1 : 0) + (ended.entry ? 1 : 0),
    sent: receipt?.request.used ?? 0,
    saved: receipt && before !== null ? Math.max(0, before - receipt.totals.tokens.after) : 0,
    dropped: receipt?.totals.dropped ?? 0,
    ...(receipt ? fatesOf(receipt.lines) : null),
    input: ended.usage?.input ?? 0,
    output: ended.usage?.output ?? 0,
    cost: ended.cost ?? 0,
    ...(reused === null || !receipt ? null : { reused, reusable: receipt.budget.used }),
  }
}

/** Messages by fate, and those that were not sent whole by the rule that decided it. */
function fatesOf(lines: readonly Line[]): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {}
  const add = (name: string, count: number): void => {
    numbers[name] = (numbers[name] ?? 0) + count
  }
  for (const { from, to, fate, rule } of lines) {
    add(`fate:${fate}`, to - from + 1)
    if (fate !== 'kept') add(`rule:${fate}:${rule}`, to - from + 1)
  }
  return numbers
}

// An answer while it grows: what the model says becomes events for those who follow, and parts for the log.

/** Where the answer gives a message's own words: from and to, in UTF-16 units of its text. */
interface Quote {
  readonly entry: string
  readonly from: number
  readonly to: number
}

export interface GrowingAnswer {
  take(event: ModelEvent): void
  /** Something about the answer that is not part of it. */
  tell(event: RunEvent): void
  /** The events since the last time, neighbours of one kind as one. */
  drain(): NewEvent[]
  /** Only what is whole: a call whose arguments never ended is not among them. */
  parts(): Part[]
  quotes(): readonly Quote[]
  /** Size of what was said so far, in UTF-16 units. */
  readonly size: number
}

export function growAnswer(run: string): GrowingAnswer {
  const parts: Part[] = []
  const quotes: Quote[] = []
  let news: RunEvent[] = []
  let size = 0
  let said = 0

  const add = (part: Part): void => {
    const last = parts.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      parts[parts.length - 1] = { ...last, text: last.text + part.text }
    else if (part.type === 'think' && last?.type === 'think' && !isSealed(last))
      parts[parts.length - 1] = { ...part, text: last.text + part.text }
    else parts.push(part)
  }
  const speak = (text: string): void => {
    add({ type: 'text', text })
    said += text.length
    for (const piece of pieces(text)) tell({ type: 'text-delta', data: { run, text: piece } })
  }
  const tell = (event: RunEvent): void => {
    const last = news.at(-1)
    const joined = last && joinedOf(last, event)
    if (joined) news[news.length - 1] = joined
    else news.push(event)
  }

  return {
    get size() {
      return size
    },
    tell,
    take(event) {
      switch (event.type) {
        case 'text':
          size += event.text.length
          return speak(event.text)
        case 'quote':
          size += event.text.length
          quotes.push({ entry: event.entry, from: said, to: said + event.text.length })
          tell({ type: 'quote-added', data: { run, entry: event.entry, text: event.text } })
          return speak(event.text)
        case 'think':
          size += event.text.length
          add({ type: 'think', text: event.text })
          for (const piece of pieces(event.text)) tell({ type: 'think-delta', data: { run, text: piece } })
          return
        case 'thought': {
          const { type: _, text: __, prefix: ___, issuer: ____, ...proof } = event.part
          if (isSealed(event.part)) tell({ type: 'think-sealed', data: { run, ...proof } })
          return seal(parts, event.part)
        }
        case 'call-start':
          return tell({ type: 'call-started', data: { run, id: event.id, name: event.name } })
        case 'call-delta':
          size += event.json.length
          return tell({ type: 'call-delta', data: { run, id: event.id, json: event.json } })
        case 'call': {
          const { id, name, input } = event
          parts.push({ type: 'call', id, name, input, outcome: { state: 'pending' } } satisfies CallPart)
          return tell({ type: 'call-made', data: { run, id, name, input } })
        }
        case 'retry': {
          const { attempt, waitMs, code } = event
          return tell({ type: 'run-retried', data: { run, attempt, waitMs, code } })
        }
        case 'finish':
          return
      }
    },
    drain() {
      const told = news
      news = []
      return told
    },
    parts: () => parts.filter((part) => part.type === 'call' || !isBlank(part)),
    quotes: () => quotes,
  }
}

/** The parts that a run had told of, from its events alone: what a crash leaves is not lost. */
export function replayAnswer(run: string, events: readonly StoredEvent[]): Part[] {
  const answer = growAnswer(run)
  for (const event of events as readonly RunEvent[]) {
    if (event.type === 'text-delta' && event.data.run === run) answer.take({ type: 'text', text: event.data.text })
    if (event.type === 'think-delta' && event.data.run === run) answer.take({ type: 'think', text: event.data.text })
    if (event.type === 'call-made' && event.data.run === run) answer.take({ ...event.data, type: 'call' })
  }
  // reasoning without the provider's proof cannot be replayed to it
  return answer.parts().filter(({ type }) => type !== 'think')
}

/** No event is longer: what a reader holds at once is bounded. */
const most = 4_096

function joinedOf(last: RunEvent, next: RunEvent): RunEvent | null {
  if (last.type === 'text-delta' && next.type === 'text-delta') {
    const text = last.data.text + next.data.text
    return text.length > most ? null : { ...last, data: { ...last.data, text } }
  }
  if (last.type === 'think-delta' && next.type === 'think-delta') {
    const text = last.data.text + next.data.text
    return text.length > most ? null : { ...last, data: { ...last.data, text } }
  }
  if (last.type === 'call-delta' && next.type === 'call-delta' && last.data.id === next.data.id) {
    const json = last.data.json + next.data.json
    return json.length > most ? null : { ...last, data: { ...last.data, json } }
  }
  return null
}

/** Never cuts between the halves of a character. */
function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + most
    const to = end < text.length && isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
    yield text.slice(from, to)
    from = to
  }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

const isSealed = ({ signature, sealed, id }: ThinkPart): boolean =>
  signature !== undefined || sealed !== undefined || id !== undefined

/** The whole reasoning takes the place of what was streamed of it. */
function seal(parts: Part[], whole: ThinkPart): void {
  const last = parts.at(-1)
  if (last?.type === 'think' && !isSealed(last)) parts[parts.length - 1] = whole
  else parts.push(whole)
}

const isBlank = (part: Part): boolean =>
  (part.type === 'text' && part.text.trim() === '') || (part.type === 'think' && part.text === '' && !isSealed(part))
