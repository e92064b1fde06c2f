/** A run as a chat completion. */
import { z } from 'zod'
import type { Part } from '../../../core/message/item.js'
import type { Usage } from '../../../models/wire/contract.js'
import type { Run } from '../../../runs/contract.js'
import type { Answered } from '../../dialect/turn.js'
import { secondsOf } from '../shape/schemas.js'

export const completionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(z.looseObject({ index: z.int(), message: z.looseObject({ role: z.literal('assistant') }) })),
  })
  .meta({ id: 'OpenaiCompletion', description: 'A chat completion, as the OpenAI API tells of it' })

export function completionOf(
  { run, parts, usage }: Answered,
  kept: boolean,
  metadata: object = {},
): z.output<typeof completionSchema> {
  return {
    ...chatHead(run),
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(parts), logprobs: null, finish_reason: finishOf(run) }],
    usage: chatUsage(usage),
    ...(kept && run.receipt ? { metadata: { ...metadata, throughline_receipt: run.receipt } } : null),
  }
}

export const completionId = ({ id }: Run): string => `chatcmpl_${id.replace(/^run_/, '')}`

export const chatHead = (run: Run) => ({ id: completionId(run), created: secondsOf(run.startedAt), model: run.model })

export function messageOf(parts: readonly Part[]) {
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
  const thought = parts.flatMap((part) => (part.type === 'think' ? part.text : [])).join('')
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? { id: part.id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input) ?? '{}' } }
      : [],
  )
  return {
    role: 'assistant' as const,
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(thought === '' ? null : { reasoning_content: thought }),
    ...(calls.length === 0 ? null : { tool_calls: calls }),
  }
}

export function finishOf({ finish }: Run): string {
  if (finish === 'calls') return 'tool_calls'
  if (finish === 'filter') return 'content_filter'
  return finish === 'length' ? 'length' : 'stop'
}

export const chatUsage = ({ input, output, cached, thinking }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached ?? 0 },
  completion_tokens_details: { reasoning_tokens: thinking ?? 0 },
})
