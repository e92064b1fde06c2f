/** The options that `assemble`, `explain` and `validate` share, and the request they make together with a file. */
import { readFile } from 'node:fs/promises'
import { isPreset, presets } from '../core/policy/presets/index.js'
import type { Overrides, Policy } from '../core/policy/schema.js'
import { policyFrom } from '../core/policy/settings.js'
import { targets } from '../core/target.js'
import { issueOf, misused, refused } from './failure.js'
import { nearest } from './nearest.js'
import { isObject, isTime, type Request, readRequest } from './request.js'
import { failed, type Source } from './source.js'

export const windowArgs = {
  policy: { type: 'string' },
  'policy-file': { type: 'string' },
  overrides: { type: 'string' },
  model: { type: 'string' },
  budget: { type: 'string' },
  target: { type: 'string' },
  compat: { type: 'string' },
  current: { type: 'string' },
  system: { type: 'string' },
  now: { type: 'string' },
  sample: { type: 'boolean' },
} as const

type Flags = { readonly [K in keyof typeof windowArgs]?: string | boolean | undefined }

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
    ...(flags.budget === undefined ? null : { budget: budgetOf(String(flags.budget)) }),
    ...(flags.overrides === undefined ? null : { overrides: overridesOf(String(flags.overrides)) }),
  }
}

/** A request object, a list of messages, or a single message. */
export function requestIn(source: Source): Request {
  const value = source.kind === 'lines' ? source.lines : source.value
  if (Array.isArray(value)) return { messages: value }
  if (isObject(value) && Object.hasOwn(value, 'role')) return { messages: [value] }
  const asked = readRequest(value)
  if (!asked.ok) throw refused(asked.issue)
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

async function policyOf(flags: Flags): Promise<string | Policy | undefined> {
  const { policy, 'policy-file': file } = flags
  if (policy !== undefined && file !== undefined) throw misused('give --policy or --policy-file, not both')
  if (typeof policy === 'string') return presetName(policy)
  if (typeof file === 'string') return policyIn(file)
  return fromEnvironment()
}

function presetName(name: string): string {
  if (isPreset(name)) return name
  throw notOneOf('--policy', name, Object.keys(presets))
}

/** A preset by its name, or a policy in a JSON file. */
export async function policyNamed(name: string): Promise<Policy> {
  if (isPreset(name)) return presets[name]
  if (/[./\\]/.test(name)) return policyIn(name)
  throw notOneOf('policy', name, Object.keys(presets))
}

async function policyIn(file: string): Promise<Policy> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw failed(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw failed(`${file} must hold a JSON object`)
  return settled(value)
}

/** THROUGHLINE_POLICY, THROUGHLINE_OVERRIDES, and the settings of the specifications under their own names. */
function fromEnvironment(): Policy | undefined {
  const ours = Object.entries(process.env).filter(
    ([name, value]) => value !== '' && /^(?:throughline|conversation)_/i.test(name),
  )
  return ours.length === 0 ? undefined : settled(Object.fromEntries(ours))
}

function settled(source: Readonly<Record<string, unknown>>): Policy {
  try {
    return policyFrom(source)
  } catch (error) {
    throw refused(issueOf(error))
  }
}

function notOneOf(what: string, value: string, names: readonly string[]): Error {
  const near = nearest(value, names)
  return misused(
    `${what} must be one of ${names.join(', ')}; got '${value}'`,
    near ? `did you mean '${near}'?` : undefined,
  )
}
