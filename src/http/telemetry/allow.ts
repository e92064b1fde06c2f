/**
 * The one gate of everything that is logged or traced: a fact that is not named here, or that does not look as it
 * should, is left out. There is no way past it for content, keys or a provider's own words.
 */
import { isPreset } from '../../core/policy/presets/index.js'
import { findModel } from '../../core/tokens/models.js'
import { digest } from '../../store/shared/runtime.js'

type Fact = string | number | boolean | null | undefined
export type Facts = Readonly<Record<string, Fact>>
export type Allowed = Readonly<Record<string, string | number | boolean | null>>

type Gate = (value: Fact) => string | number | boolean | undefined

/** What a log may tell of the names that clients give their sessions. */
export type SessionIds = 'plain' | 'hashed'

export function allowed(facts: object, sessionIds: SessionIds = 'hashed'): Allowed {
  const kept: Record<string, string | number | boolean | null> = {}
  for (const [name, value] of Object.entries(facts) as [string, Fact][]) {
    const own = name === 'session_id' && sessionIds === 'plain' ? plainId : gates[name]
    const gate = Object.hasOwn(gates, name) ? own : undefined
    const passed = value === null && gate ? null : gate?.(value)
    if (passed !== undefined) kept[name] = passed
  }
  return kept
}

const amount: Gate = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 100) / 100 : undefined

const matching =
  (pattern: RegExp): Gate =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined

/** Our own words: `rate_limited`, `window-made`, `fit.budget`. */
const code = matching(/^[a-z][a-z0-9_.-]{0,47}$/i)
const yes: Gate = (value) => (typeof value === 'boolean' ? value : undefined)
const uuid = /^(?:[a-z]{2,8}_)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const keyedRun = /^run_[0-9a-f]{32}$/

/** An id that a client made up may say anything, so that it is told by its hash; those of our own are told as they are. */
const id: Gate = (value) => {
  if (typeof value !== 'string' || value === '') return undefined
  if (uuid.test(value) || keyedRun.test(value)) return value
  return hashed(value)
}

/** As the client gave it, as long as it is one word of a line. */
const plainId: Gate = (value) => (typeof value === 'string' && /^[!-~]{1,200}$/.test(value) ? value : id(value))

const hashed = (value: string): string => `#${digest(value).slice(0, 12)}`

const policy: Gate = (value) => (typeof value === 'string' && !isPreset(value) ? id(value) : code(value))

/** A request may name any model of a provider: the name is told when it is one that everyone knows. */
const model: Gate = (value) => {
  const [, provider, name] = /^([a-z0-9][\w-]{0,31})\/([\w./:@-]{1,95})$/i.exec(String(value)) ?? []
  if (provider === undefined || name === undefined) return undefined
  if (provider === 'builtin' || (name.length <= 48 && isCommon(name))) return String(value)
  return `${provider}/${hashed(name)}`
}

const common = new Map<string, boolean>()

function isCommon(name: string): boolean {
  const known = common.get(name) ?? findModel(name).source === 'catalog'
  if (common.size < 1_000) common.set(name, known)
  return known
}

/** As in W3C Trace Context, or the name of the request. */
const trace: Gate = (value) => (typeof value === 'string' && /^[0-9a-f]{32}$/.test(value) ? value : id(value))

/** Where it broke, file by file; the function names and paths of a stack are left out. */
const places: Gate = (value) => {
  if (typeof value !== 'string') return undefined
  return Array.from(value.matchAll(/\/([\w.-]{1,40}\.[cm]?[jt]s:\d{1,6}):\d+/g), ([, place]) => place).join(' < ')
}

const every = <T extends string>(gate: Gate, ...names: readonly T[]): Record<T, Gate> =>
  Object.fromEntries(names.map((name) => [name, gate])) as Record<T, Gate>

const gates: Readonly<Record<string, Gate>> = {
  ...every(id, 'id', 'session_id', 'conversation', 'run', 'entry', 'receipt', 'share', 'request_id'),
  ...every(trace, 'trace_id'),
  ...every(places, 'stack'),
  ...every(matching(/^\$?[a-z0-9][a-z0-9_-]{0,63}$/i), 'workspace', 'key', 'replica'),
  ...every(matching(/^(?:\/[\w/{}:.*-]{0,119}|[a-zA-Z]{1,40})$/), 'route'),
  ...every(model, 'model'),
  ...every(policy, 'policy'),
  ...every(matching(/^[\w.-]+:\d+$/), 'at'),
  ...every(matching(/^\d+\.\d+\.\d+(?:-[\w.]{1,32})?$/), 'version'),
  ...every(
    code,
    'name',
    'error',
    'code',
    'cause',
    'state',
    'reason',
    'method',
    'kind',
    'store',
    'finish',
    'signal',
    'type',
    'step',
  ),
  ...every(yes, 'stream', 'open', 'repeated', 'aborted'),
  ...every(
    amount,
    ...([
      'status',
      'milliseconds',
      'bytes_in',
      'bytes_out',
      'port',
      'pid',
      'count',
      'attempt',
      'attempts',
      'wait_ms',
    ] as const),
    ...(['total_messages_in_db', 'messages_loaded', 'messages_truncated', 'estimated_tokens'] as const),
    ...([
      'input_tokens',
      'output_tokens',
      'cached_tokens',
      'drift',
      'active',
      'streams',
      'steps',
      'events',
      'archived',
      'purged',
    ] as const),
  ),
}
