/** An answer as Anthropic's clients have it. */
import { z } from 'zod'
import type { Part } from '../../core/message/item.js'
import { isFilled } from '../../core/window/mend/think.js'
import type { FinishReason, Usage } from '../../models/wire/contract.js'
import type { Run } from '../../runs/contract.js'
import type { Answered } from '../dialect/turn.js'

export const anthropicMessageSchema = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string(),
  })
  .meta({ id: 'AnthropicMessage', description: 'An answer as the Anthropic API tells of it' })

export const anthropicMessage = ({ run, parts, usage }: Answered): z.output<typeof anthropicMessageSchema> => ({
  ...messageHead(run),
  content: parts.flatMap((part) => blockOf(part, isSignedBy(run.model))),
  stop_reason: stopOf(run),
  usage: anthropicUsage(usage),
})

export const messageHead = ({ id, model, stop }: Run) => ({
  id: id.replace(/^run_/, 'msg_'),
  type: 'message' as const,
  role: 'assistant' as const,
  model,
  container: null,
  stop_details: null,
  stop_sequence: stop ?? null,
})

type Block = { readonly type: string; readonly [field: string]: unknown }

/** What another maker's model signed is no signature to Anthropic, which would refuse it. */
export const isSignedBy = (model: string): boolean => !/^(?:openai|google)\//.test(model)

function blockOf(part: Part, isSigned: boolean): Block[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, citations: null }]
    case 'think':
      if (!isSigned) return part.text === '' ? [] : [{ type: 'thinking', thinking: part.text, signature: '' }]
      if (part.text === '' && isFilled(part.sealed)) return [{ type: 'redacted_thinking', data: part.sealed }]
      return [{ type: 'thinking', thinking: part.text, signature: part.signature ?? '' }]
    case 'call':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input ?? {} }]
    case 'file':
      return [{ type: 'text', text: '', citations: null }]
  }
}

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  calls: 'tool_use',
  filter: 'refusal',
  other: 'end_turn',
}

export const stopOf = ({ finish, stop }: Run): string =>
  stop !== undefined && finish === 'stop' ? 'stop_sequence' : reasons[finish ?? 'stop']

/** What was read from a cache is counted apart. */
export const anthropicUsage = ({ input, output, cached, written }: Usage) => ({
  input_tokens: Math.max(0, input - (cached ?? 0) - (written ?? 0)),
  output_tokens: output,
  cache_creation_input_tokens: written ?? null,
  cache_read_input_tokens: cached ?? null,
  cache_creation: null,
  server_tool_use: null,
  service_tier: null,
})
