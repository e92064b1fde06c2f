/** Answers: started, looked at, stopped. A run belongs to the server: whoever asked may leave. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import type { Overrides, Policy } from '../core/policy/schema.js'
import type { Marks } from '../core/window/memo.js'
import type { Run, RunRequest, Started } from '../runs/contract.js'
import type { PageQuery } from '../store/contract/page.js'
import type { OperationContext } from './context.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { branchName } from './shapes/branch.js'
import { conversation_id, id, issueSchema, pageSchema, paging } from './shapes/common.js'
import { newMessage } from './shapes/message.js'
import { runOf, runSchema, runSettings } from './shapes/run.js'
import { marksSchema } from './shapes/window.js'

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

const runInput = z.strictObject({
  conversation_id,
  ...runSettings,
  message: spoken.optional(),
  author: z.string().min(1).max(200).optional(),
  branch: branchName.optional(),
  expect: id.nullable().optional().describe('The head you saw; if it has moved on, nothing is written'),
  when_busy: z.enum(['refuse', 'queue']).default('refuse').describe('While another run is active'),
  policy: z.union([runSettings.policy.unwrap(), fields]).optional().describe('The name of a policy, or one in full'),
  overrides: fields.optional().describe("Fields that replace the policy's"),
  marks: marksSchema.optional(),
  tools: z.array(toolSchema).max(128).optional().describe('Tools that you run: the run ends with their calls'),
  agent: z.boolean().default(true).describe('Whether it may call the tools of the server'),
  limits: z
    .strictObject({
      steps: z.int().min(1).max(1_000).optional().describe('Answers of the model'),
      tokens: z.int().min(1).optional().describe('In and out, as the provider counts'),
      seconds: z.number().min(0.001).max(86_400).optional(),
    })
    .optional()
    .describe('What the agent may use up for this message; the server has its own'),
})

const startedSchema = z
  .object({
    run: runSchema,
    events: z.string().describe('Where the run is followed from its beginning'),
    repeated: z.boolean().describe('The key was known: this is the run it began'),
    warnings: z.array(issueSchema),
  })
  .meta({ id: 'StartedRun', description: 'A run that has begun, or waits in line' })

export const startedOf = ({ run, after, repeated, warnings }: Started): z.output<typeof startedSchema> => ({
  run: runOf(run),
  events: `${pathOf(run)}/events${repeated ? '' : `?after=${after}`}`,
  repeated,
  warnings: [...warnings],
})

export const pathOf = ({ id: run, conversation }: Run): string =>
  `/api/v1/conversations/${encodeURIComponent(conversation)}/runs/${encodeURIComponent(run)}`

export const startRun = operation({
  name: 'runs.start',
  summary: 'Say something and have it answered',
  detail:
    'The run belongs to the server: whoever asked may leave, and follow it again from any replica. Over HTTP, ask for text/event-stream to follow it at once.',
  scope: 'write',
  keyed: true,
  owned: { conversation_id: 'conversation' },
  input: runInput,
  output: startedSchema,
  refusals: [
    'busy',
    'events_expired',
    'head_moved',
    'id_conflict',
    'already_answered',
    'gone',
    'invalid',
    'key_reused',
    'policy_invalid',
    'too_many_runs',
    'unknown_call',
    'unknown_model',
  ],
  example: { message: 'Who owns the Cincinnati service?' },
  run: async (context, asked) => startedOf(await beginRun(context, asked)),
})

/** For doors that follow the run as well. */
export async function beginRun(context: OperationContext, asked: z.output<typeof runInput>): Promise<Started> {
  const { conversation_id, when_busy, policy, overrides, marks, tools, limits, ...rest } = asked
  await findConversation(context, conversation_id)
  const started = await context.runs.start(
    defined<RunRequest>({
      ...rest,
      workspace: context.workspace,
      conversation: conversation_id,
      whenBusy: when_busy,
      // whether they make a policy is for the window to say
      policy: policy as string | Policy | undefined,
      overrides: overrides as Overrides | undefined,
      marks: marks as Marks | undefined,
      tools: tools as RunRequest['tools'],
      limits: limits && limitsOf(limits),
      key: context.key,
      trace: context.trace,
    }),
  )
  started.ended.catch(() => {})
  return started
}

const limitsOf = ({ steps, tokens, seconds }: NonNullable<z.output<typeof runInput>['limits']>) =>
  defined<NonNullable<RunRequest['limits']>>({
    steps,
    tokens,
    milliseconds: seconds === undefined ? undefined : seconds * 1_000,
  })

const run_id = id.describe('The id of a run')
const owned = { conversation_id: 'conversation', run_id: 'run' } as const

export const listRuns = operation({
  name: 'runs.list',
  summary: 'The runs of a conversation, newest first',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({ conversation_id, ...paging }),
  output: pageSchema(runSchema),
  refusals: ['invalid'],
  run: async (context, { conversation_id, ...page }) => {
    await findConversation(context, conversation_id)
    const { items, cursor } = await context.runs.list(context.workspace, conversation_id, defined<PageQuery>(page))
    return { items: items.map(runOf), next_cursor: cursor }
  },
})

export const getRun = operation({
  name: 'runs.get',
  summary: 'One run',
  scope: 'read',
  owned,
  input: z.strictObject({ conversation_id, run_id }),
  output: runSchema,
  run: async (context, asked) => runOf(await findRun(context, asked)),
})

export const stopRun = operation({
  name: 'runs.stop',
  summary: 'Stop a run, from anywhere; what it has said stays',
  scope: 'write',
  owned,
  input: z.strictObject({ conversation_id, run_id }),
  output: runSchema,
  refusals: ['gone'],
  run: async (context, asked) => {
    const { id, conversation } = await findRun(context, asked)
    return runOf(await context.runs.stop(context.workspace, conversation, id))
  },
})

const goingOn = ['busy', 'gone', 'illegal_move', 'too_many_runs', 'unknown_model'] as const

export const decideRun = operation({
  name: 'runs.decide',
  summary: 'Allow or deny a call that waits',
  detail: 'When no call is left that waits, the agent goes on with a run of its own, which `next` names.',
  scope: 'write',
  owned,
  input: z.strictObject({
    conversation_id,
    run_id,
    call_id: id.describe('As the run says in `waiting`'),
    verdict: z.enum(['approve', 'deny']),
    reason: z.string().min(1).max(2_000).optional().describe('Told to the model when it is a denial'),
  }),
  output: z
    .object({ run: runSchema, next: startedSchema.nullable() })
    .meta({ id: 'Decided', description: 'The run that waited, and the one that goes on' }),
  refusals: [...goingOn, 'record_moved'],
  example: { call_id: 'call_1', verdict: 'approve' },
  run: async (context, { call_id, verdict, reason, ...asked }) => {
    const { id, conversation } = await findRun(context, asked)
    const decision = { verdict, ...(reason !== undefined && { reason }) }
    const { run, next } = await context.runs.decide(context.workspace, conversation, id, { [call_id]: decision })
    next?.ended.catch(() => {})
    return { run: runOf(run), next: next && startedOf(next) }
  },
})

export const resumeRun = operation({
  name: 'runs.resume',
  summary: 'Let a run go on that was stopped, cut off or reached a limit',
  detail: 'A call that was running when it was cut off is not run again: its result says that nobody knows.',
  scope: 'write',
  owned,
  input: z.strictObject({ conversation_id, run_id }),
  output: startedSchema,
  refusals: goingOn,
  run: async (context, asked) => {
    const { id, conversation } = await findRun(context, asked)
    const started = await context.runs.resume(context.workspace, conversation, id)
    started.ended.catch(() => {})
    return startedOf(started)
  },
})

export async function findRun(
  { runs, workspace }: Pick<OperationContext, 'runs' | 'workspace'>,
  { conversation_id, run_id }: { readonly conversation_id: string; readonly run_id: string },
): Promise<Run> {
  const run = await runs.get(workspace, conversation_id, run_id)
  if (!run) throw notFound('run_id', run_id)
  return run
}
