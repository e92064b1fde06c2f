/** Another version of a message: edited, or asked for again. The old one stays where it is. */

import { z } from 'zod'
import { checkAuthors } from '../../operations/authors.js'
import { branchName, branchOf, branchSchema } from '../../operations/shapes/branch.js'
import { appendedSchema, newMessage } from '../../operations/shapes/message.js'
import { runOf, runSchema, runSettingsSchema, settingsOf } from '../../operations/shapes/run.js'
import type { Context } from '../context.js'
import { contextOf } from '../expose.js'
import { created } from '../reply.js'
import { type Route, route } from '../route.js'
import { appendedOf } from './messages.js'
import { findEntry, historyOf } from './open.js'

const path = '/api/v1/conversations/{conversation}/messages/{message}'
const run = runSettingsSchema.optional().describe('Begin an answer at once, with these settings')

const editBody = z.strictObject({ message: newMessage, branch: branchName.optional(), run })
const againBody = z.strictObject({ branch: branchName.optional(), run })

const refusals = ['head_moved', 'id_conflict', 'gone', 'invalid', 'unknown_call', 'already_answered'] as const
const runRefusals = ['busy', 'too_many_runs', 'unknown_model', 'policy_invalid', 'model_failed', 'refused'] as const

export const anotherRoutes: readonly Route[] = [
  route({
    name: 'editMessage',
    method: 'post',
    path: `${path}/edit`,
    tag: 'messages',
    summary: 'Another version of it, on a branch of its own',
    scope: 'write',
    owned: { conversation: 'conversation', message: 'message' },
    body: editBody,
    answers: { 201: appendedSchema.extend({ run: runSchema.nullable() }) },
    problems: [...refusals, ...runRefusals],
    example: { body: { message: { role: 'user', content: 'Which line goes to the port?' } } },
    handle: edit,
  }),
  route({
    name: 'regenerateMessage',
    method: 'post',
    path: `${path}/regenerate`,
    tag: 'messages',
    summary: 'A branch that ends before an answer, ready for another one',
    scope: 'write',
    owned: { conversation: 'conversation', message: 'answer' },
    body: againBody,
    answers: { 201: branchSchema.extend({ run: runSchema.nullable() }) },
    problems: [...refusals, ...runRefusals],
    example: { body: {} },
    handle: regenerate,
  }),
]

type Params = { readonly conversation: string; readonly message: string }

async function edit(context: Context<Params, unknown, z.output<typeof editBody>>) {
  const { params, body } = context
  checkAuthors([body.message], contextOf(context))
  await findEntry(context, params.conversation, params.message)
  const history = await historyOf(context, params.conversation)
  const done = await history.edit(params.message, body.message, body.branch)
  return created({ ...appendedOf(done, done.branch), run: await answer(context, done.branch) })
}

async function regenerate(context: Context<Params, unknown, z.output<typeof againBody>>) {
  const { params, body } = context
  await findEntry(context, params.conversation, params.message)
  const history = await historyOf(context, params.conversation)
  const branch = await history.regenerate(params.message, body.branch)
  return created({ ...branchOf(branch), run: await answer(context, branch.name) })
}

/** The run goes on by itself; its events tell how. */
async function answer(context: Context<Params, unknown, { readonly run?: z.output<typeof run> }>, branch: string) {
  const { frame, workspace, params, body, id } = context
  if (body.run === undefined) return null
  const { conversation } = params
  const started = await frame.runs.start({ workspace, conversation, branch, trace: id, ...settingsOf(body.run) })
  return runOf(started.run)
}
