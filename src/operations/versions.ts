/** Another version of a message: edited, or asked for again. The old one stays where it is. */
import { z } from 'zod'
import { checkAuthors } from './authors.js'
import type { OperationContext } from './context.js'
import { findMessage, historyOf } from './find.js'
import { appendedOf } from './messages.js'
import { operation } from './operation.js'
import { branchName, branchOf, branchSchema } from './shapes/branch.js'
import { conversation_id, message_id } from './shapes/common.js'
import { appendedSchema, newMessage } from './shapes/message.js'
import { runOf, runSchema, runSettingsOf, runSettingsSchema } from './shapes/run.js'

const input = {
  conversation_id,
  message_id,
  branch: branchName.optional(),
  run: runSettingsSchema.optional().describe('Begin an answer at once, with these settings'),
}
const refusals = [
  'head_moved',
  'id_conflict',
  'gone',
  'invalid',
  'unknown_call',
  'already_answered',
  'busy',
  'too_many_runs',
  'unknown_model',
  'policy_invalid',
  'model_failed',
  'refused',
] as const

export const editMessage = operation({
  name: 'messages.edit',
  summary: 'Another version of it, on a branch of its own',
  scope: 'write',
  owned: { conversation_id: 'conversation', message_id: 'message' },
  input: z.strictObject({ ...input, message: newMessage }),
  output: appendedSchema.extend({ run: runSchema.nullable() }),
  refusals,
  example: { message: { role: 'user', content: 'Which line goes to the port?' } },
  run: async (context, { conversation_id, message_id, message, branch, run }) => {
    checkAuthors([message], context)
    await findMessage(context, conversation_id, message_id)
    const history = await historyOf(context, conversation_id)
    const done = await history.edit(message_id, message, branch)
    return {
      ...appendedOf(conversation_id, done, done.branch),
      run: await answer(context, conversation_id, done.branch, run),
    }
  },
})

export const regenerateMessage = operation({
  name: 'messages.regenerate',
  summary: 'A branch that ends before an answer, ready for another one',
  scope: 'write',
  owned: { conversation_id: 'conversation', message_id: 'answer' },
  input: z.strictObject(input),
  output: branchSchema.extend({ run: runSchema.nullable() }),
  refusals,
  run: async (context, { conversation_id, message_id, branch, run }) => {
    await findMessage(context, conversation_id, message_id)
    const history = await historyOf(context, conversation_id)
    const made = await history.regenerate(message_id, branch)
    return { ...branchOf(made), run: await answer(context, conversation_id, made.name, run) }
  },
})

/** The run goes on by itself; its events show how. */
async function answer(
  { runs, workspace, trace }: OperationContext,
  conversation: string,
  branch: string,
  asked: z.output<typeof input.run>,
) {
  if (asked === undefined) return null
  const request = {
    workspace,
    conversation,
    branch,
    agent: true,
    ...(trace !== undefined && { trace }),
    ...runSettingsOf(asked),
  }
  return runOf((await runs.start(request)).run)
}
