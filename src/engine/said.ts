/** What an assistant says while it is streamed, in any dialect: checked as what is appended is. */

import { decode } from '../core/message/dialects/decode.js'
import type { Part } from '../core/message/item.js'
import { refusal } from '../store/shared/refuse.js'

/** A text, the parts of a message (ours, or those of any dialect), or a whole message. */
export type Said = string | readonly object[] | object

/** The parts, or a refusal that names the one that cannot be read. */
export function partsSaid(said: Said): readonly Part[] {
  if (typeof said === 'string') return [{ type: 'text', text: said }]
  const list: readonly unknown[] | null = Array.isArray(said) ? said : null
  if (list?.every(isOwn)) return list
  const read = decode(list ? { role: 'assistant', content: list } : said)
  const field = read.ok ? 'parts' : read.field.replace(/^content/, 'parts') || 'parts'
  if (!read.ok) throw refusal('invalid', `${field}: ${read.reason}`, { field, value: read.value })
  if (read.role !== 'assistant')
    throw refusal('invalid', 'only an assistant is streamed', { field: 'role', value: read.role })
  if (read.parts.length === 0) throw refusal('invalid', 'parts say nothing that can be read', { field: 'parts' })
  // a result inside a message answers a call of it
  const results = new Map(read.results.map((result) => [result.callId, result]))
  return read.parts.map((part) => {
    const result = part.type === 'call' ? results.get(part.id) : undefined
    if (part.type !== 'call' || !result || result.state === undefined) return part
    return { ...part, outcome: { state: result.state, output: result.output } }
  })
}

const isOwn = (part: unknown): part is Part => {
  if (typeof part !== 'object' || part === null || !('type' in part)) return false
  if (part.type === 'text' || part.type === 'think') return 'text' in part && typeof part.text === 'string'
  if (part.type === 'file') return 'source' in part && typeof part.source === 'object' && 'mediaType' in part
  return part.type === 'call' && 'outcome' in part && 'id' in part && 'name' in part
}
