/** Values of a request against their schemas; every fault is told with its path. */
import type { z } from 'zod'
import { isWellFormed } from '../core/message/text.js'
import { issuesIn } from '../operations/perform.js'
import { type FieldError, Problem } from './kit/problem.js'

export function checkBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refused(parsed.error.issues)
}

/** A query is text; the schema says what each field is. */
export function checkQuery(schema: z.ZodObject, given: URLSearchParams): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, text] of given) {
    const isList = name.endsWith('[]')
    if (Object.hasOwn(value, name) && !isList) throw refusedField(name, 'stands twice')
    if (text.includes('\0') || !isWellFormed(text)) throw refusedField(name, 'has a character that is not allowed')
    if (name === '__proto__') throw refusedField(name, 'is not a known field')
    const field = isList ? [...((value[name] as unknown[]) ?? []), text] : decoded(schema, name, text)
    value[name] = field
  }
  return checkBody(schema, value)
}

function decoded(schema: z.ZodObject, name: string, text: string): unknown {
  const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
  const type = field && typeOf(field)
  if (type === 'number' && /^-?\d{1,16}(?:\.\d{1,16})?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function typeOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod
  return 'innerType' in def ? typeOf(def.innerType as z.core.$ZodType) : def.type
}

const refusedField = (path: string, message: string): Problem => refusedBy([{ path, message }])

const refused = (issues: readonly z.core.$ZodIssue[]): Problem =>
  refusedBy(
    issuesIn(issues).map(({ field = '', message }) => ({
      path: field,
      message: message.slice((field || 'the input').length + 2),
    })),
  )

const refusedBy = (errors: readonly FieldError[]): Problem =>
  new Problem('invalid_request', {
    detail: errors.map(({ path, message }) => `${path === '' ? 'the body' : path}: ${message}`).join('; '),
    errors,
  })
