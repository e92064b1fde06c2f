/** How an answer is asked for, and what is told when it has begun. */
import { z } from 'zod'
import type { Overrides, Policy } from '../../core/policy/schema.js'
import type { Marks } from '../../core/window/marks.js'
import { id, issueSchema } from '../../operations/shapes/common.js'
import { newMessage } from '../../operations/shapes/message.js'
import { runOf, runSchema, runSettings } from '../../operations/shapes/run.js'
import { marksSchema } from '../../operations/shapes/window.js'
import type { Run, RunRequest, Started } from '../../runs/contract.js'
import type { Context } from '../context.js'

const fields = z.record(z.string(), z.unknown())

const toolSchema = z.strictObject({
  name: z.string().min(1).max(128),
  description: z.string().optional(),
  parameters: fields.describe('JSON Schema'),
})

/** A user's words or the results of tools: no one else's part can be spoken from outside and then answered. */
const spoken = newMessage.refine((message) => typeof message === 'string' || ['user', 'tool'].includes(message.role), {
  path: ['role'],
  message: "must be 'user' or 'tool'",
})

export const runBody = z.strictObject({
  ...runSettings,
  message: spoken.optional(),
  author: z.string().min(1).max(200).optional(),
  branch: z.string().min(1).max(200).optional(),
  expect: id.nullable().optional().describe('The head you saw; if it has moved on, nothing is written'),
  when_busy: z.enum(['refuse', 'queue']).default('refuse').describe('While another run is active'),
  policy: z.union([runSettings.policy.unwrap(), fields]).optional().describe('The name of a policy, or one in full'),
  overrides: fields.optional().describe("Fields that replace the policy's"),
  marks: marksSchema.optional(),
  tools: z.array(toolSchema).max(128).optional(),
})

export function requestOf(
  context: Context<{ readonly conversation: string }, unknown, z.output<typeof runBody>>,
): RunRequest {
  const { when_busy, policy, overrides, marks, tools, ...rest } = context.body
  return defined<RunRequest>({
    ...rest,
    workspace: context.workspace,
    conversation: context.params.conversation,
    whenBusy: when_busy,
    // whether they make a policy is for the window to say
    policy: policy as string | Policy | undefined,
    overrides: overrides as Overrides | undefined,
    marks: marks as Marks | undefined,
    tools: tools as RunRequest['tools'],
    key: context.key,
    trace: context.id,
  })
}

/** Without the fields that are not there. */
export const defined = <T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T

export const startedSchema = z
  .object({
    run: runSchema,
    events: z.string().describe('Where the run is followed from its beginning'),
    repeated: z.boolean().describe('The key was known: this is the run it began'),
    warnings: z.array(issueSchema),
  })
  .meta({ id: 'StartedRun', description: 'A run that has begun, or waits in line' })

export const startedOf = ({ run, after, repeated, warnings }: Started): z.output<typeof startedSchema> => ({
  run: runOf(run),
  events: `${whereIs(run)}/events${repeated ? '' : `?after=${after}`}`,
  repeated,
  warnings: [...warnings],
})

export const whereIs = ({ id: run, conversation }: Run): string =>
  `/api/v1/conversations/${encodeURIComponent(conversation)}/runs/${encodeURIComponent(run)}`
