/** An operation from outside: allowed, its input checked by its schema, then done. */
import type { z } from 'zod'
import { HistoryError, type Issue } from '../core/message/issue.js'
import { nearest } from '../core/message/nearest.js'
import { mayDo, type OperationContext } from './context.js'
import type { Operation } from './operation.js'
import { needsScope } from './refusals.js'

export function perform(operation: Operation, context: OperationContext, given: unknown): unknown {
  if (!mayDo(context, operation.scope)) throw needsScope(operation.scope)
  return operation.run(context, readInput(operation, given) as never)
}

function readInput({ input, accepts }: Pick<Operation, 'input' | 'accepts'>, given: unknown): object {
  const parsed = accepts.safeParse(given)
  if (parsed.success) return parsed.data
  throw new HistoryError('invalid_request', issuesIn(parsed.error.issues, Object.keys(input.shape)))
}

/** What a schema refused, each with the path of its field, as in `messages[3].role`. */
export const issuesIn = (issues: readonly z.core.$ZodIssue[], names: readonly string[] = []): Issue[] =>
  issues.flatMap((issue) => issuesOf(issue, names)).slice(0, 20)

function issuesOf(issue: z.core.$ZodIssue, names: readonly string[]): Issue[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, 20).map((key) => {
      const meant = issue.path.length === 0 ? nearest(key, names) : undefined
      return invalid([...issue.path, key], `is not a known field${meant ? `; did you mean ${meant}?` : ''}`)
    })
  // of a choice, the faults of what was most likely meant
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const likely = [...issue.errors].sort((one, other) => depthOf(other) - depthOf(one))[0] ?? []
    if (depthOf(likely) > 0)
      return likely.flatMap((inner) => issuesOf({ ...inner, path: [...issue.path, ...inner.path] }, names))
  }
  return [invalid(issue.path, issue.message)]
}

const invalid = (path: readonly PropertyKey[], message: string): Issue => {
  const field = fieldPath(path)
  return { code: 'invalid_request', field, message: `${field || 'the input'}: ${message}`, type: 'invalid_value' }
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map(({ code, path }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)))

const fieldPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step).slice(0, 64)}`))
    .join('')
    .replace(/^\./, '')
