/** A request for a chat completion. */
import { z } from 'zod'
import { metadata } from '../shape/schemas.js'
import { responseFormat, sampling } from '../shape/settings.js'
import { toolChoice, tools } from '../shape/tools.js'

const count = z.int().min(1).max(1_000_000)

export const chatBody = z.looseObject({
  ...sampling,
  model: z.string().min(1).max(200).nullish(),
  messages: z
    .array(z.looseObject({ role: z.string() }))
    .min(1)
    .max(100_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  store: z
    .boolean()
    .nullish()
    .describe('true: kept; a history that begins the same goes on, one that differs branches'),
  tools: tools.nullish(),
  tool_choice: toolChoice.nullish(),
  n: z.int().min(1).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  max_tokens: count.nullish(),
  max_completion_tokens: count.nullish(),
  response_format: responseFormat,
  metadata: metadata.nullish(),
  user: z.string().max(1_000).nullish(),
})

export type ChatBody = z.output<typeof chatBody>
