/** A long input as a shorter one: what the window would leave out is summarised, the rest is what it would hold. */
import { z } from 'zod'
import { render } from '../../../core/render/render.js'
import type { Model } from '../../../models/wire/contract.js'
import { summariserOf } from '../../../runs/summarise.js'
import { packed } from '../../dialect/packed.js'
import type { Ask } from '../../dialect/start.js'
import type { Context } from '../../kit/context.js'
import type { Item } from '../items/item.js'
import { secondsOf } from '../shape/schemas.js'
import { responseBody } from './body.js'
import { askingOf } from './request.js'
import { type Before, windowFor } from './window.js'

export const compactBody = responseBody
  .pick({ input: true, instructions: true, previous_response_id: true, context_management: true })
  .extend({ model: z.string().min(1).max(200) })

export const compactionSchema = z
  .object({
    id: z.string(),
    object: z.literal('response.compaction'),
    created_at: z.int(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: 'OpenaiCompaction', description: 'An item to go on with' })

export async function compactResponse(context: Context<object, object, z.output<typeof compactBody>>) {
  const { frame, body } = context
  const { before, ask, model } = await askingOf({ ...context, key: undefined }, { ...body, store: false })
  const { window, receipt } = await shorter(context, before, ask, model)
  const { system: _, tools: __, ...bare } = window
  const rendered = render(bare, 'openai-responses')
  const { input } = rendered as unknown as { readonly input: readonly Item[] }
  const { before: all, after: left } = receipt.totals.tokens
  return {
    id: `cmp_${frame.env.id()}`,
    object: 'response.compaction',
    created_at: secondsOf(frame.env.now()),
    output: [{ id: `cmp_${frame.env.id()}`, type: 'compaction', encrypted_content: packed(input) }],
    usage: {
      input_tokens: all ?? left,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: left,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: (all ?? left) + left,
    },
  }
}

/** To the threshold that was asked for, or to half of what there is; what cannot be summarised stays as the window has it. */
async function shorter(context: Pick<Context, 'frame' | 'workspace'>, before: Before | null, ask: Ask, model: Model) {
  const whole = await windowFor(context, before, ask, model)
  const budget = ask.budget ?? Math.ceil(whole.receipt.budget.used / 2)
  const writer = model.kind === 'builtin' ? null : { summariser: summariserOf(model) }
  const made = await windowFor(context, before, { ...ask, budget }, model, (history, same) =>
    history.compact({ ...same, ...writer, force: true }),
  ).catch(() => null)
  return made?.receipt.summary ? made : whole
}
