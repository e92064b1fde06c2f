/** Admits or refuses one raw message under a policy. Past this point nothing asks again what a message is. */

import { type Decoded, decode, type Refused, type Result } from '../message/dialects/decode.js'
import { type Item, type Part, text } from '../message/item.js'
import { isBlank, length } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import { type Complaint, typeName } from './voice.js'

type Rule = Policy['intake']

/** A complaint before it is known where in the history its message stands. */
export type Note = Complaint extends infer C ? (C extends { readonly index: number } ? Omit<C, 'index'> : never) : never

export type Admitted =
  | {
      readonly ok: true
      readonly item: Item
      readonly results: readonly Result[]
      readonly notes: readonly Note[]
      readonly lost: readonly string[]
    }
  | { readonly ok: false; readonly note: Note }

const nothing: readonly never[] = []

/** Never throws, whatever the message is. */
export function admit(message: unknown, rule: Rule, now: string | undefined): Admitted {
  try {
    return judged(message, rule, now)
  } catch {
    // a getter or a proxy threw
    return {
      ok: false,
      note: { code: 'admit.content', field: 'content', reason: 'The message cannot be read', value: null },
    }
  }
}

function judged(message: unknown, rule: Rule, now: string | undefined): Admitted {
  const raw = rule.invalid === 'reject' ? strictly(message, rule) : { ok: true as const, message }
  if (!raw.ok) return raw
  const decoded = decode(rule.role === 'loose' ? loosely(raw.message) : raw.message)
  if (!decoded.ok) return { ok: false, note: refusal(decoded, message, rule) }
  const speaker = speakerOf(decoded)
  if (!rule.roles.includes(speaker)) return { ok: false, note: badRole(speaker, rule) }
  if (rule.content === 'string' && !isPlainText(decoded, message)) return { ok: false, note: notString(message) }

  const parts = rule.trim ? trimmed(decoded.parts) : decoded.parts
  const empty = decoded.results.length === 0 && !parts.some(says)
  if (empty && rule.empty === 'drop') return { ok: false, note: { code: 'admit.empty' } }
  const long = tooLong(decoded, parts, rule)
  if (long) return { ok: false, note: long }
  return dated(decoded, parts, rule, now, rule.time === 'repair' ? timeGiven(message) : undefined)
}

/** The checks of the strict specifications, in their order. */
function strictly(
  message: unknown,
  rule: Rule,
): { readonly ok: true; readonly message: unknown } | { readonly ok: false; readonly note: Note } {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { ok: false, note: { code: 'admit.object', value: message } }
  }
  const fields: string[] = []
  if (!Object.hasOwn(message, 'role')) fields.push('role')
  const mayHaveParts = rule.content !== 'string' && Object.hasOwn(message, 'parts')
  if (!Object.hasOwn(message, 'content') && !mayHaveParts) fields.push('content')
  if (fields.length > 0) return { ok: false, note: { code: 'admit.missing', fields, keys: Object.keys(message) } }
  const { role, content } = message as { readonly role: unknown; readonly content?: unknown }
  const name = rule.role === 'loose' && typeof role === 'string' ? role.trim().toLowerCase() : role
  if (typeof name !== 'string' || !(rule.roles as readonly string[]).includes(name))
    return { ok: false, note: badRole(name, rule) }
  if (rule.content === 'string' && typeof content !== 'string') return { ok: false, note: notString(message) }
  if (rule.content !== 'coerce' || typeof content === 'string' || Array.isArray(content) || content === undefined) {
    return { ok: true, message }
  }
  return {
    ok: true,
    message: { ...message, content: typeof content === 'object' ? (JSON.stringify(content) ?? '') : String(content) },
  }
}

function loosely(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !Object.hasOwn(message, 'role')) return message
  const { role } = message as { readonly role: unknown }
  return typeof role === 'string' ? { ...message, role: role.trim().toLowerCase() } : message
}

type Speaker = Rule['roles'][number]

function speakerOf(decoded: Decoded): Speaker {
  if (decoded.results.length > 0 && decoded.parts.length === 0) return 'tool'
  return decoded.role === 'assistant' && decoded.author === 'orchestrator' ? 'orchestrator' : decoded.role
}

const badRole = (role: unknown, rule: Rule): Note => ({ code: 'admit.role', role, roles: rule.roles })

function notString(message: unknown): Note {
  const { content } = message as { readonly content?: unknown }
  return { code: 'admit.content', field: 'content', reason: 'Content must be a string', value: typeName(content) }
}

function refusal(refused: Refused, message: unknown, rule: Rule): Note {
  if (refused.code === 'not_object') return { code: 'admit.object', value: message }
  if (refused.code === 'bad_role') return badRole(refused.value, rule)
  if (refused.code === 'no_role') return { code: 'admit.missing', fields: ['role'], keys: keysOf(message) }
  if (refused.code === 'no_content') return { code: 'admit.missing', fields: ['content'], keys: keysOf(message) }
  return { code: 'admit.content', field: refused.field || 'content', reason: refused.reason, value: refused.value }
}

function keysOf(message: unknown): readonly string[] {
  try {
    return Object.keys(message as object)
  } catch {
    return []
  }
}

const isPlainText = (decoded: Decoded, message: unknown): boolean =>
  decoded.results.length === 0 && typeof (message as { readonly content?: unknown }).content === 'string'

const says = (part: Part): boolean =>
  part.type === 'text' || part.type === 'think' ? !isBlank(part.text) || 'sealed' in part : true

const trimmed = (parts: readonly Part[]): readonly Part[] =>
  parts
    .map((part) => (part.type === 'text' ? text(part.text.trim()) : part))
    .filter((part) => part.type !== 'text' || part.text !== '')

function tooLong(decoded: Decoded, parts: readonly Part[], rule: Rule): Note | null {
  if (!rule.hard || decoded.role === 'system') return null
  const limit = rule.hard[decoded.role]
  let size = 0
  for (const part of parts) if (part.type === 'text') size += length(part.text)
  return size > limit ? { code: 'admit.hard', length: size, limit } : null
}

/** A timestamp that is no text is no time to a specification that repairs them. */
function timeGiven(message: unknown): unknown {
  const { timestamp } = message as { readonly timestamp?: unknown }
  return typeof timestamp === 'string' || timestamp === null || timestamp === false || timestamp === 0
    ? undefined
    : timestamp
}

function dated(decoded: Decoded, parts: readonly Part[], rule: Rule, now: string | undefined, told: unknown): Admitted {
  const { at } = decoded
  const notes: Note[] = []
  let when = at
  if (rule.time !== 'keep' && now !== undefined) {
    if (told !== undefined) {
      when = now
      notes.push({ code: 'admit.time.invalid', value: shortOf(told), now })
    } else if (!at) {
      when = now
      if (rule.time === 'repair') notes.push({ code: 'admit.time.missing', now })
    } else if (rule.time === 'repair' && !isIso(at)) {
      when = now
      notes.push({ code: 'admit.time.invalid', value: at, now })
    }
  }
  const item: Item = {
    role: decoded.role,
    parts,
    ...(decoded.id === undefined ? null : { id: decoded.id }),
    ...(decoded.author === undefined ? null : { author: decoded.author }),
    ...(when === undefined ? null : { at: when }),
    ...(decoded.model === undefined ? null : { model: decoded.model }),
    ...(decoded.pinned ? { pinned: true } : null),
  }
  return { ok: true, item, results: decoded.results, notes: notes.length > 0 ? notes : nothing, lost: decoded.lost }
}

const shortOf = (value: unknown): string => (JSON.stringify(value) ?? typeof value).slice(0, 100)

const iso =
  /^\d{4}-\d{2}-\d{2}(?:[T ](?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}(?::?\d{2})?)?)?$/

/** ISO 8601 as both specifications read it; a trailing Z is welcome. */
export function isIso(value: string): boolean {
  if (!iso.test(value) || Number.isNaN(Date.parse(value.replace(' ', 'T').replace(',', '.')))) return false
  const day = value.slice(0, 10)
  // the thirtieth of February would pass for the second of March
  return new Date(Date.parse(day)).toISOString().startsWith(day)
}
