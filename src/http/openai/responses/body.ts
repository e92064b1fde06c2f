/** A request for a response. */
import { z } from 'zod'
import { item, metadata } from '../shape/schemas.js'
import { responseFormat, sampling } from '../shape/settings.js'
import { toolChoice, tools } from '../shape/tools.js'

const id = z.string().min(1).max(200)

export const responseBody = z.looseObject({
  ...sampling,
  model: z.string().min(1).max(200).nullish(),
  input: z.union([z.string(), z.array(item).max(100_000)]).nullish(),
  instructions: z.string().max(1_000_000).nullish(),
  conversation: z
    .union([id, z.looseObject({ id })])
    .nullish()
    .describe('Goes on there; not together with previous_response_id'),
  previous_response_id: id.nullish().describe('Goes on behind that response; two that do are two branches'),
  store: z.boolean().nullish().describe('false: nothing of it is kept'),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  tools: tools.nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: metadata.nullish(),
  max_output_tokens: z.int().min(1).max(1_000_000).nullish(),
  reasoning: z.looseObject({}).nullish(),
  text: z.looseObject({ format: responseFormat }).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish().describe('disabled: refused when not all of it fits'),
  context_management: z
    .array(z.looseObject({ type: z.string(), compact_threshold: z.int().min(1).nullish() }))
    .nullish()
    .describe('compact_threshold: most tokens of the request to the model'),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
})

export type ResponseBody = z.output<typeof responseBody>

/** What a response repeats of its request. */
export interface Echo {
  readonly [field: string]: unknown
}

export const echoOf = (body: ResponseBody): Echo => ({
  background: body.background ?? false,
  frequency_penalty: 0,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  max_tool_calls: null,
  metadata: body.metadata ?? {},
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  presence_penalty: 0,
  previous_response_id: body.previous_response_id ?? null,
  prompt_cache_key: body.prompt_cache_key ?? null,
  reasoning: { effort: null, summary: null, ...body.reasoning },
  safety_identifier: body.safety_identifier ?? null,
  service_tier: 'default',
  store: body.store ?? true,
  temperature: body.temperature ?? 1,
  text: { format: { type: 'text' }, ...body.text },
  tool_choice: body.tool_choice ?? 'auto',
  tools: (body.tools ?? []).map((tool) => ({ description: null, parameters: null, strict: null, ...tool })),
  top_logprobs: 0,
  top_p: body.top_p ?? 1,
  truncation: body.truncation ?? 'auto',
  user: body.user ?? null,
})
