/** Values of a request against their schemas; every fault is told with its path. */
import type { z } from 'zod'
import { isWellFormed } from '../core/message/text.js'
import { pathOf } from './json.js'
import { type FieldError, Problem } from './problem.js'

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
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refused(parsed.error.issues)
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

const refused = (issues: readonly z.core.$ZodIssue[]): Problem => refusedBy(issues.flatMap(errorsOf).slice(0, 20))

const refusedBy = (errors: readonly FieldError[]): Problem =>
  new Problem('invalid_request', {
    detail: errors.map(({ path, message }) => `${path === '' ? 'the body' : path}: ${message}`).join('; '),
    errors,
  })

function errorsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, 20)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: 'is not a known field' }))
  // of a choice, the faults of what was most likely meant
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = [...issue.errors].sort((one, other) => depthOf(other) - depthOf(one))[0] ?? []
    if (depthOf(nearest) > 0)
      return nearest.flatMap((inner) => errorsOf({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  return [{ path: pathOf(issue.path), message: issue.message }]
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map(({ code, path }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)))
