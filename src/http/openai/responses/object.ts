/** A run as a response. */
import { z } from 'zod'
import type { Run } from '../../../runs/contract.js'
import type { Answered } from '../../dialect/turn.js'
import { problemOfRun } from '../../live/failed.js'
import { answerItems, numbered } from '../items/show.js'
import { openaiError } from '../shape/envelope.js'
import { secondsOf } from '../shape/schemas.js'
import type { Echo } from './body.js'
import { responseId } from './record.js'

export const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
  })
  .meta({ id: 'OpenaiResponse', description: 'A response, as the OpenAI API tells of it' })

export type ResponseObject = z.output<typeof responseSchema>

/** As it stands before there is an answer. */
export const shellOf = (run: Run, echo: Echo, kept: boolean): ResponseObject => ({
  id: responseId(run),
  object: 'response',
  created_at: secondsOf(run.startedAt),
  status: statusOf(run),
  completed_at: null,
  error: null,
  incomplete_details: null,
  model: run.model,
  output: [],
  conversation: kept ? { id: run.conversation } : null,
  access_programs: null,
  usage: null,
  ...echo,
})

export function responseOf({ run, parts, usage }: Answered, echo: Echo, kept: boolean): ResponseObject {
  const shell = shellOf(run, echo, kept)
  if (run.state === 'queued' || run.state === 'active') return shell
  const { metadata } = echo as { readonly metadata?: object }
  return {
    ...shell,
    completed_at: run.state === 'done' && run.endedAt ? secondsOf(run.endedAt) : null,
    error: shell.status === 'failed' ? failureOf(run) : null,
    incomplete_details: shell.status === 'incomplete' ? { reason: cutOf(run) } : null,
    output: numbered(run.id, answerItems(parts, run.state !== 'done')),
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached ?? 0, cache_write_tokens: usage.written ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.thinking ?? 0 },
      total_tokens: usage.input + usage.output,
    },
    metadata: kept && run.receipt ? { ...metadata, throughline_receipt: run.receipt } : { ...metadata },
  }
}

const cutOf = ({ finish }: Run): string => (finish === 'filter' ? 'content_filter' : 'max_output_tokens')

function failureOf(run: Run): { readonly code: string; readonly message: string } {
  const { code, message } = openaiError(problemOfRun(run))
  return { code: code ?? 'server_error', message }
}

function statusOf({ state, finish }: Run): ResponseObject['status'] {
  switch (state) {
    case 'queued':
      return 'queued'
    case 'active':
      return 'in_progress'
    case 'done':
      return finish === 'length' || finish === 'filter' ? 'incomplete' : 'completed'
    case 'stopped':
      return 'cancelled'
    default:
      return 'failed'
  }
}
