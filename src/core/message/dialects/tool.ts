/** Tool calls and their results, in the words all dialects share. */

import { type Outcome, type OutputPart, text } from '../item.js'
import type { Result } from './decode.js'
import { isMedia, media } from './media.js'
import { jsonData } from './plain.js'
import { clean, each, isRaw, note, own, type Raw, type Sink, str } from './read.js'

export const pending: Outcome = { state: 'pending' }

export interface GivenCall {
  readonly id: string | undefined
  readonly name: string | undefined
  readonly input: unknown
  readonly outcome?: Outcome
  readonly from?: string | undefined
}

/** Adds a call. Without an id it has the id ''; without a name it is lost. */
export function addCall({ id = '', name, input, outcome = pending, from }: GivenCall, at: string, sink: Sink): void {
  if (name) sink.parts.push({ type: 'call', id, name, input, outcome, ...(from !== undefined && { from }) })
  else note(sink, at, 'a tool call without a name')
}

export function result(
  callId: string | undefined,
  name: string | undefined,
  state: Result['state'],
  output: readonly OutputPart[],
): Result {
  return { ...(callId === undefined ? {} : { callId }), ...(name ? { name } : {}), state, output }
}

/** The arguments as JSON data. A string is JSON; when it is not, it is kept as `{ _raw }`. */
export function inputOf(value: unknown, at: string, sink: Sink): unknown {
  if (typeof value !== 'string') return jsonData(value ?? {}, at, sink) ?? {}
  if (value.trim() === '') return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    note(sink, at, 'the arguments are not valid JSON, kept as { _raw }')
    return { _raw: clean(value, at, sink) }
  }
  return jsonData(parsed ?? {}, at, sink) ?? {}
}

/** A result's content: text and files as such, other data as JSON text. */
export function outputParts(value: unknown, at: string, sink: Sink): readonly OutputPart[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [text(clean(value, at, sink))]
  if (Array.isArray(value) && value.length === 0) return []
  if (Array.isArray(value) && isBlock(value[0])) return listOf(value, at, sink)
  const block = isBlock(value) ? blockOf(value, at, sink) : undefined
  return block ?? json(value, at, sink)
}

/** A tool's own return value: as above, but an empty list is data. */
export function dataOf(value: unknown, at: string, sink: Sink): readonly OutputPart[] {
  return Array.isArray(value) && value.length === 0 ? [text('[]')] : outputParts(value, at, sink)
}

function listOf(list: readonly unknown[], at: string, sink: Sink): readonly OutputPart[] {
  const output: OutputPart[] = []
  each(list, at, sink, (entry, path) => {
    if (typeof entry === 'string') output.push(...outputParts(entry, path, sink))
    else output.push(...((isRaw(entry) ? blockOf(entry, path, sink) : undefined) ?? json(entry, path, sink)))
  })
  return output
}

const texts: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

function isBlock(value: unknown): value is Raw {
  if (!isRaw(value)) return false
  const type = own(value, 'type')
  if (texts.has(type)) return typeof own(value, 'text') === 'string'
  return typeof type === 'string' && (isMedia(type) || type.endsWith('_result'))
}

function blockOf(block: Raw, at: string, sink: Sink): readonly OutputPart[] | undefined {
  const type = own(block, 'type')
  if (texts.has(type)) {
    const value = str(block, at, sink, 'text')
    return value === undefined ? undefined : value === '' ? [] : [text(value)]
  }
  const found = typeof type === 'string' ? media(type, block, at, sink) : undefined
  return found && [found]
}

function json(value: unknown, at: string, sink: Sink): readonly OutputPart[] {
  const data = jsonData(value, at, sink)
  if (data === undefined) return []
  if (isRaw(data) && Object.hasOwn(data, 'encrypted_content')) {
    const { encrypted_content: _, ...rest } = data
    note(sink, `${at}.encrypted_content`, 'sealed for the provider, left out')
    return [text(JSON.stringify(rest))]
  }
  return [text(JSON.stringify(data))]
}
