/** Words and meaning of messages, across the conversations of a workspace. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import { type FindQuery, modes } from '../recall/finder.js'
import type { Hit } from '../store/contract/search.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { id, instant, issueSchema, pageSchema, paging } from './shapes/common.js'

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
    score: z.number().optional().describe('Not in mode keyword: how near, or what its ranks come to'),
    why: z.enum(['words', 'meaning', 'both']).optional().describe('Not in mode keyword: found by what'),
  })
  .meta({ id: 'Hit', description: 'A message that has the words, or their meaning' })

export const searchMessages = operation({
  name: 'messages.search',
  summary: 'Messages with all the words, newest first; or of like meaning, best first',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    ...paging,
    q: z.string().min(1).max(500).describe('The last word may be a beginning'),
    mode: z
      .enum(modes)
      .default('keyword')
      .describe('keyword: all the words; semantic: like meaning; hybrid: both, fused by their ranks'),
    conversation_id: id.optional().describe('Only this conversation'),
    branch: id.optional().describe('With conversation_id: only what is on the path of this branch'),
    tag: z.string().min(1).max(200).optional().describe('Only conversations with this tag'),
    role: role.optional(),
    since: when.optional(),
    until: when.optional(),
  }),
  output: pageSchema(hitSchema).extend({
    warnings: z.array(issueSchema).optional().describe('Not in mode keyword: why there may be more, or better'),
  }),
  refusals: ['invalid', 'not_found'],
  example: { q: 'airport' },
  run: async (context, { q, conversation_id: conversation, ...query }) => {
    const { finder, store, workspace } = context
    if (conversation !== undefined) await findConversation(context, conversation)
    const found = await finder.find(store, workspace, defined<FindQuery>({ ...query, conversation, text: q }))
    const page = { items: found.items.map(hitOf), next_cursor: found.cursor }
    return query.mode === 'keyword' ? page : { ...page, warnings: found.warnings }
  },
})

const hitOf = ({ conversation, title, entry, seq, role, at, snippet, marks, score, why }: Hit) => ({
  conversation_id: conversation,
  title,
  message_id: entry,
  seq,
  role,
  at,
  snippet,
  marks,
  ...(why && { score, why }),
})
