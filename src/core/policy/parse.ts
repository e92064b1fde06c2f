/** Checks a policy once, shape and geometry; what comes out is frozen and trusted. */

import { sha256 } from '../message/hash.js'
import { HistoryError, type Issue } from '../message/issue.js'
import { policyForm } from './form.js'
import type { Cut, Overrides, Policy } from './schema.js'
import { copyOf, type ShapeFault } from './shape.js'

const parsed = new WeakSet<object>()

/** True for a policy that came out of `parsePolicy`. */
export const isParsed = (value: unknown): value is Policy =>
  typeof value === 'object' && value !== null && parsed.has(value)

export type Parsed =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Returns the policy, or every reason why it is none. */
export function tryPolicy(value: unknown): Parsed {
  if (isParsed(value)) return { ok: true, policy: value }
  const faults: ShapeFault[] = []
  policyForm(value, '', faults)
  if (faults.length > 0) return { ok: false, issues: faults.map(shapeIssue) }
  const policy = freeze(copyOf(policyForm, value as Policy))
  const issues = geometry(policy)
  if (issues.length > 0) return { ok: false, issues }
  parsed.add(policy)
  return { ok: true, policy }
}

/** Like `tryPolicy`, but throws a `HistoryError` with every reason. @example parsePolicy(JSON.parse(readFileSync('policy.json', 'utf8'))) */
export function parsePolicy(value: unknown): Policy {
  const result = tryPolicy(value)
  if (!result.ok) throw new HistoryError('policy.invalid', result.issues)
  return result.policy
}

/** Returns a new policy: plain objects merge, everything else replaces. @example extend(presets.balanced, { fit: { tokens: 8_000 } }) */
export function extend(policy: Policy, overrides: Overrides): unknown {
  return merge(policy, overrides)
}

function merge(base: unknown, over: unknown): unknown {
  if (!isPlain(base) || !isPlain(over)) return over
  const out: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    if (value !== undefined && key !== '__proto__')
      out[key] = Object.hasOwn(base, key) ? merge(base[key], value) : value
  }
  return out
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shapeIssue = ({ field, reason }: ShapeFault): Issue => ({
  code: 'policy.shape',
  field,
  reason,
  message: `policy ${field}: ${reason}`,
})

/** The laws between fields: an impossible geometry is refused before any history is seen. */
function geometry(policy: Policy): Issue[] {
  const issues: Issue[] = []
  const refuse = (field: string, reason: string, value?: unknown): void => {
    issues.push({ code: 'policy.geometry', field, reason, value, message: `policy ${field}: ${reason}` })
  }
  const { intake, fold, clip, fit } = policy
  const cuts: readonly (readonly [string, Cut | null])[] = [
    ['fold.result', fold.result],
    ['clip.user', clip.user],
    ['clip.assistant', clip.assistant],
    ['clip.tool', clip.tool],
  ]
  for (const [field, cut] of cuts) {
    if (cut && cut.head + cut.tail > cut.over) refuse(field, 'head and tail together are longer than the limit', cut)
    if (cut && cut.head + cut.tail === 0) refuse(field, 'nothing would be kept', cut)
  }
  for (const role of ['user', 'assistant'] as const) {
    const cut = clip[role]
    if (intake.hard && cut && intake.hard[role] < cut.over)
      refuse(`intake.hard.${role}`, 'is below the limit at which the text is cut', intake.hard[role])
  }
  if (fit.messages !== null && fit.floor > fit.messages)
    refuse('fit.floor', 'keeps more messages than fit.messages allows', fit.floor)
  if (intake.last !== null && fit.floor > intake.last)
    refuse('fit.floor', 'keeps more messages than intake.last looks at', fit.floor)
  if (fit.pin.share >= 1 && fit.pin.first > 0)
    refuse('fit.pin.share', 'leaves nothing for the newest messages', fit.pin.share)
  if (fit.floor > 0 && fit.grain === 'turn')
    refuse('fit.floor', 'counts messages; with grain "turn" the newest turn is always kept', fit.floor)
  if (fit.turns !== null && fit.grain === 'message') refuse('fit.turns', 'needs grain "turn"', fit.turns)
  if (fit.covers === 'request' && typeof fit.tokens === 'number') {
    const reserved = fit.reserve.system + fit.reserve.tools + fit.reserve.response
    if (reserved > 0 && fit.tokens - reserved < 256)
      refuse(
        'fit.reserve',
        `leaves ${fit.tokens - reserved} of ${fit.tokens} tokens for the history (at least 256)`,
        reserved,
      )
  }
  if (fit.lead === 'user' && fit.grain === 'message') refuse('fit.lead', 'needs grain "turn"', fit.lead)
  if (fit.gap.form !== 'none' && fit.gap.text.trim() === '') refuse('fit.gap.text', 'is empty', fit.gap.text)
  if (fit.tokens !== null && fit.tokens !== 'model' && fit.tokens < 64)
    refuse('fit.tokens', 'is too small for any conversation (at least 64)', fit.tokens)
  return issues
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

const hashes = new WeakMap<Policy, string>()

/** Sixteen hex digits that name a policy by its content, whatever the order of its keys. */
export function policyHash(policy: Policy): string {
  const known = hashes.get(policy)
  if (known) return known
  const hash = sha256(canonical(policy)).slice(0, 16)
  hashes.set(policy, hash)
  return hash
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
