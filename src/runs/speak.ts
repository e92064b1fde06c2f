/** The model's part of a step: a window, a stream, and further tries when the window was too much. */
import { HistoryError } from '../core/message/issue.js'
import { wellFormed } from '../core/message/text.js'
import type { WindowItem } from '../core/window/assemble.js'
import type { Windowed } from '../engine/window/window.js'
import { ladder } from '../models/ladder.js'
import { type FinishReason, ModelError, type ModelEvent, type Usage } from '../models/wire/contract.js'
import type { StoredReceipt } from '../store/contract/keeping.js'
import { type Asking, ask, entryMessage, type MessageShare, receiptIdOf, receiptOf, requestOf } from './ask.js'
import type { Run } from './contract.js'
import type { GrowingAnswer } from './ending.js'

export interface Speaking extends Asking {
  /** The id of the answer's entry, and of its receipt. */
  readonly id: string
  readonly now: () => string
  readonly signal: AbortSignal
  /** Told of the window that is sent. */
  readonly sent?: ((made: Windowed & { ok: true }, receipt: string) => void) | undefined
  /** Told of each event as it comes; the next one is read when it has resolved. */
  readonly heard?: ((event: ModelEvent) => void | Promise<void>) | undefined
  /** Told of what went wrong, in its own words. */
  readonly failed?: ((error: unknown) => void) | undefined
}

/** How the model's part went. */
export interface Spoken {
  readonly finish: FinishReason | null
  readonly stop?: string
  readonly usage: Usage | null
  readonly error: Run['error']
  readonly made: (Windowed & { ok: true }) | null
  readonly receipt: StoredReceipt | null
}

export const unspoken: Spoken = { finish: null, usage: null, error: null, made: null, receipt: null }

export async function speak(place: Speaking, answer: GrowingAnswer, nudge: () => void): Promise<Spoken> {
  const { model, request, signal } = place
  let spoken = unspoken
  let first: readonly WindowItem[] = []
  try {
    for (let step = 0; ; step++) {
      const share = step === 0 ? null : shareOf(first, step, place.current !== null)
      if (share === undefined) return spoken
      const current = place.current && entryMessage(place.current)
      const made = await ask({ ...place, current }, share)
      if (!made.ok) return { ...spoken, error: { code: made.error.code, message: made.error.message } }
      place.sent?.(made, receiptIdOf(place.id))
      spoken = { ...spoken, made, receipt: receiptOf(place, made, share, place.now()) }
      answer.tell({ type: 'window-made', data: newsOf(place, made, step) })
      nudge()
      try {
        const stream = model.stream(requestOf(made, place.history.id, { ...request, system: place.system }, signal))
        const sound = sounder()
        for await (const event of until(signal, stream)) {
          for (const one of sound(event)) answer.take(one)
          await place.heard?.(event)
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
    if (signal.aborted) return spoken
    place.failed?.(error)
    return { ...spoken, error: faultOf(error) }
  }
}

/** Codes and our own words: what a provider says never gets further than this. */
function faultOf(error: unknown): { readonly code: string; readonly message: string } {
  if (ModelError.is(error) || HistoryError.is(error)) return { code: error.code, message: error.message }
  return { code: 'internal', message: 'the answer could not be made' }
}

function newsOf({ run, id }: Speaking, made: Windowed & { ok: true }, step: number) {
  const { totals, request } = made.receipt
  return {
    run: run.id,
    receipt: receiptIdOf(id),
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
  ...(stop === undefined ? null : { stop: storable(stop) }),
})

// how much of the history a further try may have, when the model said that it was too much

/** Of the window of the first try; undefined when there is nothing left to leave out. */
function shareOf(items: readonly WindowItem[], step: number, hasCurrent: boolean): MessageShare | undefined {
  const said = items.filter(({ mark, fate }) => mark === undefined && fate !== 'current')
  // this turn's own tool messages are never left out
  const turn = hasCurrent ? said.length : said.findLastIndex(({ role }) => role === 'user')
  const rung = ladder(said.slice(0, Math.max(0, turn)), step)
  return rung ? rung.kept.length + said.length - Math.max(0, turn) : undefined
}

// What a model says, as every store can hold it: the halves of a character wait for each other, and what is no character is replaced.

/** A stream may be cut inside a character: its first half is told with what follows. */
function sounder(): (event: ModelEvent) => readonly ModelEvent[] {
  const waiting = new Map<string, string>()
  const next = (key: string, text: string): string => {
    const all = (waiting.get(key) ?? '') + text
    const half = endsInHalf(all)
    if (half) waiting.set(key, all.slice(-1))
    else waiting.delete(key)
    return storable(half ? all.slice(0, -1) : all)
  }
  return (event) => {
    switch (event.type) {
      case 'text':
      case 'think': {
        const text = next(event.type, event.text)
        return text === '' ? [] : [{ ...event, text }]
      }
      case 'call-delta': {
        const json = next(event.id, event.json)
        return json === '' ? [] : [{ ...event, id: storable(event.id), json }]
      }
      case 'finish': {
        const left = (['think', 'text'] as const).filter((type) => waiting.delete(type))
        return [...left.map((type) => ({ type, text: '\ufffd' })), event]
      }
      default:
        return [soundly(event)]
    }
  }
}

const endsInHalf = (text: string): boolean => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800

/** A text that every store keeps. */
const storable = (text: string): string => wellFormed(text).replaceAll('\0', '\ufffd')

/** Every text in it, names among them. */
function soundly<T>(value: T): T {
  if (typeof value === 'string') return storable(value) as T
  if (Array.isArray(value)) return value.map(soundly) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storable(name), soundly(one)])) as T
}

/** What a stream gives until the signal says stop, even if the stream itself does not listen. */
export async function* until<T>(signal: AbortSignal, stream: AsyncIterable<T>): AsyncGenerator<T> {
  const source = stream[Symbol.asyncIterator]()
  let stop = (): void => {}
  const heed = (): void => stop()
  signal.addEventListener('abort', heed, { once: true })
  try {
    while (!signal.aborted) {
      // one promise a step: a race with a lasting one would keep every step in memory
      const step = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        stop = () => resolve(null)
        source.next().then(resolve, reject)
      })
      if (step === null || step.done) return
      yield step.value
    }
  } finally {
    signal.removeEventListener('abort', heed)
    if (signal.aborted) source.return?.().catch(() => {})
  }
}
