/** The one gate that everything written goes through, whatever the store: what one refuses, all refuse. */

import { isWellFormed } from '../../core/message/text.js'
import type { AppendOptions } from '../contract/append.js'
import type { ConversationPatch, NewConversation } from '../contract/conversation.js'
import type { NewEntry } from '../contract/entry.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { NewSheet } from '../contract/sheet.js'
import { refusal } from './refuse.js'
import { byteLength, digest } from './runtime.js'

/** Bounds that hold in every store. */
export const bounds = {
  /** Entries in one append. */
  batch: 1_000,
  /** Steps, entries and events in one commit. */
  commit: 1_000_000,
  /** Bytes of one entry's JSON. Larger content goes into a blob. */
  entry: 16 * 1024 * 1024,
  id: 200,
  name: 200,
  title: 2_000,
  at: 100,
  /** Levels of JSON inside one another. */
  depth: 500,
} as const

export function checkWorkspace(workspace: string): void {
  checkName(workspace, 'workspace')
}

export function checkConversation(input: NewConversation): void {
  checkName(input.id, 'conversation.id')
  // an address with such a step leads elsewhere, so that nobody could ever open it
  if (input.id === '.' || input.id === '..')
    throw refusal('invalid', "conversation.id must not be '.' or '..'", { field: 'conversation.id', value: input.id })
  checkFacts(input)
}

export function checkPatch(patch: ConversationPatch): void {
  checkKeys(patch, ['title', 'folder', 'tags', 'pinned', 'archived', 'meta', 'at'], 'conversation')
  checkFacts(patch)
}

function checkFacts({ title, folder, tags, meta, at }: Omit<ConversationPatch, 'pinned' | 'archived'>): void {
  checkText(title ?? '', 'conversation.title', bounds.title)
  checkText(folder ?? '', 'conversation.folder', bounds.name)
  for (const tag of tags ?? []) checkText(tag, 'conversation.tags', bounds.name)
  checkJson(meta ?? {}, 'conversation.meta')
  checkTime(at, 'conversation.at')
}

/** A field that is not known is refused, never ignored. */
export function checkKeys(value: object, known: readonly string[], field: string): void {
  const strange = Object.keys(value).find((key) => !known.includes(key))
  if (strange !== undefined) throw refusal('invalid', `${field} has an unknown field`, { field: `${field}.${strange}` })
}

/** A time is any short text, as the caller has it. */
export function checkTime(at: string, field = 'at'): void {
  checkText(at, field, bounds.at)
}

/** The entries as they were when they were given. */
export function checkBatch(batch: readonly NewEntry[]): readonly WrittenEntry[] {
  if (batch.length === 0) throw refusal('invalid', 'there is nothing to append', { field: 'batch' })
  if (batch.length > bounds.batch) {
    throw refusal('too_large', `${batch.length} entries at once; at most ${bounds.batch}`, {
      field: 'batch',
      value: batch.length,
    })
  }
  const ids = new Set<string>()
  return batch.map((entry, i) => {
    const own = checkEntry(entry, `batch[${i}]`)
    if (ids.has(entry.id))
      throw refusal('invalid', `batch[${i}].id stands twice in the batch`, { field: `batch[${i}].id`, value: entry.id })
    ids.add(entry.id)
    return own
  })
}

function checkEntry(entry: NewEntry, at: string): WrittenEntry {
  checkName(entry.id, `${at}.id`)
  checkWhole(entry.tokens, `${at}.tokens`)
  checkText(entry.text, `${at}.text`, bounds.entry)
  checkTime(entry.at, `${at}.at`)
  checkText(entry.author ?? '', `${at}.author`, bounds.name)
  checkText(entry.model ?? '', `${at}.model`, bounds.name)
  const json = jsonOf(entry.body, `${at}.body`)
  const meta = entry.meta === undefined ? null : jsonOf(entry.meta, `${at}.meta`)
  const own = detached(entry, json, meta)
  const size = own.bytes + (meta === null ? 2 : byteLength(meta))
  if (size > bounds.entry) {
    throw refusal('too_large', `${at} has ${size} bytes; at most ${bounds.entry}`, { field: at, value: size })
  }
  return own
}

export function checkName(value: string, field: string): void {
  checkText(value, field, bounds.id)
  if (value === '') throw refusal('invalid', `${field} is empty`, { field })
}

export function checkSheet(kind: string, { first, last, bare, bytes }: NewSheet): void {
  checkName(kind, 'kind')
  for (const [field, value] of Object.entries({ first, last, bare })) checkWhole(value, `sheet.${field}`)
  if (!(bytes instanceof Uint8Array) || bytes.length > bounds.entry)
    throw refusal('invalid', `sheet.bytes must be at most ${bounds.entry} bytes`, { field: 'sheet.bytes' })
}

export function checkWhole(value: number, field: string): void {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw refusal('invalid', `${field} must be a whole number, zero or more`, { field, value })
}

/** Seconds, at most a year of them; a lease of none has run out at once. */
export function checkLease(seconds: number): void {
  if (seconds >= 0 && seconds <= 31_536_000) return
  throw refusal('invalid', 'a lease must be a number of seconds, zero or more', {
    field: 'leaseSeconds',
    value: seconds,
  })
}

/** Text is stored as it is or not at all: no store takes NUL or half a character, so none may. */
export function checkText(value: string, field: string, most: number): void {
  if (typeof value !== 'string') throw refusal('invalid', `${field} must be text`, { field })
  if (value.length > most)
    throw refusal('too_large', `${field} has ${value.length} characters; at most ${most}`, {
      field,
      value: value.length,
    })
  if (value.includes('\0')) throw refusal('invalid', `${field} has a NUL character`, { field })
  if (!isWellFormed(value)) throw refusal('invalid', `${field} has half a character (a lone surrogate)`, { field })
}

/** Returns the number of bytes. */
export const checkJson = (value: unknown, field: string): number => byteLength(jsonOf(value, field))

/** The JSON of what a store can hold. */
export function jsonOf(value: unknown, field: string): string {
  let json: string
  try {
    json = JSON.stringify(value)
  } catch (cause) {
    throw refusal('invalid', `${field} cannot be written as JSON`, { field, cause })
  }
  if (json === undefined) throw refusal('invalid', `${field} cannot be written as JSON`, { field })
  if (json.length > 2 * bounds.depth && opens(json) > bounds.depth && tooDeep(value, bounds.depth))
    throw refusal('invalid', `${field} is nested more than ${bounds.depth} levels deep`, { field })
  // JSON.stringify escapes both, so they are looked for in their escaped form
  if (json.includes('\\u0000') && hasNul(value)) throw refusal('invalid', `${field} has a NUL character`, { field })
  if (json.includes('\\ud') && hasHalf(value))
    throw refusal('invalid', `${field} has half a character (a lone surrogate)`, { field })
  return json
}

/** How often something opens in it: it is no deeper than that. */
function opens(json: string): number {
  let count = 0
  for (let i = 0; i < json.length; i++) {
    const unit = json.charCodeAt(i)
    if (unit === 0x5b || unit === 0x7b) count++
  }
  return count
}

const tooDeep = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => tooDeep(inner, levels - 1)))

const hasNul = (value: unknown): boolean => anyString(value, (text) => text.includes('\0'))
const hasHalf = (value: unknown): boolean => anyString(value, (text) => !isWellFormed(text))

function anyString(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => test(key) || anyString(inner, test))
}

/** What the hash of an entry covers: everything its writer said, and nothing the store adds. */
export function contentHash(entry: NewEntry): string {
  const { id, body, text, tokens, at, author = null, model = null, meta = null } = entry
  // the words mostly stand in the body as well, and to write them is half of the work
  const words = JSON.stringify(text)
  const quote = (said: string): string => (said === text ? words : JSON.stringify(said))
  return sha256(canonical([id, body, text, tokens, at, author, model, meta], quote))
}

export const chainHash = (content: string, parent: string | null): string => sha256(`${parent ?? ''}\n${content}`)

const sha256 = digest

/** A copy that is nobody else's, with the JSON of its body. */
export type Written<T> = T & { readonly json: string }

export const jsonIn = (holder: object, value: unknown): string =>
  'json' in holder && typeof holder.json === 'string' ? holder.json : JSON.stringify(value)

export function written<T extends { readonly body?: unknown }>(given: T): Written<T> {
  const json = jsonIn(given, given.body ?? null)
  return { ...given, body: JSON.parse(json), json }
}

/** An entry as the gate hands it on: nobody else's, with what was written down of it on the way. */
export interface WrittenEntry extends NewEntry {
  readonly json: string
  readonly metaJson: string | null
  /** Of the body. */
  readonly bytes: number
}

export const writtenEntry = (given: NewEntry | WrittenEntry): WrittenEntry =>
  'json' in given ? given : detached(given, JSON.stringify(given.body), jsonOrNone(given.meta))

function detached(given: NewEntry, json: string, metaJson: string | null): WrittenEntry {
  const meta = metaJson === null ? null : { meta: JSON.parse(metaJson) }
  return { ...entryOf({ ...given, body: JSON.parse(json), ...meta }), json, metaJson, bytes: byteLength(json) }
}

/** What JSON keeps of an entry, and nothing its writer still holds: the same in every store. */
export const plainEntry = (given: NewEntry): NewEntry => entryOf(writtenEntry(given))

/** Without what is known about it besides. */
export function entryOf({ id, body, text, tokens, at, author, model, meta }: NewEntry): NewEntry {
  return {
    id,
    body,
    text,
    tokens,
    at,
    ...(author === undefined ? null : { author }),
    ...(model === undefined ? null : { model }),
    ...(meta === undefined ? null : { meta }),
  }
}

export const jsonOrNone = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

export const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** JSON with sorted keys, so that equal content has equal text. */
export function canonical(given: unknown, quote: (text: string) => string = JSON.stringify): string {
  if (typeof given === 'string') return quote(given)
  const value = hasToJson(given) ? given.toJSON() : given
  if (Array.isArray(value)) return `[${value.map((inner) => canonical(inner ?? null, quote)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  let out = ''
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[key]
    // most names are plain words, which need no escapes
    const name = /^\w+$/.test(key) ? `"${key}"` : JSON.stringify(key)
    if (isKept(inner)) out += `${out === '' ? '' : ','}${name}:${canonical(inner, quote)}`
  }
  return `{${out}}`
}

const isKept = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'

const hasToJson = (value: unknown): value is { toJSON(): unknown } =>
  typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function'

export const requestHash = (...parts: readonly unknown[]): string => sha256(canonical(parts))

/** Names one append under an idempotency key. */
export const appendHash = (batch: readonly NewEntry[], { branch, expect = null, from = null }: AppendOptions): string =>
  requestHash(batch.map(entryOf), branch, expect, from)

/** Without what is known about it besides. */
export const receiptOf = ({ id, conversation, entry, at, body }: StoredReceipt): StoredReceipt => ({
  ...{ id, conversation, entry, at, body },
})
