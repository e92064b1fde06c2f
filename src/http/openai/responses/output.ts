/** The output of a response while it grows: each event of a run as the events that OpenAI's clients build items from. */
import type { RunEvent } from '../../../runs/contract.js'
import { itemId } from '../items/item.js'
import { callItem, outputTextPart, reasoningItem } from '../items/show.js'

export interface Said {
  readonly type: string
  readonly [field: string]: unknown
}

export interface Output {
  take(event: RunEvent): readonly Said[]
  /** What is still open when the run is over. */
  close(): readonly Said[]
}

interface Open {
  readonly kind: 'message' | 'reasoning'
  readonly place: { readonly item_id: string; readonly output_index: number }
  text: string
}

interface Call {
  readonly place: { readonly item_id: string; readonly output_index: number }
  readonly name: string
  json: string
}

export function growOutput(run: string): Output {
  let next = 0
  let open: Open | null = null
  const counts = new Map<string, number>()
  const calls = new Map<string, Call>()

  const placeOf = (type: string): Open['place'] => {
    const count = counts.get(type) ?? 0
    counts.set(type, count + 1)
    return { item_id: itemId(type, run, count), output_index: next++ }
  }
  const close = (): Said[] => {
    if (!open) return []
    const { kind, place, text } = open
    open = null
    return kind === 'message' ? closeMessage(place, text) : closeReasoning(place, text)
  }
  const grow = (kind: Open['kind'], delta: string): Said[] => {
    const said: Said[] = []
    if (open?.kind !== kind) {
      said.push(...close())
      open = { kind, place: placeOf(kind), text: '' }
      said.push(...(kind === 'message' ? openMessage(open.place) : openReasoning(open.place)))
    }
    const grown = open as Open
    grown.text += delta
    said.push(
      kind === 'message'
        ? { type: 'response.output_text.delta', ...grown.place, content_index: 0, delta, logprobs: [] }
        : { type: 'response.reasoning_summary_text.delta', ...grown.place, summary_index: 0, delta },
    )
    return said
  }
  const begin = (id: string, name: string): Said[] => {
    const before = close()
    const place = placeOf('function_call')
    calls.set(id, { place, name, json: '' })
    const item = { type: 'function_call', id: place.item_id, call_id: id, name, arguments: '', status: 'in_progress' }
    return [...before, { type: 'response.output_item.added', output_index: place.output_index, item }]
  }
  const spell = (id: string, delta: string): Said[] => {
    const call = calls.get(id)
    if (!call || delta === '') return []
    call.json += delta
    return [{ type: 'response.function_call_arguments.delta', ...call.place, delta }]
  }
  const make = (id: string, name: string, input: unknown): Said[] => {
    const whole = callItem({ id, name, input })
    const begun = calls.has(id) ? [] : begin(id, name)
    const call = calls.get(id) as Call
    const spelled = call.json === '' ? spell(id, String(whole.arguments)) : []
    return [
      ...begun,
      ...spelled,
      { type: 'response.function_call_arguments.done', ...call.place, name, arguments: whole.arguments },
      {
        type: 'response.output_item.done',
        output_index: call.place.output_index,
        item: { id: call.place.item_id, ...whole },
      },
    ]
  }

  return {
    close,
    take(event) {
      switch (event.type) {
        case 'text-delta':
          return grow('message', event.data.text)
        case 'think-delta':
          return grow('reasoning', event.data.text)
        case 'call-started':
          return begin(event.data.id, event.data.name)
        case 'call-delta':
          return spell(event.data.id, event.data.json)
        case 'call-made':
          return make(event.data.id, event.data.name, event.data.input)
        default:
          return []
      }
    },
  }
}

type Place = Open['place']

const openMessage = ({ item_id, output_index }: Place): Said[] => [
  {
    type: 'response.output_item.added',
    output_index,
    item: { id: item_id, type: 'message', role: 'assistant', content: [], status: 'in_progress' },
  },
  { type: 'response.content_part.added', item_id, output_index, content_index: 0, part: outputTextPart('') },
]

function closeMessage({ item_id, output_index }: Place, text: string): Said[] {
  const part = outputTextPart(text)
  const item = { id: item_id, type: 'message', role: 'assistant', content: [part], status: 'completed' }
  return [
    { type: 'response.output_text.done', item_id, output_index, content_index: 0, text, logprobs: [] },
    { type: 'response.content_part.done', item_id, output_index, content_index: 0, part },
    { type: 'response.output_item.done', output_index, item },
  ]
}

const openReasoning = ({ item_id, output_index }: Place): Said[] => [
  { type: 'response.output_item.added', output_index, item: { id: item_id, type: 'reasoning', summary: [] } },
  {
    type: 'response.reasoning_summary_part.added',
    item_id,
    output_index,
    summary_index: 0,
    part: { type: 'summary_text', text: '' },
  },
]

const closeReasoning = ({ item_id, output_index }: Place, text: string): Said[] => [
  { type: 'response.reasoning_summary_text.done', item_id, output_index, summary_index: 0, text },
  {
    type: 'response.reasoning_summary_part.done',
    item_id,
    output_index,
    summary_index: 0,
    part: { type: 'summary_text', text },
  },
  { type: 'response.output_item.done', output_index, item: { id: item_id, ...reasoningItem(text) } },
]
