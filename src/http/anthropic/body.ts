/** A request of the Anthropic Messages API. */
import { z } from 'zod'

const fields = z.record(z.string(), z.unknown())
const blocks = z.array(z.looseObject({ type: z.string() }))

/** What is counted as well as what is answered. */
export const countBody = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: z.union([z.string(), blocks]) }))
    .min(1)
    .max(100_000),
  system: z.union([z.string(), z.array(z.looseObject({ type: z.literal('text'), text: z.string() }))]).optional(),
  tools: z
    .array(z.looseObject({ name: z.string().min(1).max(128), input_schema: fields.optional() }))
    .max(10_000)
    .optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']), name: z.string().optional() }).optional(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().min(1).optional() }).optional(),
})

export const messagesBody = countBody.extend({
  max_tokens: z.int().min(1).max(1_000_000),
  stream: z.boolean().optional(),
  stop_sequences: z.array(z.string().min(1)).max(100).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  metadata: z.looseObject({ user_id: z.string().max(1_000).nullish() }).optional(),
  store: z.boolean().optional().describe('false: nothing of it is kept here'),
})

export type CountBody = z.output<typeof countBody>
export type MessagesBody = z.output<typeof messagesBody>
