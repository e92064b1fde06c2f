/** `context_assemble`: the window that a model would get, and why. */
import { z } from 'zod'
import { targets } from '../../core/message/target.js'
import { numbersShape, receiptSchema, withoutEach } from '../../operations/shapes/receipt.js'
import { assembleWindow } from '../../operations/windows.js'
import { exposeTool } from '../kit/expose.js'
import { clipText, fitItems, room, sized } from '../kit/room.js'
import { messagesOf, messagesParameter } from './messages.js'
import { briefIssue } from './shapes.js'

const { conversation_id, branch, current, system, budget, policy, recall, model } = assembleWindow.input.shape
const { request, explanation, warnings } = assembleWindow.output.shape

export const contextAssemble = exposeTool('context_assemble', assembleWindow, {
  title: 'Assemble a context window',
  description:
    'The part of a conversation, or of messages you send, that fits a budget, in the form a model takes; with the account of what was left out and why.',
  ask: {
    input: z.strictObject({
      conversation_id,
      branch,
      messages: messagesParameter.optional().describe('Instead of a conversation; also as a JSON string'),
      ...{ current, system, budget, policy, recall, model },
      target: z.enum(targets).default('text-tagged').describe('The form of the window'),
    }),
    to: ({ messages, ...given }) => ({
      target: 'text-tagged',
      ...given,
      ...(messages !== undefined && { messages: messagesOf(messages) }),
    }),
  },
  // the receipt tells the fate of every message, and would fill the context that the window is for
  show: {
    output: z.object({
      request,
      truncated: z.boolean().describe('The window is larger than an answer may be: ask for a smaller budget'),
      totals: receiptSchema.shape.totals,
      numbers: numbersShape,
      explanation,
      missing: z.string().nullable().describe('How to find what is not in the window'),
      warnings,
    }),
    from: ({ request: whole, receipt, explanation, warnings }, { conversation_id: id }) => {
      const { totals } = receipt
      const request = sized(whole, room - 8_000)
      return {
        request,
        truncated: request !== whole,
        totals,
        numbers: withoutEach(receipt.request),
        explanation: clipText(explanation, 5_000).text,
        missing: hintOf(id, totals.dropped + totals.summarised),
        warnings: [...fitItems(warnings.map(briefIssue), 4_000).items],
      }
    },
  },
  text: ({ request, explanation, missing }) =>
    [typeof request === 'string' ? request : JSON.stringify(request), explanation, missing]
      .filter(Boolean)
      .join('\n\n'),
})

/** A model that knows that something is missing, and where it is, can ask for it. */
const hintOf = (id: string | undefined, count: number): string | null =>
  id === undefined || count === 0
    ? null
    : `${count} earlier messages are not in this window. conversation_search finds them by their words, conversation_get reads them: conversation_id ${id}.`
