/** Branches: named pointers into the tree. Moving one deletes nothing. */
import { z } from 'zod'
import { HistoryError } from '../core/message/issue.js'
import { branchMoved } from '../engine/window/news.js'
import { isOver } from '../runs/run.js'
import type { Branch } from '../store/contract/branch.js'
import type { Entry } from '../store/contract/entry.js'
import type { OperationContext } from './context.js'
import { findConversation, findMessage, historyOf } from './find.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { branchName, branchOf, branchSchema } from './shapes/branch.js'
import { conversation_id, id, message_id } from './shapes/common.js'

const owned = { conversation_id: 'conversation' } as const
const listed = z.object({ items: z.array(branchSchema), next_cursor: z.null() })

export const listBranches = operation({
  name: 'branches.list',
  summary: 'The branches of a conversation',
  scope: 'read',
  owned,
  input: z.strictObject({ conversation_id }),
  output: listed,
  run: async (context, { conversation_id }) => {
    await findConversation(context, conversation_id)
    const found = await context.store.branches(context.workspace, conversation_id)
    return { items: found.map(branchOf), next_cursor: null }
  },
})

export const findBranches = operation({
  name: 'branches.find',
  summary: 'The branches whose path has this message, main first; none where its branch was forgotten',
  scope: 'read',
  owned: { conversation_id: 'conversation', message_id: 'message' },
  input: z.strictObject({ conversation_id, message_id }),
  output: listed,
  run: async (context, { conversation_id, message_id }) => {
    await findConversation(context, conversation_id)
    const entry = await findMessage(context, conversation_id, message_id)
    const all = await context.store.branches(context.workspace, conversation_id)
    const found = await Promise.all(all.map((branch) => leads(context, conversation_id, branch, entry)))
    const items = all.filter((_, i) => found[i]).sort(byName)
    return { items: items.map(branchOf), next_cursor: null }
  },
})

/** Only the stretch between the two is read. */
async function leads(
  { store, workspace }: OperationContext,
  conversation: string,
  { head }: Branch,
  entry: Entry,
): Promise<boolean> {
  if (head === null || head === entry.id) return head !== null
  const end = await store.entry(workspace, conversation, head)
  if (!end || end.depth <= entry.depth) return false
  const path = await store.path(workspace, conversation, head, end.depth - entry.depth + 1)
  return path[0]?.id === entry.id
}

const byName = (one: Branch, other: Branch): number =>
  Number(other.name === 'main') - Number(one.name === 'main') || (one.updatedAt < other.updatedAt ? 1 : -1)

export const setBranch = operation({
  name: 'branches.set',
  summary: 'Make a branch, or move it if it is where you saw it',
  scope: 'write',
  owned: { conversation_id: 'conversation', head_id: 'message' },
  input: z.strictObject({
    conversation_id,
    branch: branchName,
    head_id: id.nullable(),
    expect: id.nullable().describe('Its head now; null when there is no such branch yet'),
  }),
  output: branchSchema,
  refusals: ['head_moved', 'unknown_parent', 'gone', 'invalid'],
  example: { branch: 'another-way', head_id: null, expect: null },
  run: async (context, { conversation_id, branch, head_id, expect }) => {
    const { store, workspace, env } = context
    await findConversation(context, conversation_id)
    if (head_id !== null) await findMessage(context, conversation_id, head_id)
    const at = env.now()
    const { outcomes } = await store.commit(workspace, conversation_id, [
      { do: 'set-branch', move: { name: branch, head: head_id, expect, at } },
      { do: 'emit', events: [branchMoved(branch, head_id)], at },
    ])
    return branchOf(outcomes[0] as Branch)
  },
})

export const renameBranch = operation({
  name: 'branches.rename',
  summary: 'Give a branch another name; `main` keeps its own',
  scope: 'write',
  owned: { conversation_id: 'conversation', branch: 'branch' },
  input: z.strictObject({ conversation_id, branch: branchName, name: branchName }),
  output: branchSchema,
  refusals: ['busy', 'head_moved', 'gone', 'invalid'],
  example: { name: 'another-name' },
  run: async (context, { conversation_id, branch, name }) => {
    const { store, workspace, env, runs } = context
    const { head } = await theBranch(context, conversation_id, branch)
    if (branch === 'main') throw refused('invalid', 'main keeps its name')
    if (name === branch) throw refused('invalid', 'it has that name already')
    const { items } = await runs.list(workspace, conversation_id, { limit: 20 })
    if (items.some((run) => run.branch === branch && !isOver(run)))
      throw refused('busy', 'the branch is being answered')
    const at = env.now()
    // the new name is there before the old one goes: whatever happens in between, no message is without a branch
    const { outcomes } = await store.commit(workspace, conversation_id, [
      { do: 'set-branch', move: { name, head, expect: null, at } },
    ])
    await store.removeBranch(workspace, conversation_id, branch)
    await store.commit(workspace, conversation_id, [{ do: 'emit', events: [branchMoved(name, head)], at }])
    return branchOf(outcomes[0] as Branch)
  },
})

const refused = (code: 'invalid' | 'busy', message: string): HistoryError => new HistoryError(code, [{ code, message }])

export const deleteBranch = operation({
  name: 'branches.delete',
  summary: 'Forget a branch; its messages stay',
  scope: 'write',
  owned: { conversation_id: 'conversation', branch: 'branch' },
  input: z.strictObject({ conversation_id, branch: branchName }),
  output: z.null(),
  refusals: ['gone', 'invalid'],
  run: async (context, { conversation_id, branch }) => {
    await theBranch(context, conversation_id, branch)
    await context.store.removeBranch(context.workspace, conversation_id, branch)
    return null
  },
})

async function theBranch(context: OperationContext, conversation: string, name: string): Promise<Branch> {
  await findConversation(context, conversation)
  const all = await context.store.branches(context.workspace, conversation)
  const found = all.find((one) => one.name === name)
  if (!found) throw notFound('branch', name)
  return found
}

export const forkBranch = operation({
  name: 'branches.fork',
  summary: 'A new branch at a message, or at the beginning; nothing is copied',
  scope: 'write',
  owned: { conversation_id: 'conversation', at: 'message' },
  input: z.strictObject({
    conversation_id,
    at: id.nullable().describe('The message where the branch begins; null for the beginning'),
    branch: branchName.optional().describe('Its name; made up when left out'),
  }),
  output: branchSchema,
  refusals: ['head_moved', 'gone', 'invalid', 'unknown_parent'],
  example: { at: null, branch: 'another-way' },
  run: async (context, { conversation_id, at, branch }) => {
    const history = await historyOf(context, conversation_id)
    if (at !== null) await findMessage(context, conversation_id, at)
    return branchOf(await history.fork(at, branch))
  },
})
