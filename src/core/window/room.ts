/** How much each limit leaves: the budget, minus what is not history. */

import type { Issue } from '../message/issue.js'
import { byteLength } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import { frameOf } from '../render/block.js'
import { isText, type Scale } from '../render/size.js'
import { assumedWindow, type ModelFacts } from '../tokens/models.js'
import { schemaTokens } from '../tokens/size.js'
import type { Load } from './load.js'
import { constant } from './memo.js'
import { closingCue, openingCue } from './mend/order.js'
import type { Plan } from './walk.js'

export interface Budget {
  /** Tokens for everything between the system prompt and the answer; null without a limit. */
  readonly tokens: number | null
  readonly reserve: { readonly system: number; readonly tools: number; readonly response: number }
  /** What the system prompt and the tools cost. */
  readonly counted: { readonly system: number; readonly tools: number }
  readonly warnings: readonly Issue[]
}

export interface Demands {
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
