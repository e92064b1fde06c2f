/** A long input as the shorter one that a window makes of it. */
import { z } from 'zod'
import { render } from '../../../core/render/render.js'
import type { Context } from '../../context.js'
import { itemId } from '../items/item.js'
import { secondsOf } from '../schemas.js'
import { responseBody } from './body.js'
import { askingOf } from './request.js'
import { windowFor } from './window.js'

export const compactBody = responseBody.pick({
  model: true,
  input: true,
  instructions: true,
  previous_response_id: true,
  context_management: true,
})

export const compactionSchema = z
  .object({
    id: z.string(),
    object: z.literal('response.compaction'),
    created_at: z.int(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: 'OpenaiCompaction', description: 'Items to go on with' })

export async function compact(context: Context<object, object, z.output<typeof compactBody>>) {
  const { frame, body } = context
  const { before, ask, model } = await askingOf({ ...context, key: undefined }, { ...body, store: false })
  const { window, receipt } = await windowFor(context, before, ask, model)
  const { system: _, tools: __, ...bare } = window
  const rendered = render(bare, 'openai-responses')
  const { input } = rendered as unknown as { readonly input: readonly { readonly type: string }[] }
  const { before: all, after: left } = receipt.totals.tokens
  return {
    id: `cmp_${frame.env.id()}`,
    object: 'response.compaction',
    created_at: secondsOf(frame.env.now()),
    output: input.map((item) => ({ id: itemId(item.type, frame.env.id()), status: 'completed', ...item })),
    usage: {
      input_tokens: all ?? left,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: left,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: (all ?? left) + left,
    },
  }
}
