/** The limits hold, on the wire and in their own unit. */

import { length } from '../../../src/core/message/text.js'
import type { Cut } from '../../../src/core/policy/schema.js'
import { schemaTokens } from '../../../src/core/tokens/size.js'
import type { Issue } from '../../../src/index.js'
import { recount } from '../wire.js'
import { type Law, meterOf } from './read.js'

const refusals = /^(fit\.budget|admit\.[a-z.]+|window\.empty|options\.budget)$/

/** A refusal is one of the known ones, with a field and words. */
export function typedRefusal(error: Issue): string[] {
  return refusals.test(error.code) && error.message !== '' && error.field
    ? []
    : [`untyped refusal ${JSON.stringify(error)}`]
}

/** P-01 */
export const withinBudget: Law = (trial) => {
  const { receipt, rendered } = trial.result
  const { counter, family } = meterOf(trial)
  const count = recount(trial.target, rendered, counter, family)
  // a leading system message of the caller is part of the prompt
  const system = receipt.budget.reserve.system + 8
  const tools =
    receipt.budget.reserve.tools === 0 || !trial.input.tools ? 0 : schemaTokens(trial.input.tools, counter, family)
  const { budget } = trial.options
  const limit =
    budget !== undefined ? budget - tools : receipt.budget.tokens === null ? null : receipt.budget.tokens + system
  const { fit } = trial.policy
  if (receipt.budget.excess > 0) {
    const allowed = fit.floor > 0 || fit.oversize === 'keep'
    return allowed && receipt.warnings.some(({ code }) => code === 'fit.excess')
      ? []
      : ['over the limit without a word']
  }
  // whole tokens of chars / 4 add up to less than those of the joined text
  const seams = counter.name === 'chars/4' ? 2 + receipt.mended.reduce((sum, { count: times }) => sum + times, 0) : 0
  return limit !== null && count > limit + seams
    ? [`${count} tokens on the wire, ${limit} allowed (the receipt says ${receipt.budget.used})`]
    : []
}

/** P-01, the limits in other units. */
export const withinLimits: Law = (trial) => {
  const { receipt, items } = trial.result
  if (receipt.budget.excess > 0) return []
  const { fit } = trial.policy
  // what people pinned does not count, any more than the pinned first message
  const held = new Set(trial.input.marks?.pinned)
  const said = items.filter((item) => item.fate !== 'current' && item.fate !== 'marker' && !held.has(item.id ?? ''))
  const chars = said.reduce((sum, item) => sum + length(item.text), 0)
  const out: string[] = []
  if (fit.chars !== null && chars > fit.chars) out.push(`${chars} characters, ${fit.chars} allowed`)
  // the pinned first message does not count
  const pinned = fit.pin.first
  if (fit.messages !== null && said.length > fit.messages + pinned)
    out.push(`${said.length} messages, ${fit.messages} allowed`)
  const turns = said.filter((item) => item.role === 'user').length
  if (fit.turns !== null && turns > fit.turns) out.push(`${turns} turns, ${fit.turns} allowed`)
  return out
}

const over = (text: string, cut: Cut | null): boolean => cut !== null && length(text) > cut.over

/** P-26: for the preset that promises it; the limits of `balanced` hold for what gives way under pressure. */
export const capped: Law = ({ policy, result, preset, input }) => {
  if (preset !== 'handoff-balanced') return []
  const out: string[] = []
  const newest = result.items.findLastIndex((item) => item.role === 'user')
  result.items.forEach((item, i) => {
    if (item.fate === 'marker' || item.role === 'system' || input.marks?.whole?.includes(item.id ?? '')) return
    const exempt = policy.clip.newestWhole && i === newest
    if (!exempt && over(item.text, policy.clip[item.role]))
      out.push(`${item.role} ${item.index}: ${length(item.text)} characters`)
    for (const part of item.parts) {
      if (part.type !== 'call' || part.outcome.state === 'pending') continue
      for (const one of part.outcome.output)
        if (one.type === 'text' && over(one.text, policy.clip.tool))
          out.push(`result ${part.id}: ${length(one.text)} characters`)
    }
  })
  return out
}
