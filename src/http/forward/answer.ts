/** What a provider answered, read from a copy of its bytes: as it would stand in the next request, with its usage. */
import { fieldsOf, isRecord, listOf, recordIn } from '../../core/message/fields.js'
import { framer } from '../../models/wire/frames.js'
import type { WireName } from '../../models/wire/wires.js'

type Fields = Readonly<Record<string, unknown>>

export interface Read {
  /** In the dialect of the history. */
  readonly messages: readonly unknown[]
  readonly usage: ForwardUsage | null
  /** It came to its end. */
  readonly isWhole: boolean
}

/** As the provider counted; `input` is all of it, what was read from a cache and written to it included. */
export interface ForwardUsage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly written: number
}

export function readAnswer(wire: WireName, bytes: Uint8Array, isStream: boolean): Read {
  const events = isStream ? eventsIn(bytes) : [recordIn(new TextDecoder().decode(bytes)) ?? {}]
  return readers[wire]?.(events, isStream) ?? { messages: [], usage: null, isWhole: false }
}

function eventsIn(bytes: Uint8Array): Fields[] {
  try {
    return framer('events').push(bytes).map(recordIn).filter(isRecord)
  } catch {
    return []
  }
}

const readers: Readonly<Partial<Record<WireName, (events: readonly Fields[], isStream: boolean) => Read>>> = {
  anthropic,
  'openai-responses': responses,
  'openai-chat': chat,
  google,
}

const numberOf = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Where a dialect tells each number; those of a list are counted together. */
type Places = Readonly<Record<keyof ForwardUsage, readonly string[]>>

function usageOf(given: unknown, { input, output, cached, written }: Places): ForwardUsage | null {
  const at = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + numberOf(name.split('.').reduce((now, key) => fieldsOf(now)[key], given)), 0)
  return isRecord(given) ? { input: at(input), output: at(output), cached: at(cached), written: at(written) } : null
}

const [read, write] = ['cache_read_input_tokens', 'cache_creation_input_tokens']
const inAnthropic: Places = {
  input: ['input_tokens', read, write],
  output: ['output_tokens'],
  cached: [read],
  written: [write],
}

function anthropic(events: readonly Fields[], isStream: boolean): Read {
  const [whole = {}] = events
  if (!isStream) {
    const messages = [{ role: 'assistant', content: listOf(whole.content) }]
    return { messages, usage: usageOf(whole.usage, inAnthropic), isWhole: true }
  }
  const blocks: Record<string, unknown>[] = []
  let usage: Fields = {}
  let isWhole = false
  for (const event of events) {
    const at = numberOf(event.index)
    const block = blocks[at]
    if (event.type === 'message_start') usage = fieldsOf(fieldsOf(event.message).usage)
    else if (event.type === 'message_delta') usage = { ...usage, ...fieldsOf(event.usage) }
    else if (event.type === 'content_block_start') blocks[at] = { ...fieldsOf(event.content_block) }
    else if (event.type === 'content_block_delta' && block) grow(block, fieldsOf(event.delta))
    else if (event.type === 'message_stop') isWhole = true
  }
  const content = blocks.flatMap((block) => (block ? [closed(block)] : []))
  const messages = content.length === 0 ? [] : [{ role: 'assistant', content }]
  return { messages, usage: usageOf(usage, inAnthropic), isWhole }
}

function grow(block: Record<string, unknown>, delta: Fields): void {
  if (delta.type === 'text_delta') block.text = textOf(block.text) + textOf(delta.text)
  else if (delta.type === 'thinking_delta') block.thinking = textOf(block.thinking) + textOf(delta.thinking)
  else if (delta.type === 'signature_delta') block.signature = textOf(delta.signature)
  else if (delta.type === 'input_json_delta') block.json = textOf(block.json) + textOf(delta.partial_json)
}

function closed({ json, ...block }: Record<string, unknown>): unknown {
  return typeof json === 'string' && json !== '' ? { ...block, input: recordIn(json) ?? {} } : block
}

const inResponses: Places = {
  input: ['input_tokens'],
  output: ['output_tokens'],
  cached: ['input_tokens_details.cached_tokens'],
  written: ['input_tokens_details.cache_write_tokens'],
}

function responses(events: readonly Fields[], isStream: boolean): Read {
  const last = isStream
    ? events.findLast(({ type }) => /^response\.(?:completed|incomplete|failed)$/.test(textOf(type)))
    : null
  const { output, usage } = isStream ? fieldsOf(last?.response) : (events[0] ?? {})
  const items = listOf(output)
  return {
    messages: items.length > 0 ? items : itemsIn(events),
    usage: usageOf(usage, inResponses),
    isWhole: !isStream || last !== undefined,
  }
}

/** Those that are done, and what was said since. */
function itemsIn(events: readonly Fields[]): readonly unknown[] {
  const isDone = ({ type }: Fields): boolean => type === 'response.output_item.done'
  const since = events.slice(events.findLastIndex(isDone) + 1)
  const text = since.map(({ type, delta }) => (type === 'response.output_text.delta' ? textOf(delta) : '')).join('')
  const open = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }
  return [...events.filter(isDone).map(({ item }) => item), ...(text === '' ? [] : [open])]
}

const inChat: Places = {
  input: ['prompt_tokens'],
  output: ['completion_tokens'],
  cached: ['prompt_tokens_details.cached_tokens'],
  written: [],
}

function chat(events: readonly Fields[], isStream: boolean): Read {
  const [whole = {}] = events
  const usage = usageOf(events.findLast((event) => isRecord(event.usage))?.usage, inChat)
  const choices = (event: Fields): Fields => fieldsOf(listOf(event.choices)[0])
  if (!isStream) return { messages: [fieldsOf(choices(whole).message)], usage, isWhole: true }
  const calls: { id: string; name: string; json: string }[] = []
  let [content, thought, isWhole] = ['', '', false]
  for (const event of events) {
    const { delta, finish_reason } = choices(event)
    const { content: text, reasoning_content, tool_calls } = fieldsOf(delta)
    content += textOf(text)
    thought += textOf(reasoning_content)
    isWhole ||= typeof finish_reason === 'string'
    for (const part of listOf(tool_calls).map(fieldsOf)) {
      const { name, arguments: json } = fieldsOf(part.function)
      const at = numberOf(part.index)
      calls[at] ??= { id: textOf(part.id), name: textOf(name), json: '' }
      calls[at].json += textOf(json)
    }
  }
  const tool_calls = calls
    .filter(Boolean)
    .map(({ id, name, json }) => ({ id, type: 'function', function: { name, arguments: json } }))
  const message = {
    role: 'assistant',
    content,
    ...(thought !== '' && { reasoning_content: thought }),
    ...(tool_calls.length > 0 && { tool_calls }),
  }
  return { messages: content === '' && tool_calls.length === 0 ? [] : [message], usage, isWhole }
}

const inGoogle: Places = {
  input: ['promptTokenCount'],
  output: ['candidatesTokenCount', 'thoughtsTokenCount'],
  cached: ['cachedContentTokenCount'],
  written: [],
}

function google(events: readonly Fields[]): Read {
  const candidates = events.map((event) => fieldsOf(listOf(event.candidates)[0]))
  const parts = candidates.flatMap(({ content }) => listOf(fieldsOf(content).parts))
  const usage = usageOf(events.findLast((event) => isRecord(event.usageMetadata))?.usageMetadata, inGoogle)
  const isWhole = candidates.some(({ finishReason }) => typeof finishReason === 'string')
  return { messages: parts.length === 0 ? [] : [{ role: 'model', parts: joined(parts) }], usage, isWhole }
}

/** Pieces of one text are one text, as the client sends it back. */
function joined(parts: readonly unknown[]): unknown[] {
  const whole: Record<string, unknown>[] = []
  for (const part of parts.map(fieldsOf)) {
    const last = whole.at(-1)
    const isText = typeof part.text === 'string' && !part.thoughtSignature
    if (isText && part.text === '') continue
    if (isText && last && typeof last.text === 'string' && last.thought === part.thought)
      last.text += part.text as string
    else whole.push({ ...part })
  }
  return whole
}
