/** `context_assemble`: the window that a model would get, and why. */

import { z } from 'zod'
import { HistoryError } from '../../core/message/issue.js'
import { targets } from '../../core/message/target.js'
import { choiceOf } from '../../core/policy/presets/index.js'
import { explain } from '../../core/receipt/explain.js'
import type { Assembled } from '../../core/window/assemble.js'
import { recallFromOf, recallFroms, remembering } from '../../engine/remembering.js'
import { windowOf } from '../../engine/window.js'
import { assembleWithRecall } from '../../engine/with-recall.js'
import { usualRecaller } from '../../recall/usual.js'
import type { McpContext } from '../context.js'
import { conversationOf, headOf } from '../conversation.js'
import { wrong } from '../refusal.js'
import { clip, room, sized } from '../room.js'
import { tool } from '../tool.js'
import { conversationId } from './find.js'
import { messagesOf, messagesParameter } from './messages.js'
import { warningOf, warningShape } from './shapes.js'

const input = z.strictObject({
  conversation_id: conversationId.optional(),
  branch: z.string().min(1).max(200).default('main'),
  messages: messagesParameter.optional().describe('Instead of a conversation; also as a JSON string'),
  current: z.string().optional().describe('The message to answer'),
  system: z.string().max(100_000).optional(),
  budget_tokens: z.int().min(0).max(100_000_000).optional(),
  policy: z.string().min(1).max(64).optional().describe('balanced, session-window, handoff-user-first, …'),
  recall: z
    .enum(recallFroms)
    .optional()
    .describe('How far to look beyond the conversation: at memories, or at the whole workspace'),
  model: z.string().min(1).max(200).optional(),
  target: z.enum(targets).default('text-tagged').describe('The form of the window'),
})

type Asked = z.output<typeof input>

export const contextAssemble = tool({
  name: 'context_assemble',
  title: 'Assemble a context window',
  description:
    'The part of a conversation, or of messages you send, that fits a budget, in the form a model takes; with the account of what was left out and why.',
  scope: 'read',
  hints: { reads: true },
  input,
  output: z.object({
    window: z.unknown().describe('Text, or the request in the form of the target'),
    truncated: z.boolean().describe('The window is larger than an answer may be: ask for a smaller budget'),
    totals: z.object({
      messages: z.int(),
      kept: z.int(),
      clipped: z.int(),
      folded: z.int(),
      summarised: z.int(),
      recalled: z.int(),
      dropped: z.int(),
    }),
    tokens: z.object({ used: z.int(), budget: z.int().nullable() }),
    explanation: z.string(),
    missing: z.string().nullable().describe('How to find what is not in the window'),
    warnings: z.array(warningShape),
  }),
  run: async (asked, context) => {
    const made = await windowed(asked, context)
    if (!made.ok)
      throw new HistoryError(/^(?:policy|options)\./.test(made.error.code) ? 'invalid' : 'refused', [
        made.error,
        ...made.warnings,
      ])
    const { rendered, receipt, warnings } = made
    const window = sized(rendered, room - 8_000)
    const { messages, kept, clipped, folded, summarised, recalled, dropped } = receipt.totals
    const explanation = clip(explain(receipt), 5_000).text
    const missing = hintOf(asked, dropped + summarised)
    return {
      data: {
        window,
        truncated: window !== rendered,
        totals: { messages, kept, clipped, folded, summarised, recalled, dropped },
        tokens: { used: Math.ceil(receipt.budget.used), budget: receipt.budget.tokens },
        explanation,
        missing,
        warnings: warnings.slice(0, 20).map(warningOf),
      },
      text: [typeof window === 'string' ? window : JSON.stringify(window), explanation, missing]
        .filter(Boolean)
        .join('\n\n'),
    }
  },
})

/** A model that knows that something is missing, and where it is, can ask for it. */
const hintOf = ({ conversation_id: id }: Asked, count: number): string | null =>
  id === undefined || count === 0
    ? null
    : `${count} earlier messages are not in this window. conversation_search finds them by their words, conversation_get reads them: conversation_id ${id}.`

async function windowed(asked: Asked, context: McpContext): Promise<Assembled> {
  const { conversation_id: id, messages, branch } = asked
  if ((id === undefined) === (messages === undefined))
    throw wrong('conversation_id', 'give either conversation_id or messages')
  const options = optionsOf(asked)
  if (messages !== undefined)
    return assembleWithRecall(
      { ...options.input, messages: messagesOf(messages) },
      choiceOf(asked.policy ?? context.policy),
      options.rest,
    )
  const { meta } = await conversationOf(context, id as string)
  await headOf(context, id as string, branch)
  const own = { ...textIn(meta, 'model'), ...textIn(meta, 'system') }
  const policy = asked.policy ?? textIn(meta, 'policy').policy ?? context.policy
  const source = { store: context.store, workspace: context.workspace, conversation: id as string }
  const overrides = remembering(recallFromOf(asked.recall, meta.recall), policy)
  return windowOf(source, branch, {
    ...{ ...own, ...options.input, ...options.rest, policy, recaller: usualRecaller },
    ...(overrides && { overrides }),
  })
}

const textIn = (meta: Readonly<Record<string, unknown>>, name: string): Record<string, string> =>
  typeof meta[name] === 'string' ? { [name]: meta[name] } : {}

const optionsOf = ({ current, system, budget_tokens: budget, model, target }: Asked) => ({
  input: { ...(current === undefined ? null : { current }), ...(system === undefined ? null : { system }) },
  rest: { target, ...(budget === undefined ? null : { budget }), ...(model === undefined ? null : { model }) },
})
