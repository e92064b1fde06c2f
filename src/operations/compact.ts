/** A summary on request: what the window leaves out, in fewer words. Nothing it covers is touched. */
import { z } from 'zod'
import type { Compacted } from '../engine/compact/contract.js'
import { settingsIn } from '../runs/settings.js'
import { summariserOf } from '../runs/summarise.js'
import { findHead, historyOf } from './find.js'
import { operation } from './operation.js'
import { branchName } from './shapes/branch.js'
import { conversation_id, id } from './shapes/common.js'

const compactedSchema = z
  .object({
    state: z.enum(['done', 'unneeded', 'refused']),
    cause: z
      .string()
      .nullable()
      .describe('Why it was refused: summary_failed, summary_empty, summary_too_large, summary_overtaken'),
    message_id: id.nullable().describe('The summary'),
    until_id: id.nullable().describe('The last message it covers'),
    covers: z.int(),
    tokens_before: z.int(),
    tokens_after: z.int(),
    added: z.int().describe('Specifics that the summary lacked and that were added to the letter'),
  })
  .meta({ id: 'Compacted', description: 'What became of a request for a summary' })

export const compactConversation = operation({
  name: 'conversations.compact',
  summary: 'Summarise what the window leaves out; undone by excluding the summary',
  scope: 'write',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    conversation_id,
    branch: branchName.default('main'),
    budget: z.int().min(1).optional().describe('Tokens of the window; the model’s own when left out'),
    by: z.enum(['model', 'extractive']).default('extractive').describe('The conversation’s model, or picked sentences'),
  }),
  output: compactedSchema,
  refusals: ['gone', 'unknown_model'],
  example: { budget: 4_000 },
  run: async (context, { conversation_id, branch, budget, by }) => {
    const history = await historyOf(context, conversation_id)
    await findHead(context, conversation_id, branch)
    const { model: named } = settingsIn(await history.describe())
    const model = by === 'model' ? await context.models.find(named) : null
    return compactedToWire(
      await history.compact({
        branch,
        force: true,
        ...(budget !== undefined && { budget }),
        ...(model && model.kind !== 'builtin' && { summariser: summariserOf(model) }),
      }),
    )
  },
})

function compactedToWire(made: Compacted): z.output<typeof compactedSchema> {
  const nothing = {
    cause: null,
    message_id: null,
    until_id: null,
    covers: 0,
    tokens_before: 0,
    tokens_after: 0,
    added: 0,
  }
  if (made.state === 'unneeded') return { state: made.state, ...nothing }
  if (made.state === 'refused') return { ...nothing, state: made.state, cause: made.cause }
  const [before, after] = made.tokens
  return {
    state: made.state,
    cause: null,
    message_id: made.entry,
    until_id: made.until,
    covers: made.covers,
    tokens_before: before,
    tokens_after: after,
    added: made.added,
  }
}
