/** Everything one call of `assemble` decides before it looks at the history. */
import type { Issue } from '../message/issue.js'
import type { ProfileName, Target } from '../message/target.js'
import { byteLength } from '../message/text.js'
import { extend, isParsed, tryPolicy } from '../policy/parse.js'
import { isPreset, literal, presets, unknownPolicy } from '../policy/presets/index.js'
import type { Overrides, Policy } from '../policy/schema.js'
import { traitsOf } from '../profile/profiles.js'
import type { Traits } from '../profile/traits.js'
import { frameOf } from '../render/block.js'
import { isText, type Scale, type Size } from '../render/size.js'
import { charsPer4 } from '../tokens/charsPer4.js'
import type { Counter } from '../tokens/counter.js'
import { estimator } from '../tokens/estimate.js'
import { knownCounter } from '../tokens/exact.js'
import { families } from '../tokens/family.js'
import { assumedWindow, findModel, type ModelFacts, type ModelRow } from '../tokens/models.js'
import { type Caching, cachingOf, messageOverhead, schemaTokens } from '../tokens/size.js'
import type { Load } from './load.js'
import { constant, type Memo, type Table, tableOf } from './memo.js'
import { closingCue, openingCue } from './mend/order.js'
import type { Plan } from './walk.js'

/** How a window is made, beside its policy: the model, the budget, the target, the counter. */
export interface Options<T extends Target = Target> {
  /** The model the window is for: its window sets the budget, its family the counter. */
  readonly model?: string
  /** Tokens of the model's window, where the catalog does not know it or is wrong. */
  readonly window?: number
  /** Rows that go before the built-in catalog of models. */
  readonly models?: readonly ModelRow[]
  /** Tokens for the whole request; takes the place of the policy's own limit. */
  readonly budget?: number
  /** The form of the request; left out, the policy's own. The type of what is rendered follows from it. */
  readonly target?: T
  /** The server it goes to, where neither the target nor the model's name says it: its rules hold, too. */
  readonly profile?: ProfileName
  /** A hash of the account it is sent from: sealed reasoning that another account was given is left out. */
  readonly issuer?: string
  /** Whether the request will ask for thinking; some models want it back, or refuse it, by that. */
  readonly thinking?: boolean
  readonly overrides?: Overrides
  /** Reproduces the letter of a specification, known faults included. */
  readonly compat?: 'literal'
  /** An exact counter; without one the estimate of the model's family is used. */
  readonly counter?: Counter
  /** What a provider charges for the beginning of a request that it has seen before; null: it is not cached, or there is no next request. */
  readonly caching?: Caching | null
  /** The time, for policies that fill in missing timestamps. */
  readonly now?: string
  /** Remembers counts between calls over a history that only grows. */
  readonly memo?: Memo
  /** Messages that the window does not need: by default a long run of them is estimated; `full`: count each; `window`: none; a function: they were counted elsewhere. */
  readonly account?: 'full' | 'window' | ((from: number, to: number) => Size)
  /** Where the message with an id stands, when it is known elsewhere. */
  readonly places?: (id: string) => number | undefined
  /** Someone writes summaries of what does not fit: a policy that asks for them is not told that nobody does. */
  readonly summarises?: boolean
  /** List what stands only in what was left out. */
  readonly risks?: boolean
  /** SHA-256 in hex; a native one is faster. */
  readonly digest?: (text: string) => string
}

export type Resolved =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly issue: Issue; readonly issues: readonly Issue[] }

/** A preset by name, a policy, or an object that becomes one; overrides and literal compatibility on top. */
export function resolvePolicy(
  policy: string | object | undefined,
  options: Pick<Options, 'overrides' | 'compat' | 'memo'>,
): Resolved {
  const base = typeof policy === 'string' || policy === undefined ? named(policy ?? 'balanced') : whole(policy)
  if (!base.ok || (!options.overrides && options.compat !== 'literal')) return base
  return options.memo ? known(base.policy, options, options.memo) : changed(base.policy, options)
}

function known(policy: Policy, options: Pick<Options, 'overrides' | 'compat'>, memo: Memo): Resolved {
  const made = memo.policies.get(policy) ?? new Map<string, Policy>()
  memo.policies.set(policy, made)
  const key = `${options.compat ?? ''}|${JSON.stringify(options.overrides)}`
  const found = made.get(key)
  if (found) return { ok: true, policy: found }
  const result = changed(policy, options)
  if (result.ok) made.set(key, result.policy)
  return result
}

function changed(policy: Policy, options: Pick<Options, 'overrides' | 'compat'>): Resolved {
  const faithful = options.compat === 'literal' ? literal[policy.name] : undefined
  return checked(extend(faithful ? (extend(policy, faithful) as Policy) : policy, options.overrides ?? {}))
}

function named(name: string): Resolved {
  if (isPreset(name)) return { ok: true, policy: presets[name] }
  const issue = unknownPolicy(name)
  return { ok: false, issue, issues: [issue] }
}

/** An object with `extends` starts from that preset; one without must be a whole policy. */
function whole(policy: object): Resolved {
  if (isParsed(policy)) return { ok: true, policy }
  if (!Object.hasOwn(policy, 'extends')) return checked(policy)
  const { extends: parent, ...overrides } = policy as { readonly extends: unknown } & Overrides
  const base = typeof parent === 'string' ? named(parent) : named(String(parent))
  return base.ok ? checked(extend(base.policy, overrides)) : base
}

function checked(value: unknown): Resolved {
  const parsed = tryPolicy(value)
  if (parsed.ok) return parsed
  return { ok: false, issue: parsed.issues[0] as Issue, issues: parsed.issues }
}

/** The count by a table, where there is one and neither the caller nor the policy counts in another way. */
export async function counterFor(
  { counter }: Pick<Policy, 'counter'>,
  options: Pick<Options, 'counter' | 'model' | 'models'>,
): Promise<Pick<Options, 'counter'>> {
  if (options.counter || counter !== 'auto' || options.model === undefined) return {}
  const known = await knownCounter(options.model, options.models)
  return known ? { counter: known } : {}
}

export interface Prepared extends Plan {
  readonly facts: ModelFacts | null
  readonly caching: Caching | null
}

/** The key of a table names the target, the model and the profile. */
const traitsIn = new WeakMap<Table, Traits>()

const weightless = { base: 0, perMessage: 0, perCall: 0, perResult: 0 }

export function planOf(policy: Policy, options: Options): Prepared {
  const facts = options.model === undefined ? null : modelOf(options.model, options)
  const family = facts?.family ?? families.find((one) => options.counter?.name.startsWith(one)) ?? 'unknown'
  const counter = options.counter ?? (policy.counter === 'chars/4' ? charsPer4 : estimator(family, facts?.scale))
  const target = options.target ?? policy.render.target
  const now = policy.intake.time === 'keep' ? undefined : options.now
  const key = `${counter.name}|${target}|${options.model ?? ''}|${options.profile ?? ''}|${options.issuer ?? ''}|${options.thinking ?? ''}|${now ?? ''}`
  const table = tableOf(options.memo, policy, key)
  const traits = traitsIn.get(table) ?? traitsOf(target, options)
  traitsIn.set(table, traits)
  const scale: Scale = {
    counter,
    family,
    target,
    sizes: table.sizes,
    model: options.model,
    traits,
    style: policy.render,
    overhead: counter === charsPer4 ? weightless : messageOverhead(family),
  }
  const caching = options.caching === undefined ? cachingOf(facts?.provider) : options.caching
  const step = caching ? policy.fit.step : 0
  return {
    policy,
    scale,
    now,
    facts,
    table,
    marks: null,
    step,
    caching,
    partial: options.places !== undefined,
    cachedFrom: caching?.least ?? 0,
  }
}

function modelOf(id: string, options: Options): ModelFacts {
  const facts = foundOf(id, options)
  return options.window === undefined ? facts : { ...facts, window: options.window, source: 'given' }
}

function foundOf(id: string, { memo, models }: Options): ModelFacts {
  const known = memo?.models.get(id)
  if (known) return known
  const facts = findModel(id, models)
  memo?.models.set(id, facts)
  return facts
}

// How much each limit leaves: the budget, minus what is not history.

export interface Budget {
  /** Tokens for everything between the system prompt and the answer; null without a limit. */
  readonly tokens: number | null
  readonly reserve: { readonly system: number; readonly tools: number; readonly response: number }
  /** What the system prompt and the tools cost. */
  readonly counted: { readonly system: number; readonly tools: number }
  readonly warnings: readonly Issue[]
}

interface Demands {
  /** Tokens for the whole request, as the caller gave it. */
  readonly asked: number | undefined
  readonly system: string | undefined
  readonly tools: readonly unknown[] | undefined
  readonly facts: ModelFacts | null
  /** Tokens of the message to answer; it is no part of the history. */
  readonly current?: number | undefined
  readonly plan: Plan
}

export function budgetOf(fit: Policy['fit'], demands: Demands): Budget {
  const { asked, system, tools, facts, current = 0, plan } = demands
  const { scale, table } = plan
  const counted = {
    system: system ? table.system.of(system, () => scale.counter.count(system) + scale.overhead.perMessage) : 0,
    tools: tools ? table.tools.of(tools, () => schemaTokens(tools, scale.counter, scale.family)) : 0,
  }
  if (asked !== undefined) {
    const reserve = { ...counted, response: 0 }
    return { tokens: asked - counted.system - counted.tools, reserve, counted, warnings: [] }
  }
  const reserve = {
    system: Math.max(fit.reserve.system, counted.system),
    tools: Math.max(fit.reserve.tools, counted.tools),
    response: fit.reserve.response,
  }
  if (fit.tokens === null) return { tokens: null, reserve: { ...counted, response: 0 }, counted, warnings: [] }
  if (fit.covers === 'history' && fit.tokens !== 'model') {
    // the message to answer comes on top, as far as the model has room for it
    const most = facts ? facts.window - counted.system - counted.tools - fit.reserve.response : Number.POSITIVE_INFINITY
    const tokens = Math.max(fit.tokens, Math.min(fit.tokens + current, most))
    return { tokens, reserve: { ...counted, response: 0 }, counted, warnings: [] }
  }
  const window = fit.tokens === 'model' ? (facts?.window ?? assumedWindow) : fit.tokens
  const left = window - reserve.system - reserve.tools - reserve.response
  if (left >= Math.min(256, window / 4)) return { tokens: left, reserve, counted, warnings: [] }
  // a reserve larger than the window must not collapse the conversation to nothing
  const rest = window - counted.system - counted.tools
  const warning: Issue = {
    code: 'fit.reserve',
    field: 'policy.fit.reserve',
    value: reserve,
    message: `the reserves leave ${left} of ${window} tokens; they are ignored and ${rest} are used`,
  }
  return { tokens: rest, reserve: { ...counted, response: 0 }, counted, warnings: [warning] }
}

/** The limits on the history, with the current message and the fixed costs of the target taken off. */
export function roomOf(
  plan: Plan,
  budget: Budget,
  current: { readonly tokens: number; readonly text: string } | null,
): Load {
  const { fit } = plan.policy
  const limit = (value: number | null): number => value ?? Number.POSITIVE_INFINITY
  return {
    tokens:
      budget.tokens === null ? Number.POSITIVE_INFINITY : budget.tokens - fixedTokens(plan) - (current?.tokens ?? 0),
    chars: limit(fit.chars),
    bytes: fit.bytes === null ? Number.POSITIVE_INFINITY : fit.bytes - (current ? envelope(current.text) : 0),
    messages: limit(fit.messages),
    turns: limit(fit.turns),
  }
}

/** A message to answer takes at least so much of the budget, or twice as much, and so on. */
const grid = 1 / 64

/** What is there whatever is asked, as long as it is no long message: shares of it do not change from turn to turn. */
export function steadyOf({ step }: Plan, budget: Budget, room: Load): Load {
  if (budget.tokens === null || step === 0) return room
  const taken = budget.tokens - room.tokens
  const unit = Math.max(1, budget.tokens * grid)
  return { ...room, tokens: budget.tokens - Math.ceil(taken / unit) * unit }
}

/** The request of specification 1 around the history. */
const envelope = (prompt: string): number => byteLength(JSON.stringify({ prompt, conversationHistory: [] }))

/** What the request costs before anything is said. */
export const fixedTokens = (plan: Plan): number => constant(plan.table, 'fixed', () => countFixed(plan.scale))

function countFixed(scale: Scale): number {
  if (!isText(scale.target)) return scale.overhead.base
  const frame = frameOf(scale.target, scale.style)
  return (
    scale.counter.count(frame.open) +
    scale.counter.count(frame.close(9_999, 9_999)) +
    scale.counter.count(frame.ask) +
    3
  )
}

/** What a cue costs that makes the order of roles legal. */
export const cueTokens = (plan: Plan, which: 'opening' | 'closing'): number =>
  constant(plan.table, which, () => countCue(plan.scale, which === 'opening' ? openingCue : closingCue))

function countCue(scale: Scale, cue: string): number {
  if (!scale.traits.chat) return 0
  return scale.counter.count(cue) + scale.overhead.perMessage
}
