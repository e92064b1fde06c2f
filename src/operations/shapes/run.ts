/** Runs on the wire. */
import { z } from 'zod'
import type { Run, RunRequest } from '../../runs/contract.js'
import { id, instant, recallSchema } from './common.js'

const count = z.int().min(0)

export const runSchema = z
  .object({
    id,
    conversation_id: id,
    branch: z.string(),
    state: z
      .enum(['queued', 'active', 'done', 'waiting', 'failed', 'stopped', 'interrupted'])
      .describe('`waiting`: it goes on when someone has decided about its calls'),
    model: z.string(),
    policy: z.string(),
    asked_id: id.nullable().describe('The message that is answered'),
    message_id: id.nullable().describe('The answer, once there is one'),
    receipt_id: id.nullable().describe('Of the last window'),
    steps: count.describe('Answers of the model: more than one when it called tools of the server'),
    receipt_ids: z.array(id).describe("Of every step's window, in order"),
    waiting: z
      .array(z.object({ call_id: id, name: z.string(), input: z.unknown() }))
      .describe('Calls that wait for a decision'),
    finish: z.enum(['stop', 'length', 'calls', 'filter', 'other']).nullable(),
    usage: z
      .object({
        input: count,
        output: count,
        cached: count.optional(),
        written: count.optional(),
        thinking: count.optional(),
      })
      .nullable()
      .describe('As the provider counted; `cached` of the input was read from its cache, `written` was put there'),
    drift: z.number().nullable().describe("The provider's count of the request over ours"),
    cost: z.number().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    started_at: instant,
    ended_at: instant.nullable(),
  })
  .meta({ id: 'Run', description: 'One generation of an answer' })

export const runOf = (run: Run): z.output<typeof runSchema> => ({
  id: run.id,
  conversation_id: run.conversation,
  branch: run.branch,
  state: run.state,
  model: run.model,
  policy: run.policy,
  asked_id: run.asked,
  message_id: run.entry,
  receipt_id: run.receipt,
  // a run that an older version kept has none of the three
  steps: run.steps ?? (run.entry === null ? 0 : 1),
  receipt_ids: [...(run.receipts ?? (run.receipt === null ? [] : [run.receipt]))],
  waiting: (run.waiting ?? []).map(({ id: call_id, name, input }) => ({ call_id, name, input })),
  finish: run.finish,
  usage: run.usage && { ...run.usage },
  drift: run.drift,
  cost: run.cost,
  error: run.error && { ...run.error },
  started_at: run.startedAt,
  ended_at: run.endedAt,
})

/** How an answer is asked for, wherever one can be. */
export const runSettings = {
  model: z.string().min(1).max(200).optional(),
  policy: z.string().min(1).max(64).optional(),
  budget: z.int().min(0).max(100_000_000).optional().describe('Tokens for the whole request to the model'),
  system: z.string().max(100_000).optional(),
  recall: recallSchema
    .optional()
    .describe('How far to look beyond the conversation: at what is known, or also at other conversations'),
  output: z.int().min(1).max(1_000_000).optional().describe('Most tokens of the answer'),
  temperature: z.number().min(0).max(2).optional(),
}

const settings = z.strictObject(runSettings)

/** Without the fields that say nothing. */
export const runSettingsOf = (given: z.output<typeof settings>): Pick<RunRequest, keyof typeof runSettings> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

export const runSettingsSchema = settings
