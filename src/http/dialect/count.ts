/** How many tokens a request has: what is sent, and nothing that is only set aside. */

import { HistoryError } from '../../core/message/issue.js'
import { choiceOf } from '../../core/policy/presets/index.js'
import { assemble } from '../../core/window/assemble.js'
import { counterFor, resolvePolicy } from '../../core/window/plan.js'
import type { ModelTool } from '../../models/wire/contract.js'
import { rowOf } from '../../runs/ask.js'
import type { ServiceFrame } from '../kit/context.js'
import { modelNamed } from './model-name.js'

export interface Counted {
  readonly model: string
  readonly messages: readonly unknown[]
  readonly system: string | undefined
  readonly tools: readonly ModelTool[] | undefined
}

export async function countOf({ models, policy }: ServiceFrame, { model: name, messages, system, tools }: Counted) {
  const model = (await modelNamed(models, name)) ?? (await models.find())
  const input = { messages, ...(system !== undefined && { system }), ...(tools && { tools }) }
  const choice = choiceOf(policy)
  const options = { model: model.id, models: [rowOf(model)], target: model.target }
  const resolved = resolvePolicy(choice, {})
  const made = assemble(input, choice, { ...options, ...(resolved.ok && (await counterFor(resolved.policy, options))) })
  if (!made.ok) throw new HistoryError('refused', [{ ...made.error, code: 'refused' }])
  const { parts, tokens } = made.receipt.request
  return (tokens.of ?? tokens.sent) + parts.system + parts.tools + parts.frame
}
