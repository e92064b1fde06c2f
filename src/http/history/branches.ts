/** Branches: named pointers into the tree. Moving one deletes nothing. */
import { z } from 'zod'
import { branchMoved } from '../../engine/news.js'
import { branchName, branchOf, branchSchema } from '../../operations/shapes/branch.js'
import { id } from '../../operations/shapes/common.js'
import { isOver } from '../../runs/run.js'
import type { Branch } from '../../store/contract/branch.js'
import type { Step } from '../../store/contract/commit.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { created, json } from '../reply.js'
import { type Route, route } from '../route.js'
import { findConversation, findEntry, historyOf } from './open.js'

const path = '/api/v1/conversations/{conversation}'
const owned = { conversation: 'conversation' }

const moveBody = z.strictObject({
  head_id: id.nullable(),
  expect: id.nullable().describe('Its head now; null when there is no such branch yet'),
})

export const branchRoutes: readonly Route[] = [
  route({
    name: 'listBranches',
    method: 'get',
    path: `${path}/branches`,
    tag: 'branches',
    summary: 'The branches of a conversation',
    scope: 'read',
    owned,
    answers: { 200: z.object({ items: z.array(branchSchema), next_cursor: z.null() }) },
    handle: async (context) => {
      const { frame, workspace, params } = context
      await findConversation(context, params.conversation)
      const found = await frame.store.branches(workspace, params.conversation)
      return { items: found.map(branchOf), next_cursor: null }
    },
  }),
  route({
    name: 'setBranch',
    method: 'put',
    path: `${path}/branches/{branch}`,
    tag: 'branches',
    summary: 'Make a branch, or move it if it is where you saw it',
    scope: 'write',
    owned: { ...owned, 'body.head_id': 'message' },
    body: moveBody,
    answers: { 200: branchSchema },
    problems: ['head_moved', 'unknown_parent', 'gone', 'invalid'],
    example: { params: { branch: 'another-way' }, body: { head_id: null, expect: null } },
    handle: set,
  }),
  route({
    name: 'renameBranch',
    method: 'patch',
    path: `${path}/branches/{branch}`,
    tag: 'branches',
    summary: 'Give a branch another name; `main` keeps its own',
    scope: 'write',
    owned: { ...owned, branch: 'branch' },
    body: z.strictObject({ name: branchName }),
    answers: { 200: branchSchema },
    problems: ['busy', 'head_moved', 'gone', 'invalid'],
    example: { body: { name: 'another-name' } },
    handle: rename,
  }),
  route({
    name: 'deleteBranch',
    method: 'delete',
    path: `${path}/branches/{branch}`,
    tag: 'branches',
    summary: 'Forget a branch; its messages stay',
    scope: 'write',
    owned: { ...owned, branch: 'branch' },
    answers: { 204: null },
    problems: ['gone', 'invalid'],
    handle: async (context) => {
      const { frame, workspace, params } = context
      await theBranch(context, params)
      await frame.store.removeBranch(workspace, params.conversation, params.branch)
      return new Response(null, { status: 204 })
    },
  }),
  route({
    name: 'fork',
    method: 'post',
    path: `${path}/fork`,
    tag: 'branches',
    summary: 'A new branch at a message, or at the beginning; nothing is copied',
    scope: 'write',
    owned: { ...owned, 'body.at': 'message' },
    body: z.strictObject({ at: id.nullable(), branch: branchName.optional() }),
    answers: { 201: branchSchema },
    problems: ['head_moved', 'gone', 'invalid', 'unknown_parent'],
    example: { body: { at: null, branch: 'another-way' } },
    handle: async (context) => {
      const { conversation } = context.params
      const { at, branch } = context.body
      const history = await historyOf(context, conversation)
      if (at !== null) await findEntry(context, conversation, at)
      return created(branchOf(await history.fork(at, branch)))
    },
  }),
]

async function set(context: Context<{ conversation: string; branch: string }, unknown, z.output<typeof moveBody>>) {
  const { frame, workspace, params, body } = context
  await findConversation(context, params.conversation)
  if (body.head_id !== null) await findEntry(context, params.conversation, body.head_id)
  const at = frame.env.now()
  const move = { name: params.branch, head: body.head_id, expect: body.expect, at }
  const steps: Step[] = [
    { do: 'set-branch', move },
    { do: 'emit', events: [branchMoved(params.branch, body.head_id)], at },
  ]
  const { outcomes } = await frame.store.commit(workspace, params.conversation, steps)
  return json(branchOf(outcomes[0] as Branch))
}

/** The new name is there before the old one goes: whatever happens in between, no message is without a branch. */
async function rename(context: Context<{ conversation: string; branch: string }, unknown, { readonly name: string }>) {
  const { frame, workspace, params, body } = context
  const { conversation, branch } = params
  const { head } = await theBranch(context, params)
  if (branch === 'main') throw new Problem('invalid', { detail: 'main keeps its name' })
  if (body.name === branch) throw new Problem('invalid', { detail: 'it has that name already' })
  const { items } = await frame.runs.list(workspace, conversation, { limit: 20 })
  if (items.some((run) => run.branch === branch && !isOver(run))) throw new Problem('busy')
  const at = frame.env.now()
  const { outcomes } = await frame.store.commit(workspace, conversation, [
    { do: 'set-branch', move: { name: body.name, head, expect: null, at } },
  ])
  await frame.store.removeBranch(workspace, conversation, branch)
  await frame.store.commit(workspace, conversation, [{ do: 'emit', events: [branchMoved(body.name, head)], at }])
  return json(branchOf(outcomes[0] as Branch))
}

async function theBranch(
  context: Pick<Context, 'frame' | 'workspace'>,
  params: { conversation: string; branch: string },
): Promise<Branch> {
  await findConversation(context, params.conversation)
  const all = await context.frame.store.branches(context.workspace, params.conversation)
  const found = all.find(({ name }) => name === params.branch)
  if (!found) throw new Problem('not_found')
  return found
}
