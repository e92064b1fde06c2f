/** The common `{ role, content: string }`, read on its own because it is on the hot path. */
import { text } from '../item.js'
import { isWellFormed } from '../text.js'
import type { Decoded } from './decode.js'
import { type Meta, readMeta } from './meta.js'
import { newSink, type Raw } from './read.js'

const none: readonly never[] = Object.freeze([])

/** Undefined when the message may hold more than a string. */
export function decodeSimple(message: unknown): Decoded | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
  const { role, content } = message as Raw
  if (typeof content !== 'string' || (role !== 'user' && role !== 'assistant' && role !== 'system')) return undefined
  if (!Object.hasOwn(message, 'role') || !Object.hasOwn(message, 'content') || !isWellFormed(content)) return undefined
  let told = false
  for (const key in message) {
    const field = key === 'role' || key === 'content' ? undefined : fields.get(key)
    if (field === 'meta') told = true
    else if (field !== undefined && (message as Raw)[key] !== null) return undefined
  }
  const parts = content === '' ? none : [text(content)]
  if (!told) return { ok: true, dialect: 'openai-chat', role, parts, results: none, lost: none }
  const sink = newSink()
  const decoded: Decoded & Meta = { ok: true, dialect: 'openai-chat', role, parts, results: none, lost: sink.lost }
  readMeta(message as Raw, decoded, undefined, true, sink)
  return decoded
}

/** Fields that matter: `meta` is about the message, `body` stands for its content, `more` stands beside it. */
const fields: ReadonlyMap<string, 'meta' | 'body' | 'more'> = new Map([
  ['id', 'meta'],
  ['name', 'meta'],
  ['author', 'meta'],
  ['at', 'meta'],
  ['timestamp', 'meta'],
  ['created_at', 'meta'],
  ['createdAt', 'meta'],
  ['model', 'meta'],
  ['metadata', 'meta'],
  ['pinned', 'meta'],
  ['type', 'body'],
  ['parts', 'body'],
  ['refusal', 'more'],
  ['reasoning', 'more'],
  ['reasoning_content', 'more'],
  ['audio', 'more'],
  ['tool_calls', 'more'],
  ['function_call', 'more'],
  ['toolInvocations', 'more'],
  ['attachments', 'more'],
  ['experimental_attachments', 'more'],
])

/** True when something stands beside the content. */
export function holdsMore(message: Raw): boolean {
  for (const key in message) if (fields.get(key) === 'more' && message[key] !== null) return true
  return false
}
