/** A request as machines write it: one JSON object, checked field by field. What a history is, the policy decides. */
import type { Issue } from '../../core/message/issue.js'
import { nearest } from '../../core/message/nearest.js'
import { type Target, targets } from '../../core/message/target.js'
import type { PolicyChoice } from '../../core/policy/presets/index.js'
import type { Overrides } from '../../core/policy/schema.js'

export interface Request {
  readonly id?: unknown
  readonly messages?: unknown
  readonly current?: unknown
  readonly policy?: PolicyChoice
  readonly overrides?: Overrides
  readonly model?: string
  readonly budget?: number
  readonly target?: Target
  readonly compat?: 'literal'
  readonly now?: string
  readonly system?: string
  readonly tools?: readonly unknown[]
  readonly risks?: boolean
}

type Asked = { readonly ok: true; readonly request: Request } | { readonly ok: false; readonly issue: Issue }

interface Field {
  readonly wants: string
  readonly takes: (value: unknown) => boolean
}

const isText = (value: unknown): boolean => typeof value === 'string'
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text: Field = { wants: 'a string', takes: isText }
const object: Field = { wants: 'an object', takes: isObject }
const textOrObject: Field = { wants: 'a string or an object', takes: (value) => isText(value) || isObject(value) }
const anything: Field = { wants: 'a JSON value', takes: () => true }
const oneOf = (...names: readonly string[]): Field => ({
  wants: names.length === 1 ? `'${names[0]}'` : `one of ${names.join(', ')}`,
  takes: (value) => (names as readonly unknown[]).includes(value),
})

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/.test(value) && !Number.isNaN(Date.parse(value))

const fields: { readonly [K in keyof Required<Request>]: Field } = {
  id: anything,
  messages: anything,
  current: textOrObject,
  policy: textOrObject,
  overrides: object,
  model: text,
  budget: { wants: 'a number of tokens', takes: (value) => typeof value === 'number' },
  target: oneOf(...targets),
  compat: oneOf('literal'),
  now: { wants: 'a time in ISO 8601', takes: isTime },
  system: text,
  tools: { wants: 'an array of tool schemas', takes: Array.isArray },
  risks: { wants: 'true or false', takes: (value) => typeof value === 'boolean' },
}

/** Null says the same as leaving a field out. */
export function readRequest(value: unknown): Asked {
  if (!isObject(value)) return { ok: false, issue: notObject(value) }
  const request: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(value)) {
    if (!Object.hasOwn(fields, name)) return { ok: false, issue: unknownField(name, given) }
    if (given === null && name !== 'id') continue
    const field = fields[name as keyof Request]
    if (!field.takes(given)) return { ok: false, issue: wrongField(name, given, field.wants) }
    request[name] = given
  }
  return { ok: true, request }
}

const notObject = (value: unknown): Issue => ({
  code: 'request.json',
  reason: 'must be an object',
  value: brief(value),
  message: `a request is a JSON object, not ${kindOf(value)}`,
})

function unknownField(name: string, value: unknown): Issue {
  const near = nearest(name, Object.keys(fields))
  const hint = near ? `did you mean '${near}'?` : `the fields are ${Object.keys(fields).join(', ')}`
  return {
    code: 'request.field',
    field: name,
    reason: 'unknown field',
    value: brief(value),
    message: `unknown field '${name}'; ${hint}`,
  }
}

const wrongField = (field: string, value: unknown, wants: string): Issue => ({
  code: 'request.field',
  field,
  reason: `must be ${wants}`,
  value: brief(value),
  message: `${field} must be ${wants}, got ${kindOf(value)}`,
})

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return JSON.stringify(brief(value))
}

/** Small enough to be echoed. */
function brief(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value
  if (Array.isArray(value)) return 'array'
  return isObject(value) ? 'object' : value
}
