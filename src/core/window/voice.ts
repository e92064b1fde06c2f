/** The words of a refusal or a warning: ours, or those of the specification whose preset is in use. */
import type { Issue } from '../message/issue.js'
import { unitsOf } from '../message/text.js'
import type { Policy } from '../policy/schema.js'

export type Voice = Policy['intake']['voice']

export type Complaint =
  | { readonly code: 'admit.list'; readonly value: unknown }
  | { readonly code: 'admit.count'; readonly count: number; readonly limit: number }
  | { readonly code: 'admit.object'; readonly index: number; readonly value: unknown }
  | {
      readonly code: 'admit.missing'
      readonly index: number
      readonly fields: readonly string[]
      readonly keys: readonly string[]
    }
  | { readonly code: 'admit.role'; readonly index: number; readonly role: unknown; readonly roles: readonly string[] }
  | {
      readonly code: 'admit.content'
      readonly index: number
      readonly field: string
      readonly reason: string
      readonly value: unknown
    }
  | { readonly code: 'admit.empty'; readonly index: number }
  | { readonly code: 'admit.hard'; readonly index: number; readonly length: number; readonly limit: number }
  | { readonly code: 'admit.time.missing'; readonly index: number; readonly now: string }
  | { readonly code: 'admit.time.invalid'; readonly index: number; readonly value: unknown; readonly now: string }
  | { readonly code: 'admit.none' }
  | { readonly code: 'clip.cut'; readonly index: number; readonly from: number; readonly to: number }
  | { readonly code: 'fit.size'; readonly kept: number; readonly of: number; readonly limit: string }

export function say(voice: Voice, complaint: Complaint): Issue {
  const words = voice === 's0' ? inS0(complaint) : voice === 's2' ? inS2(complaint) : null
  const told = { code: complaint.code, ...(words ?? plainly(complaint)) }
  // an object of the input is named, never handed out
  const isTheirs = typeof told.value === 'object' && told.value !== null && told.code !== 'admit.missing'
  return isTheirs ? { ...told, value: typeName(told.value) } : told
}

type Words = Omit<Issue, 'code'>

function inS0(it: Complaint): Words | null {
  const at = 'index' in it ? `conversation_history[${it.index}]` : 'conversation_history'
  switch (it.code) {
    case 'admit.list':
      return {
        field: at,
        type: 'type_error',
        message: 'conversation_history must be a list of message dicts',
        value: typeName(it.value),
      }
    case 'admit.count':
      return {
        field: at,
        severity: 'medium',
        message: `conversation_history has ${it.count} messages, truncating to most recent ${it.limit}`,
        suggestion: 'Consider providing only recent relevant messages',
      }
    case 'admit.object':
      return {
        field: at,
        type: 'type_error',
        message: `Message at index ${it.index} must be a dict, got ${typeName(it.value)}`,
        value: typeName(it.value),
      }
    case 'admit.missing':
      return {
        field: at,
        type: 'missing_field',
        message: `Message at index ${it.index} missing required field '${it.fields[0]}'`,
        value: it.keys,
      }
    case 'admit.role':
      return {
        field: `${at}.role`,
        type: 'invalid_value',
        message: `Message at index ${it.index} has invalid role '${shown(it.role)}', must be ${it.roles.join('|')}`,
        value: it.role,
      }
    default:
      return null
  }
}

function inS2(it: Complaint): Words | null {
  const at = 'index' in it ? `conversation_history[${it.index}]` : 'conversation_history'
  const refused = (field: string, reason: string, value: unknown): Words => ({
    field,
    reason,
    value,
    message: `Validation failed for '${field}': ${reason}`,
  })
  switch (it.code) {
    case 'admit.list':
      return refused(at, 'Must be a list of message dictionaries', typeName(it.value))
    case 'admit.object':
      return refused(at, 'Each message must be a dictionary', typeName(it.value))
    case 'admit.missing':
      return refused(at, `Missing required fields: ${it.fields.join(', ')}`, it.keys)
    case 'admit.role': {
      const set = it.roles.map((role) => `'${role}'`).join(', ')
      return refused(`${at}.role`, `Role must be one of {${set}}, got '${shown(it.role)}'`, it.role)
    }
    case 'admit.content':
      return refused(`${at}.${it.field}`, it.reason, it.value)
    case 'admit.hard':
      return refused(`${at}.content`, `Message exceeds hard limit of ${it.limit} characters`, `${it.length} characters`)
    case 'admit.count':
      return {
        field: at,
        message: `Too many messages (${it.count} > ${it.limit}). Keeping only the last ${it.limit} messages.`,
      }
    case 'admit.empty':
      return { field: `${at}.content`, message: 'Empty message content - message will be skipped' }
    case 'admit.time.missing':
      return { field: `${at}.timestamp`, message: `Missing timestamp - added current time: ${it.now}` }
    case 'admit.time.invalid':
      return {
        field: `${at}.timestamp`,
        message: `Invalid timestamp format '${shown(it.value)}' - replaced with current time`,
      }
    case 'admit.none':
      return { field: at, message: 'All messages were filtered out due to validation issues. History will be omitted.' }
    case 'clip.cut':
      return { field: `${at}.content`, message: `Message truncated from ${it.from} to ${it.to} characters` }
    case 'fit.size':
      return { field: at, message: `Total history size exceeded limit. Kept last ${it.kept} of ${it.of} messages.` }
  }
}

function plainly(it: Complaint): Words {
  const at = 'index' in it ? `messages[${it.index}]` : 'messages'
  switch (it.code) {
    case 'admit.list':
      return { field: at, message: `messages must be an array, got ${typeName(it.value)}`, value: typeName(it.value) }
    case 'admit.count':
      return { field: at, message: `${it.count} messages; only the last ${it.limit} are used` }
    case 'admit.object':
      return { field: at, message: `${at} must be an object, got ${typeName(it.value)}`, value: typeName(it.value) }
    case 'admit.missing':
      return { field: at, message: `${at} has no ${it.fields.join(' and no ')}`, value: it.keys }
    case 'admit.role':
      return {
        field: `${at}.role`,
        message: `${at}.role is '${shown(it.role)}'; allowed are ${it.roles.join(', ')}`,
        value: it.role,
      }
    case 'admit.content':
      return {
        field: `${at}.${it.field}`,
        message: `${at}.${it.field}: ${it.reason}`,
        reason: it.reason,
        value: it.value,
      }
    case 'admit.empty':
      return { field: `${at}.content`, message: `${at} is empty and was left out` }
    case 'admit.hard':
      return {
        field: `${at}.content`,
        message: `${at} has ${it.length} characters, over the limit of ${it.limit}`,
        value: it.length,
      }
    case 'admit.time.missing':
      return { field: `${at}.timestamp`, message: `${at} has no timestamp; ${it.now} is used` }
    case 'admit.time.invalid':
      return {
        field: `${at}.timestamp`,
        message: `${at}.timestamp '${shown(it.value)}' is not ISO 8601; ${it.now} is used`,
        value: it.value,
      }
    case 'admit.none':
      return { field: at, message: 'no message was usable' }
    case 'clip.cut':
      return { field: `${at}.content`, message: `${at} was cut from ${it.from} to ${it.to} characters` }
    case 'fit.size':
      return { field: at, message: `over the limit of ${it.limit}: the last ${it.kept} of ${it.of} messages are kept` }
  }
}

/** A value as it is quoted: at most eighty characters of it. */
const shown = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, unitsOf(value, 80)) : typeName(value)

/** Type names as both specifications print them. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'object' ? 'dict' : typeof value
}
