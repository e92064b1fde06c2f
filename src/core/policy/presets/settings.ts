/** Policies from files and environment variables, the specifications' own names included. */
import { HistoryError, type Issue } from '../../message/issue.js'
import { extend, parsePolicy } from '../parse.js'
import type { Overrides, Policy } from '../schema.js'
import { isPreset, type PresetName, presets } from './index.js'

type Setting = (value: string, name: string) => Overrides
type Settings = Readonly<Record<string, { readonly preset: PresetName; readonly read: Setting }>>

const whole =
  (least: number, make: (number: number) => Overrides): Setting =>
  (value, name) => {
    const number = Number(value)
    if (Number.isSafeInteger(number) && number >= least) return make(number)
    throw bad(name, value, `must be a whole number, ${least} or more`)
  }

const named = (prefix: string, preset: PresetName, all: Readonly<Record<string, Setting>>): Settings =>
  Object.fromEntries(Object.entries(all).map(([name, read]) => [prefix + name, { preset, read }]))

/** Names as the specifications write them; case does not matter. */
const settings: Settings = {
  ...named('conversation_history_', 'handoff-assistant-first', {
    max_messages: whole(1, (last) => ({ intake: { last } })),
    max_user_chars: whole(1, (chars) => limits('user', chars)),
    max_assistant_chars: whole(1, (chars) => limits('assistant', chars)),
    max_total_size: whole(1, (chars) => ({ fit: { chars } })),
    min_keep: whole(0, (floor) => ({ fit: { floor } })),
    valid_roles: (value) => ({ intake: { roles: roles(value) } }),
  }),
  ...named('conversation_', 'session-window', {
    max_history_messages: whole(1, (messages) => ({ fit: { messages } })),
    max_context_tokens: whole(500, (tokens) => ({ fit: { tokens } })),
    context_strategy: (value, name) => ({ strategy: oneOf(value, name) }),
  }),
}

const withSettings: ReadonlySet<string> = new Set(Object.values(settings).map(({ preset }) => preset))

/** The hard limit is twice the soft one. */
const limits = (role: 'user' | 'assistant', chars: number): Overrides => ({
  clip: { [role]: { over: chars, head: chars } },
  intake: { hard: { [role]: chars * 2 } },
})

function roles(value: string): Policy['intake']['roles'] {
  const names = value
    .replace(/[{}[\]"']/g, '')
    .split(',')
    .map((name) => name.trim())
  return names.filter((name) => name !== '') as unknown as Policy['intake']['roles']
}

function oneOf(value: string, name: string): Policy['strategy'] {
  if (value === 'truncate' || value === 'summarize') return value
  throw bad(name, value, "must be 'truncate' or 'summarize'")
}

function bad(field: string, value: unknown, reason: string): HistoryError {
  const issue: Issue = {
    code: 'policy.setting',
    field,
    reason,
    value,
    message: `${field} ${reason}, got '${String(value)}'`,
  }
  return new HistoryError('policy.invalid', [issue])
}

/**
 * Reads a policy from a parsed JSON file or from environment variables: `extends` (or THROUGHLINE_POLICY) names the
 * preset to start from, policy fields override it (from the environment: THROUGHLINE_OVERRIDES, as JSON), and the
 * settings of the specifications work under their own names. Throws a `HistoryError` that names the bad field.
 * @example policyFrom(process.env)
 */
export function policyFrom(source: Readonly<Record<string, unknown>>): Policy {
  const lower = new Map(Object.entries(source).map(([key, value]) => [key.toLowerCase(), value] as const))
  const all = [...lower].filter(([key, value]) => Object.hasOwn(settings, key) && value !== undefined && value !== '')
  const name =
    lower.get('extends') ?? lower.get('throughline_policy') ?? settings[all[0]?.[0] ?? '']?.preset ?? 'balanced'
  if (typeof name !== 'string' || !isPreset(name))
    throw bad('extends', name, `must be one of ${Object.keys(presets).join(', ')}`)
  // a preset with settings of its own does not heed those of another specification
  const found = withSettings.has(name) ? all.filter(([key]) => settings[key]?.preset === name) : all
  let policy: unknown = presets[name]
  for (const [key, value] of found)
    policy = extend(policy as Policy, (settings[key] as Settings[string]).read(String(value), key))
  policy = extend(policy as Policy, ownOverrides(source))
  policy = extend(policy as Policy, fromJson(lower.get('throughline_overrides')))
  return parsePolicy(policy)
}

const fields = new Set(['name', 'says', 'intake', 'fold', 'clip', 'fit', 'counter', 'strategy', 'recall', 'render'])

/** In a file, the policy's own fields; an environment has none of these names in lower case. */
function ownOverrides(source: Readonly<Record<string, unknown>>): Overrides {
  return Object.fromEntries(
    Object.entries(source).filter(([key, value]) => fields.has(key) && (typeof value === 'object' || key !== 'name')),
  ) as Overrides
}

function fromJson(value: unknown): Overrides {
  if (value === undefined || value === '') return {}
  try {
    return JSON.parse(String(value)) as Overrides
  } catch {
    throw bad('THROUGHLINE_OVERRIDES', value, 'must be JSON')
  }
}
