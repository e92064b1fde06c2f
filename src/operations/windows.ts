/** Windows without a run: what a model would get, and why. Nothing is written. */

import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import { HistoryError, type Issue } from '../core/message/issue.js'
import { targets } from '../core/message/target.js'
import type { Overrides } from '../core/policy/schema.js'
import { explain } from '../core/receipt/explain.js'
import type { Assembled } from '../core/window/assemble.js'
import type { Marks } from '../core/window/memo.js'
import { assembleWithRecall } from '../engine/with-recall.js'
import { ModelError, type ModelTool } from '../models/wire/contract.js'
import { rowOf } from '../runs/ask.js'
import { settleRun } from '../runs/settings.js'
import type { OperationContext } from './context.js'
import { findConversation, findHead } from './find.js'
import { operation } from './operation.js'
import { invalidInput } from './refusals.js'
import { id, recallSchema } from './shapes/common.js'
import { marksSchema, windowSchema } from './shapes/window.js'

const input = z.strictObject({
  conversation_id: id.optional(),
  branch: z.string().min(1).max(200).default('main'),
  messages: z.array(z.unknown()).max(10_000).optional().describe('Instead of a conversation: in any dialect'),
  current: z.unknown().optional().describe('The message to answer; left out, the branch as it is'),
  system: z.string().max(100_000).optional(),
  tools: z.array(z.unknown()).max(1_000).optional(),
  policy: z.string().min(1).max(64).optional(),
  overrides: z.record(z.string().max(64), z.unknown()).optional().describe('Fields of the policy to change'),
  recall: recallSchema.optional().describe('How far to look beyond the conversation'),
  marks: marksSchema.optional(),
  compat: z.literal('literal').optional(),
  budget: z.int().min(0).max(100_000_000).optional().describe('Tokens of the window'),
  model: z.string().min(1).max(200).optional(),
  target: z.enum(targets).optional(),
  risks: z.boolean().optional().describe('Name the details that are only in what is left out'),
})

type WindowInput = z.output<typeof input>

export const assembleWindow = operation({
  name: 'windows.assemble',
  summary: 'The window of a conversation, or of messages you send, exactly as a run would send it; nothing is kept',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input,
  output: windowSchema,
  refusals: ['policy_invalid', 'refused', 'gone'],
  example: { conversation_id: 'c_1', budget: 4_000, target: 'anthropic' },
  run: async (context, asked) => {
    const { made, head } = await makeWindow(context, asked)
    const { items, rendered, receipt, warnings } = made
    return { request: rendered, items, receipt, explanation: explain(receipt), warnings, head_id: head }
  },
})

export interface MadeWindow<A extends Assembled = Assembled> {
  readonly made: A & { readonly ok: true }
  readonly head: string | null
  /** The stored message that waits for its answer, and so stands apart from the history. */
  readonly current: string | null
}

export async function makeWindow(context: OperationContext, asked: WindowInput): Promise<MadeWindow> {
  const { conversation_id, messages } = asked
  if ((conversation_id === undefined) === (messages === undefined))
    throw invalidInput('conversation_id', 'give either conversation_id or messages')
  if (conversation_id === undefined) return { made: whole(await ofMessages(context, asked)), head: null, current: null }
  const found = await findConversation(context, conversation_id)
  await findHead(context, found.id, asked.branch)
  const { window, current } = await context.runs.preview({ ...previewOf(context, found.id, asked), found })
  return { made: whole(window), head: window.hydrated.head, current }
}

const previewOf = ({ workspace, trace }: OperationContext, conversation: string, asked: WindowInput) => {
  const { branch, current, system, tools, policy, overrides, recall, marks, budget, model, ...look } = asked
  return {
    ...{ workspace, conversation, branch, ...look },
    ...defined({ trace, message: current, system, policy, recall, budget, model }),
    // what is wrong in tools and overrides is told by the window's own checks
    ...(tools !== undefined && { tools: tools as readonly ModelTool[] }),
    ...(overrides !== undefined && { overrides: overrides as Overrides }),
    ...(marks !== undefined && { marks: marks as Marks }),
  }
}

async function ofMessages(context: OperationContext, asked: WindowInput): Promise<Assembled> {
  const { messages = [], current, system, tools, marks, compat, target, risks } = asked
  const given = { ...asked, overrides: asked.overrides as Overrides | undefined }
  const settled = settleRun(given, null, {}, { policy: context.policy, presets: context.presets })
  const known = settled.model === undefined ? null : await modelNamed(context, settled.model)
  return assembleWithRecall(
    {
      messages,
      ...defined({ current, system, tools }),
      ...(marks !== undefined && { marks: marks as Marks }),
    },
    settled.policy,
    {
      ...defined({ overrides: settled.overrides, budget: settled.budget, model: settled.model }),
      ...(known && { models: [rowOf(known)], target: known.target }),
      ...defined({ compat, target, risks }),
    },
    context.recaller,
  )
}

/** Null for a model that is known by its name alone: a window can be made for it all the same. */
const modelNamed = ({ models }: OperationContext, name: string) =>
  models.find(name).catch((error: unknown) => {
    if (ModelError.is(error) && error.code === 'unknown_model') return null
    throw error
  })

function whole<A extends Assembled>(made: A): A & { readonly ok: true } {
  if (made.ok) return made as A & { readonly ok: true }
  throw windowRefused(made.error, made.warnings)
}

/** Whose fault it is, and where. */
export function windowRefused(error: Issue, warnings: readonly Issue[]): HistoryError {
  const isPolicy = /^(?:policy|options)\./.test(error.code)
  return new HistoryError(isPolicy ? 'policy_invalid' : 'refused', [error, ...(isPolicy ? warnings : [])])
}
