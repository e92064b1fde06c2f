/** A long path at a glance: a line for each of its messages, many at once. */
import { z } from 'zod'
import { id, instant } from '../../operations/shapes/common.js'
import type { Marks } from '../../operations/shapes/message.js'
import type { Entry } from '../../store/entry.js'
import type { Context } from '../context.js'
import { type Route, route } from '../route.js'
import { pathPage, pathQuery } from './path.js'

const previewChars = 160

const outlineQuery = z.strictObject({
  ...pathQuery,
  limit: z.int().min(1).max(2_000).default(500),
})

const briefSchema = z
  .object({
    id,
    depth: z.int().describe('Position on its path, from 0'),
    kind: z.enum(['message', 'result', 'summary', 'note']),
    role: z.enum(['system', 'user', 'assistant', 'tool']).nullable(),
    at: instant,
    tokens: z.int(),
    preview: z.string().describe(`At most ${previewChars} characters`),
    pinned: z.boolean(),
    excluded: z.boolean(),
  })
  .meta({ id: 'Brief', description: 'A message in one line' })

export const outlineRoutes: readonly Route[] = [
  route({
    name: 'getOutline',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/outline',
    tag: 'messages',
    summary: 'The path of a branch in brief, oldest first, its newest page first',
    scope: 'read',
    owned: { conversation: 'conversation', 'query.head': 'message', 'query.before': 'message' },
    query: outlineQuery,
    answers: { 200: z.object({ items: z.array(briefSchema), next_cursor: z.string().nullable() }) },
    handle: outline,
  }),
]

async function outline(context: Context<{ conversation: string }, z.output<typeof outlineQuery>>) {
  const { items, next_cursor } = await pathPage(context, briefOf)
  return { items, next_cursor }
}

function briefOf(entry: Entry, { pinned, excluded }: Marks): z.output<typeof briefSchema> {
  const { id, depth, at, tokens, body } = entry
  const preview = [...entry.text.slice(0, previewChars * 2)].slice(0, previewChars).join('')
  const role = body.kind === 'message' ? body.role : body.kind === 'result' ? 'tool' : null
  return { id, depth, kind: body.kind, role, at, tokens, preview, pinned, excluded }
}
