/** The tree of a conversation: all of it page by page, or what is near one message. */
import { z } from 'zod'
import { id } from '../../operations/shapes/common.js'
import type { Entry } from '../../store/entry.js'
import type { Context } from '../context.js'
import { type Route, route } from '../route.js'
import { findConversation, findEntry, headOf } from './open.js'

const treeQuery = z.strictObject({
  around: id.optional().describe('Only what is near this message'),
  depth: z.int().min(1).max(50).default(10).describe('Levels up and down from `around`'),
  branch: z.string().min(1).max(200).default('main').describe('The branch whose head is told'),
  after: z.int().min(0).default(0).describe('The page that begins after this `seq`: `next_cursor`'),
  limit: z.int().min(1).max(200).default(100),
})

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

export const treeRoutes: readonly Route[] = [
  route({
    name: 'getTree',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/tree',
    tag: 'conversations',
    summary: 'Its messages as a tree',
    scope: 'read',
    owned: { conversation: 'conversation', 'query.around': 'message' },
    query: treeQuery,
    answers: {
      200: z.object({ head_id: id.nullable(), nodes: z.array(nodeSchema), next_cursor: z.string().nullable() }),
    },
    handle: tree,
  }),
]

type TreeContext = Context<{ conversation: string }, z.output<typeof treeQuery>>

async function tree(context: TreeContext) {
  const { frame, workspace, params, query } = context
  const { conversation } = params
  await findConversation(context, conversation)
  const head = await headOf(context, conversation, query.branch)
  const family = familyOf((parent) => frame.store.children(workspace, conversation, parent))
  if (query.around !== undefined) {
    const entries = await near(context, await findEntry(context, conversation, query.around), family)
    return { head_id: head, nodes: await nodesOf(entries, family), next_cursor: null }
  }
  const page = await frame.store.feed(workspace, conversation, query.after, query.limit)
  const last = page.length === query.limit ? page.at(-1) : undefined
  return { head_id: head, nodes: await nodesOf(page, family), next_cursor: last ? String(last.seq) : null }
}

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
async function near({ frame, workspace, params, query }: TreeContext, center: Entry, family: Family): Promise<Entry[]> {
  const above = await frame.store.path(workspace, params.conversation, center.id, query.depth + 1)
  const found = [...above]
  let level: readonly Entry[] = [center]
  for (let depth = 0; depth < query.depth && level.length > 0 && found.length < query.limit; depth++) {
    const below = await Promise.all(level.map((entry) => family(entry.id)))
    level = below.flat().slice(0, query.limit - found.length)
    found.push(...level)
  }
  return found.sort((one, other) => one.seq - other.seq)
}

const nodesOf = (entries: readonly Entry[], family: Family) =>
  Promise.all(
    entries.map(async (entry) => {
      const [siblings, children] = await Promise.all([family(entry.parent), family(entry.id)])
      return {
        id: entry.id,
        parent_id: entry.parent,
        seq: entry.seq,
        depth: entry.depth,
        kind: entry.body.kind,
        role: roleOf(entry),
        child_count: children.length,
        sibling_ix: siblings.findIndex((one) => one.id === entry.id),
        preview: [...entry.text.slice(0, 480)].slice(0, 120).join(''),
        tokens: entry.tokens,
      }
    }),
  )

function roleOf({ body }: Entry): z.output<typeof nodeSchema>['role'] {
  if (body.kind === 'message') return body.role
  return body.kind === 'result' ? 'tool' : null
}
