/** The tree of a conversation: all of it page by page, or what is near one message. */
import { z } from 'zod'
import type { Entry } from '../store/contract/entry.js'
import type { OperationContext } from './context.js'
import { findConversation, findHead, findMessage } from './find.js'
import { operation } from './operation.js'
import { branchName } from './shapes/branch.js'
import { conversation_id, id } from './shapes/common.js'
import { beginningOf, wireRole } from './shapes/message.js'

const nodeSchema = z
  .object({
    id,
    parent_id: id.nullable(),
    seq: z.int(),
    depth: z.int(),
    kind: z.enum(['message', 'result', 'summary', 'note']),
    role: z.enum(['system', 'user', 'assistant', 'tool']).nullable(),
    child_count: z.int(),
    sibling_ix: z.int(),
    preview: z.string().describe('At most 120 characters'),
    tokens: z.int(),
  })
  .meta({ id: 'Node', description: 'A message as a place in the tree' })

export const getTree = operation({
  name: 'tree.get',
  summary: 'Its messages as a tree',
  scope: 'read',
  owned: { conversation_id: 'conversation', around: 'message' },
  input: z.strictObject({
    conversation_id,
    around: id.optional().describe('Only what is near this message'),
    depth: z.int().min(1).max(50).default(10).describe('Levels up and down from `around`'),
    branch: branchName.default('main').describe('The branch whose head is told'),
    after: z.int().min(0).default(0).describe('The page that begins after this `seq`: `next_cursor`'),
    limit: z.int().min(1).max(200).default(100),
  }),
  output: z.object({ head_id: id.nullable(), nodes: z.array(nodeSchema), next_cursor: z.string().nullable() }),
  run: async (context, asked) => {
    const { store, workspace } = context
    const { conversation_id: conversation, around, branch, after, limit } = asked
    await findConversation(context, conversation)
    const head = await findHead(context, conversation, branch)
    const family = familyOf((parent) => store.children(workspace, conversation, parent))
    if (around !== undefined) {
      const entries = await near(context, asked, await findMessage(context, conversation, around), family)
      return { head_id: head, nodes: await nodesOf(entries, family), next_cursor: null }
    }
    const page = await store.feed(workspace, conversation, after, limit)
    const last = page.length === limit ? page.at(-1) : undefined
    return { head_id: head, nodes: await nodesOf(page, family), next_cursor: last ? String(last.seq) : null }
  },
})

type Family = (parent: string | null) => Promise<readonly Entry[]>

/** The children of a message are asked for once. */
function familyOf(ask: Family): Family {
  const known = new Map<string | null, Promise<readonly Entry[]>>()
  return (parent) => {
    const found = known.get(parent) ?? ask(parent)
    known.set(parent, found)
    return found
  }
}

/** The way up, and what hangs below, the nearest first. */
async function near(
  { store, workspace }: OperationContext,
  { conversation_id, depth: levels, limit }: z.output<typeof getTree.input>,
  center: Entry,
  family: Family,
): Promise<Entry[]> {
  const found = [...(await store.path(workspace, conversation_id, center.id, levels + 1))]
  let level: readonly Entry[] = [center]
  for (let depth = 0; depth < levels && level.length > 0 && found.length < limit; depth++) {
    const below = await Promise.all(level.map((entry) => family(entry.id)))
    level = below.flat().slice(0, limit - found.length)
    found.push(...level)
  }
  return found.sort((one, other) => one.seq - other.seq)
}

const nodesOf = (entries: readonly Entry[], family: Family): Promise<z.output<typeof nodeSchema>[]> =>
  Promise.all(
    entries.map(async (entry) => {
      const [siblings, children] = await Promise.all([family(entry.parent), family(entry.id)])
      return {
        id: entry.id,
        parent_id: entry.parent,
        seq: entry.seq,
        depth: entry.depth,
        kind: entry.body.kind,
        role: wireRole(entry),
        child_count: children.length,
        sibling_ix: siblings.findIndex((one) => one.id === entry.id),
        preview: beginningOf(entry.text, 120),
        tokens: entry.tokens,
      }
    }),
  )
