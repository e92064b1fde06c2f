/** An answer while it grows: what the model says becomes events for those who follow, and parts for the log. */
import type { CallPart, Part, ThinkPart } from '../core/message/item.js'
import type { ModelEvent } from '../models/wire/contract.js'
import type { NewEvent, StoredEvent } from '../store/contract/event.js'
import type { RunEvent } from './contract.js'

/** Where the answer gives a message's own words: from and to, in UTF-16 units of its text. */
export interface Quote {
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
