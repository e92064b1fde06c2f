/** `context_assemble`: the window that a model would get, and why. */

import { z } from 'zod'
import { targets } from '../../core/message/target.js'
import { explain } from '../../core/receipt/explain.js'
import { assembleWindow, makeWindow } from '../../operations/windows.js'
import { clip, room, sized } from '../kit/room.js'
import { tool } from '../kit/tool.js'
import { messagesOf, messagesParameter } from './messages.js'
import { numbersIn, numbersShape, warningOf, warningShape } from './shapes.js'

const { conversation_id, branch, current, system, budget, policy, recall, model } = assembleWindow.input.shape

const input = z.strictObject({
  conversation_id,
  branch,
  messages: messagesParameter.optional().describe('Instead of a conversation; also as a JSON string'),
  current,
  system,
  budget,
  policy,
  recall,
  model,
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
    numbers: numbersShape,
    explanation: z.string(),
    missing: z.string().nullable().describe('How to find what is not in the window'),
    warnings: z.array(warningShape),
  }),
  run: async (asked, context) => {
    const given = asked.messages === undefined ? undefined : [...messagesOf(asked.messages)]
    const { made } = await makeWindow(context, { ...asked, messages: given })
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
        numbers: numbersIn(receipt),
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
