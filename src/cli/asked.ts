/** The options that `assemble`, `explain` and `validate` share, and the request they make together with a file. */

import { targets } from '../core/message/target.js'
import type { Overrides } from '../core/policy/schema.js'
import { resolvePolicy } from '../core/window/plan.js'
import { inputRefused, misused, notOneOf } from './kit/failure.js'
import { policyOf } from './kit/policy.js'
import { isObject, isTime, type Request, readRequest } from './kit/request.js'
import type { Given } from './kit/settings.js'
import { type InputSource, readSource } from './kit/source.js'

export type Flags = Given<
  | 'file'
  | 'policy'
  | 'policy-file'
  | 'overrides'
  | 'model'
  | 'budget'
  | 'target'
  | 'compat'
  | 'current'
  | 'system'
  | 'now',
  'sample'
>

/** What the options and the environment ask for; an option goes before the environment. */
export async function askedBy(flags: Flags): Promise<Request> {
  const given = Object.fromEntries(
    (['model', 'current', 'system', 'now', 'compat', 'target'] as const).flatMap((name) =>
      flags[name] === undefined ? [] : [[name, flags[name]]],
    ),
  ) as Request
  if (given.target !== undefined && !targets.includes(given.target)) throw notOneOf('--target', given.target, targets)
  if (given.compat !== undefined && given.compat !== 'literal')
    throw notOneOf('--compat', String(given.compat), ['literal'])
  if (given.now !== undefined && !isTime(given.now)) throw misused(`--now must be a time in ISO 8601, got ${given.now}`)
  const policy = await policyOf(flags)
  return {
    ...given,
    ...(policy === undefined ? null : { policy }),
    ...(flags.budget === undefined ? null : { budget: budgetOf(flags.budget) }),
    ...(flags.overrides === undefined ? null : { overrides: overridesOf(flags.overrides) }),
  }
}

/** The request in the file, or the sample. */
export async function baseOf(flags: Flags, asked: Request): Promise<Request> {
  if (!flags.sample) return requestIn(await readSource(flags.file))
  if (flags.file !== undefined) throw misused('give FILE or --sample, not both')
  const { sample } = await import('./sample.js')
  const policy = resolvePolicy(asked.policy, asked.overrides === undefined ? {} : { overrides: asked.overrides })
  return sample(asked.target ?? (policy.ok ? policy.policy.render.target : 'messages'))
}

/** A request object, a list of messages, or a single message. */
export function requestIn(source: InputSource): Request {
  const value = source.kind === 'lines' ? source.lines : source.value
  if (Array.isArray(value)) return { messages: value }
  if (isObject(value) && Object.hasOwn(value, 'role')) return { messages: [value] }
  const asked = readRequest(value)
  if (!asked.ok) throw inputRefused(asked.issue)
  return asked.request
}

function budgetOf(value: string): number {
  const tokens = Number(value.replaceAll(/[_,]/g, ''))
  if (Number.isSafeInteger(tokens) && tokens >= 0) return tokens
  throw misused(`--budget must be a whole number of tokens, got ${value}`)
}

function overridesOf(value: string): Overrides {
  try {
    const parsed: unknown = JSON.parse(value)
    if (isObject(parsed)) return parsed
  } catch {
    // told below
  }
  throw misused('--overrides must be a JSON object', `as in --overrides '{"fit":{"messages":20}}'`)
}
