/** Which branches lead to a message: `main` first, then the newest. Nothing is made to find out. */
import { z } from 'zod'
import { branchOf, branchSchema } from '../../operations/shapes/branch.js'
import type { Branch } from '../../store/contract/branch.js'
import type { Entry } from '../../store/entry.js'
import type { Context } from '../context.js'
import { type Route, route } from '../route.js'
import { findConversation, findEntry } from './open.js'

export const reachingRoutes: readonly Route[] = [
  route({
    name: 'listBranchesTo',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/messages/{message}/branches',
    tag: 'branches',
    summary: 'The branches whose path has this message, main first; none where its branch was forgotten',
    scope: 'read',
    owned: { conversation: 'conversation', message: 'message' },
    answers: { 200: z.object({ items: z.array(branchSchema), next_cursor: z.null() }) },
    handle: async (context) => {
      const { frame, workspace, params } = context
      await findConversation(context, params.conversation)
      const entry = await findEntry(context, params.conversation, params.message)
      const all = await frame.store.branches(workspace, params.conversation)
      const found = await Promise.all(all.map((branch) => leads(context, branch, entry)))
      const items = all.filter((_, i) => found[i]).sort(byName)
      return { items: items.map(branchOf), next_cursor: null }
    },
  }),
]

/** Only the stretch between the two is read. */
async function leads(
  { frame, workspace, params }: Context<{ readonly conversation: string }>,
  { head }: Branch,
  entry: Entry,
): Promise<boolean> {
  if (head === null || head === entry.id) return head !== null
  const end = await frame.store.entry(workspace, params.conversation, head)
  if (!end || end.depth <= entry.depth) return false
  const path = await frame.store.path(workspace, params.conversation, head, end.depth - entry.depth + 1)
  return path[0]?.id === entry.id
}

const byName = (one: Branch, other: Branch): number =>
  Number(other.name === 'main') - Number(one.name === 'main') || (one.updatedAt < other.updatedAt ? 1 : -1)
