/** How many tokens a request has, all of it: what its window would leave out as well. */

import { HistoryError } from '../../core/message/issue.js'
import { choiceOf } from '../../core/policy/presets/index.js'
import { assemble } from '../../core/window/assemble.js'
import { rowOf } from '../../runs/ask.js'
import type { Frame } from '../context.js'
import { modelNamed } from '../openai/model-name.js'
import type { CountBody } from './body.js'
import { systemOf, toolsOf } from './request.js'

export async function countOf({ models, policy }: Frame, body: CountBody): Promise<number> {
  const model = (await modelNamed(models, body.model)) ?? (await models.find())
  const [system, tools] = [systemOf(body), toolsOf(body)]
  const made = assemble(
    { messages: body.messages, ...(system !== undefined && { system }), ...(tools && { tools }) },
    choiceOf(policy),
    { model: model.id, models: [rowOf(model)], target: model.target },
  )
  if (!made.ok) throw new HistoryError('refused', [{ ...made.error, code: 'refused' }])
  const { totals, budget } = made.receipt
  return (totals.tokens.before ?? totals.tokens.after) + budget.reserve.system + budget.reserve.tools
}
