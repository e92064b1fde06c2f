/** One raw message of unknown quality, in any dialect, as our parts, or the reason why not. */
import { type OutputPart, type Part, type Role, text } from '../item.js'
import { isWellFormed } from '../text.js'
import { readInvocations } from './ai-sdk.js'
import { readAttachments } from './attachments.js'
import { readBlocks } from './blocks.js'
import { readExtras, readReasoning, readResult } from './openai-chat.js'
import { readItem } from './openai-responses.js'
import { clean, firstOf, idOf, isRaw, newSink, note, own, type Raw, type Sink, str, typeName } from './read.js'
import { badContent, noContent, refuse } from './refuse.js'
import { readRowResult, readUse } from './rows.js'

export type Dialect = 'own' | 'openai-chat' | 'openai-responses' | 'anthropic' | 'ai-sdk' | 'google' | 'rows'

export interface Decoded {
  readonly ok: true
  readonly dialect: Dialect
  readonly role: Role
  /** Empty when the message carries only results. A call that came without an id has the id ''. */
  readonly parts: readonly Part[]
  /** Tool results whose calls stand elsewhere, in order. */
  readonly results: readonly Result[]
  readonly id?: string
  readonly author?: string
  /** A string as given; a number or a Date as ISO. */
  readonly at?: string
  readonly model?: string
  readonly pinned?: boolean
  /** What could not be represented, in sentences that begin with the path. */
  readonly lost: readonly string[]
}

export interface Result {
  readonly callId?: string
  readonly name?: string
  readonly state: 'ok' | 'error'
  readonly output: readonly OutputPart[]
}

export interface Refused {
  readonly ok: false
  readonly code: 'not_object' | 'no_role' | 'bad_role' | 'no_content' | 'bad_content' | 'unreadable'
  /** Relative to the message: '', `role`, `content[2].text`. */
  readonly field: string
  readonly reason: string
  readonly value?: unknown
}

/** Never throws, never changes the message, shares no object with it. */
export function decode(message: unknown): Decoded | Refused {
  try {
    return decodeSimple(message) ?? decodeAny(message)
  } catch {
    // a getter or a proxy threw
    return { ok: false, code: 'unreadable', field: '', reason: 'The message cannot be read' }
  }
}

const roles: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['orchestrator', 'assistant'],
])

/** LangChain's names, told by `type` instead of `role`. */
const types: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
])

function decodeAny(message: unknown): Decoded | Refused {
  if (!isRaw(message)) return refuse('not_object', '', `A message is an object, not ${typeName(message)}`, message)
  const sink = newSink()
  const told = own(message, 'role')
  if (told === undefined) return decodeRoleless(message, sink)
  if (typeof told !== 'string') return refuse('bad_role', 'role', `A role is a string, not ${typeName(told)}`, told)
  return decodeAs(told, message, sink)
}

function decodeRoleless(message: Raw, sink: Sink): Decoded | Refused {
  const type = own(message, 'type')
  if (typeof type !== 'string') return refuse('no_role', 'role', 'A message has a role')
  if (readItem(type, message, sink)) return finish(message, 'assistant', 'openai-responses', sink)
  if (!Object.hasOwn(message, 'content')) return refuse('bad_content', 'type', 'The type of this item is unknown', type)
  const role = types.get(type)
  return role === undefined ? refuse('no_role', 'role', 'A message has a role') : decodeAs(role, message, sink)
}

function decodeAs(told: string, message: Raw, sink: Sink): Decoded | Refused {
  const role = roles.get(told)
  if (role !== undefined) return decodeSpeech(told, role, message, sink)
  if (told === 'tool' || told === 'function') return decodeTool(message, sink)
  if (told === 'tool_use') return readUse(message, sink) ?? finish(message, 'assistant', 'rows', sink)
  if (told !== 'tool_result') return refuse('bad_role', 'role', 'The role is unknown', told)
  readRowResult(message, sink)
  return finish(message, 'assistant', 'rows', sink)
}

function decodeSpeech(told: string, role: Role, message: Raw, sink: Sink): Decoded | Refused {
  const isBare = !holdsMore(message)
  const body = bodyOf(message)
  if (!isBare) readReasoning(message, sink)
  const refused = readBody(body, sink)
  if (refused) return refused
  if (!isBare) readBeside(message, body, sink)
  const nothing = sink.parts.length + sink.results.length + sink.lost.length === 0
  if (nothing && (body.value === undefined || body.value === null)) return noContent()
  return finish(message, role, usualOf(message, body), sink, told === 'orchestrator' ? told : undefined, true)
}

/** The dialect of a message in which no block is typical of one. */
function usualOf(message: Raw, { value, isParts }: Body): Dialect {
  if (isParts) return 'own'
  if (own(message, 'type') !== 'message') return 'openai-chat'
  return Array.isArray(value) ? 'anthropic' : 'openai-responses'
}

function readBeside(message: Raw, { isParts }: Body, sink: Sink): void {
  readExtras(message, sink)
  if (!isParts) readInvocations(message, sink)
  readAttachments(message, 'attachments', sink)
  readAttachments(message, 'experimental_attachments', sink)
}

/** Roles `tool` and `function`: one result, or a list of them. */
function decodeTool(message: Raw, sink: Sink): Decoded | Refused {
  const { value, isParts } = bodyOf(message)
  const isList = Array.isArray(value)
  if (isList && (isParts || isResult(value[0]))) readBlocks(value, isParts ? 'parts' : 'content', sink)
  else if (typeof value === 'string' || isList) readResult(message, value, sink)
  else if (value !== undefined && value !== null) return badContent(value)
  else if (own(message, 'tool_call_id') === undefined) return noContent()
  else readResult(message, undefined, sink)
  return finish(message, 'assistant', 'openai-chat', sink)
}

const results: ReadonlySet<unknown> = new Set(['tool-result', 'tool-approval-response', 'tool_result'])

const isResult = (block: unknown): boolean => isRaw(block) && results.has(own(block, 'type'))

interface Body {
  readonly value: unknown
  readonly isParts: boolean
}

/** Parts speak for the message when there are any: older AI SDK messages repeat their text in `content`. */
function bodyOf(message: Raw): Body {
  const parts = own(message, 'parts')
  const value = own(message, 'content')
  const isParts = Array.isArray(parts)
    ? parts.length > 0 || value === undefined
    : value === undefined && parts !== undefined
  return isParts ? { value: parts, isParts } : { value, isParts }
}

function readBody({ value, isParts }: Body, sink: Sink): Refused | undefined {
  if (typeof value === 'string' && !isParts) {
    if (value !== '') sink.parts.push(text(clean(value, 'content', sink)))
    return undefined
  }
  if (Array.isArray(value)) readBlocks(value, isParts ? 'parts' : 'content', sink)
  else if (value !== undefined && value !== null) return badContent(value, isParts ? 'parts' : 'content')
  return undefined
}

function finish(
  message: Raw,
  role: Role,
  usual: Dialect,
  sink: Sink,
  author?: string,
  named = false,
): Decoded | Refused {
  if (sink.refused) return sink.refused
  const parts = role === 'assistant' ? sink.parts : withoutActs(role, sink)
  const { results, lost, dialect = usual } = sink
  const decoded: Decoded & Meta = { ok: true, dialect, role, parts, results, lost }
  readMeta(message, decoded, author, named, sink)
  return decoded
}

/** Only an assistant thinks and calls tools. */
function withoutActs(role: Role, sink: Sink): readonly Part[] {
  return sink.parts.filter((part) => {
    if (part.type === 'text' || part.type === 'file') return true
    note(sink, '', `A message of role ${role} cannot hold ${part.type === 'call' ? 'a tool call' : 'reasoning'}`)
    return false
  })
}

// The common `{ role, content: string }`, read on its own because it is on the hot path.

const none: readonly never[] = Object.freeze([])

/** Undefined when the message may hold more than a string. */
function decodeSimple(message: unknown): Decoded | undefined {
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
function holdsMore(message: Raw): boolean {
  for (const key in message) if (fields.get(key) === 'more' && message[key] !== null) return true
  return false
}

// What a message says about itself: id, author, time, model, pin.

interface Meta {
  id?: string
  author?: string
  at?: string
  model?: string
  pinned?: boolean
}

const times = ['at', 'timestamp', 'created_at', 'createdAt'] as const

/**
 * Adds what is told to `target`. `author` is who the role already names; `named` says that `name` names a speaker.
 * The plain reads come first because most fields are absent; `own` then decides.
 */
function readMeta(message: Raw, target: Meta, author: string | undefined, named: boolean, sink: Sink): void {
  const told = message.metadata === undefined ? undefined : own(message, 'metadata')
  const metadata = isRaw(told) ? told : empty
  if (message.id !== undefined) {
    const id = idOf(message, '', sink, 'id')
    if (id !== undefined) target.id = id
  }
  const who =
    author ?? (authorOf(message, sink) || (named && message.name !== undefined && str(message, '', sink, 'name')))
  if (who) target.author = who
  const at = timeOf(instant(message) ?? instant(metadata), sink)
  if (at !== undefined) target.at = at
  const model = modelOf(message, sink) || modelOf(metadata, sink)
  if (model) target.model = model
  if (message.pinned === true && own(message, 'pinned') === true) target.pinned = true
  else if (metadata.pinned === true && own(metadata, 'pinned') === true) target.pinned = true
}

const empty: Raw = Object.freeze({})

const authorOf = (message: Raw, sink: Sink): string | undefined =>
  message.author === undefined ? undefined : str(message, '', sink, 'author')

const modelOf = (raw: Raw, sink: Sink): string | undefined =>
  raw.model === undefined && raw.modelId === undefined && raw.modelVersion === undefined
    ? undefined
    : str(raw, '', sink, 'model', 'modelId', 'modelVersion')

const instant = (raw: Raw): unknown =>
  raw.at === undefined && raw.timestamp === undefined && raw.created_at === undefined && raw.createdAt === undefined
    ? undefined
    : firstOf(raw, ...times)

/** Years 1 to 9999. */
const earliest = -62_135_596_800_000
const latest = 253_402_300_799_999
/** Below this a number is in seconds: as milliseconds it would lie before 1973, as seconds it reaches to the year 5138. */
const seconds = 100_000_000_000

function timeOf(value: unknown, sink: Sink): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return clean(value, 'timestamp', sink)
  const ms = typeof value === 'number' ? (Math.abs(value) < seconds ? value * 1000 : value) : value
  const date = value instanceof Date ? value.getTime() : ms
  if (typeof date === 'number' && date >= earliest && date <= latest) return new Date(date).toISOString()
  note(sink, 'timestamp', 'not a time')
  return undefined
}
