/** Words in messages, across the conversations of a workspace. */
import { z } from 'zod'
import type { Hit, SearchQuery } from '../../store/contract.js'
import { type Route, route } from '../route.js'
import { id, instant, pageOf, paging } from '../schemas/common.js'
import { findConversation } from './open.js'

const role = z.enum(['system', 'user', 'assistant', 'tool'])
const when = z.iso.datetime({ offset: true })

const hitSchema = z
  .object({
    conversation_id: id,
    title: z.string(),
    message_id: id,
    seq: z.int(),
    role,
    at: instant,
    snippet: z.string(),
    marks: z.array(z.array(z.int()).length(2)).describe('Where the words stand in the snippet, in UTF-16 units'),
  })
  .meta({ id: 'Hit', description: 'A message that has the words' })

export const searchRoutes: readonly Route[] = [
  route({
    name: 'search',
    method: 'get',
    path: '/api/v1/search',
    tag: 'search',
    summary: 'Messages that have all the words, newest first; the last word may be a beginning',
    scope: 'read',
    owned: { 'query.conversation': 'conversation' },
    query: z.strictObject({
      ...paging,
      q: z.string().min(1).max(500),
      conversation: id.optional(),
      role: role.optional(),
      since: when.optional(),
      until: when.optional(),
    }),
    answers: { 200: pageOf(hitSchema) },
    problems: ['invalid'],
    example: { query: { q: 'airport' } },
    handle: async (context) => {
      const { q, ...query } = context.query
      if (query.conversation !== undefined) await findConversation(context, query.conversation)
      const page = await context.frame.store.search(context.workspace, { ...query, text: q } as SearchQuery)
      return { items: page.items.map(hitOf), next_cursor: page.cursor }
    },
  }),
]

const hitOf = ({ conversation, title, entry, seq, role, at, snippet, marks }: Hit) => ({
  conversation_id: conversation,
  title,
  message_id: entry,
  seq,
  role,
  at,
  snippet,
  marks,
})
