/** Entries of the log as items; what came in as an item comes out as it was. */
import type { CallPart, FilePart, OutputPart, Part } from '../../../core/message/item.js'
import { base64Of, isImage, mediaTypeOf } from '../../../core/window/mend/file.js'
import type { Body, Entry } from '../../../store/contract/entry.js'
import { type Item, itemId, type ListedItem } from './item.js'

/** The label of what is kept for OpenAI's clients and never sent to a model. */
export const itemLabel = 'openai.item'

export function itemsOf(entry: Pick<Entry, 'id' | 'body' | 'meta' | 'redacted'>): readonly ListedItem[] {
  const { id, body, meta, redacted } = entry
  if (redacted || meta?.beside === true) return []
  const kept = meta?.item ?? (body.kind === 'note' && body.label === itemLabel ? body.data : undefined)
  return numbered(id, kept === undefined ? shownItems(body) : [kept as Item])
}

/** Items that brought an id keep it. */
export function numbered(entry: string, items: readonly Item[]): ListedItem[] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const place = seen.get(item.type) ?? 0
    seen.set(item.type, place + 1)
    return typeof item.id === 'string' ? (item as ListedItem) : { id: itemId(item.type, entry, place), ...item }
  })
}

/** What an entry says, without ids. */
export function shownItems(body: Body): readonly Item[] {
  switch (body.kind) {
    case 'message':
      return body.role === 'assistant'
        ? answerItems(body.parts, body.status === 'aborted')
        : [asked(body.role, body.parts)]
    case 'result':
      return [
        {
          type: 'function_call_output',
          call_id: body.callId,
          output: outputOf(body.output),
          status: 'completed',
        },
      ]
    default:
      return []
  }
}

const asked = (role: string, parts: readonly Part[]): Item => ({
  type: 'message',
  role,
  content: parts.map(inputOf),
  status: 'completed',
})

/** The parts of an answer, neighbouring texts as one message. */
export function answerItems(parts: readonly Part[], isCut = false): Item[] {
  const items: Item[] = []
  let content: unknown[] | null = null
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'file') {
      if (!content) {
        content = []
        items.push({ type: 'message', role: 'assistant', content, status: isCut ? 'incomplete' : 'completed' })
      }
      content.push(outputTextPart(part.type === 'text' ? part.text : (part.name ?? part.mediaType)))
      continue
    }
    content = null
    if (part.type === 'call') items.push(callItem(part))
    // what only its provider can read is no one else's
    else if (part.text !== '') items.push(reasoningItem(part.text))
  }
  return items
}

export const outputTextPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

export const reasoningItem = (text: string): Item => ({ type: 'reasoning', summary: [{ type: 'summary_text', text }] })

export const callItem = ({ id, name, input }: Pick<CallPart, 'id' | 'name' | 'input'>): Item => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: JSON.stringify(input) ?? '{}',
  status: 'completed',
})

const outputOf = (output: readonly OutputPart[]): unknown =>
  output.every((part) => part.type === 'text')
    ? output.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    : output.map(inputOf)

function inputOf(part: Part): object {
  if (part.type === 'file') return fileOf(part)
  return { type: 'input_text', text: part.type === 'text' || part.type === 'think' ? part.text : '' }
}

function fileOf(part: FilePart): object {
  const data = base64Of(part)
  const { source } = part
  const url = data === undefined ? undefined : `data:${mediaTypeOf(part)};base64,${data}`
  const address = source.kind === 'url' ? source.url : undefined
  const id = source.kind === 'ref' ? { file_id: source.id } : null
  if (isImage(part)) return { type: 'input_image', detail: 'auto', ...(id ?? { image_url: url ?? address ?? '' }) }
  const name = part.name === undefined ? null : { filename: part.name }
  if (id) return { type: 'input_file', ...id, ...name }
  if (source.kind === 'text') return { type: 'input_text', text: source.text }
  return { type: 'input_file', ...(url === undefined ? { file_url: address ?? '' } : { file_data: url }), ...name }
}
