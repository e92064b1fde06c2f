/** Conversations: listed, and searched for words and meaning. */
import { z } from 'zod'
import { type FindQuery, modes } from '../../recall/finder.js'
import type { Conversation, ListQuery } from '../../store/contract/conversation.js'
import { conversationOf } from '../kit/conversation.js'
import { fit } from '../kit/room.js'
import { tool } from '../kit/tool.js'
import { uris } from '../kit/uris.js'

export const conversationId = z.string().min(1).max(200)

const paging = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(2_000).optional().describe('next_cursor of the last page'),
}

const nextCursor = z.string().nullable().describe('There is more when it is not null')

const conversationShape = z.object({
  conversation_id: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  entries: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})

const rowOf = ({ id, title, tags, entries, createdAt, updatedAt }: Conversation) => ({
  conversation_id: id,
  title,
  tags: tags.slice(0, 20),
  entries,
  created_at: createdAt,
  updated_at: updatedAt,
})

/** Pages that a search of titles reads before it answers. */
const mostPages = 10

export const conversationList = tool({
  name: 'conversation_list',
  title: 'List conversations',
  description: 'The conversations kept here, newest first. conversation_search looks into what was said.',
  scope: 'read',
  hints: { reads: true },
  input: z.strictObject({
    ...paging,
    query: z.string().min(1).max(200).optional().describe('Words in the title'),
    tag: z.string().max(100).optional(),
    folder: z.string().max(200).optional(),
    archived: z.boolean().default(false),
  }),
  output: z.object({ items: z.array(conversationShape), next_cursor: nextCursor }),
  run: async ({ limit, cursor, query, ...filter }, { store, workspace }) => {
    const items: Conversation[] = []
    const words = query?.toLowerCase()
    let next: string | null | undefined = cursor
    for (let page = 0; page < mostPages && items.length < limit; page++) {
      const ask = { ...filter, limit: limit - items.length, ...(next ? { cursor: next } : null) } as ListQuery
      const found = await store.list(workspace, ask)
      items.push(...found.items.filter(({ title }) => words === undefined || title.toLowerCase().includes(words)))
      next = found.cursor
      if (next === null || words === undefined) break
    }
    const lines = items.map(
      ({ id, title, entries, updatedAt }) => `${id} · ${title || 'Untitled'} · ${entries} entries · ${updatedAt}`,
    )
    return {
      data: { items: items.map(rowOf), next_cursor: next ?? null },
      text:
        lines.length === 0
          ? 'There are none.'
          : `${lines.join('\n')}${next ? '\nThere are more: call again with next_cursor.' : ''}`,
      links: items.slice(0, 5).map(({ id, title }) => ({ uri: uris.conversation(id), name: title || id })),
    }
  },
})

const instant = z.iso.datetime({ offset: true })
const role = z.enum(['system', 'user', 'assistant', 'tool'])

export const conversationSearch = tool({
  name: 'conversation_search',
  title: 'Search conversations',
  description:
    'Messages with all the words, newest first; the last may be a beginning. With mode hybrid also those of like meaning.',
  scope: 'read',
  hints: { reads: true },
  input: z.strictObject({
    query: z.string().min(1).max(500),
    mode: z.enum(modes).default('keyword'),
    conversation_id: conversationId.optional(),
    branch: z.string().min(1).max(200).optional().describe('With conversation_id'),
    tag: z.string().min(1).max(100).optional(),
    role: role.optional(),
    since: instant.optional(),
    until: instant.optional(),
    ...paging,
  }),
  output: z.object({
    items: z.array(
      z.object({
        conversation_id: z.string(),
        title: z.string(),
        message_id: z.string(),
        role: z.string(),
        at: z.string(),
        snippet: z.string(),
        score: z.number().optional(),
        why: z.enum(['words', 'meaning', 'both']).optional(),
      }),
    ),
    next_cursor: nextCursor,
    warnings: z.array(z.string()).optional(),
  }),
  run: async ({ query, conversation_id: conversation, ...rest }, context) => {
    if (conversation !== undefined) await conversationOf(context, conversation)
    const given = Object.fromEntries(
      Object.entries({ ...rest, conversation }).filter(([, value]) => value !== undefined),
    )
    const asked = { ...given, text: query } as unknown as FindQuery
    const { items, cursor, warnings } = await context.finder.find(context.store, context.workspace, asked)
    const hits = fit(
      items.map((hit) => ({
        conversation_id: hit.conversation,
        title: hit.title,
        message_id: hit.entry,
        role: hit.role,
        at: hit.at,
        snippet: hit.snippet,
        ...(hit.why && { score: hit.score, why: hit.why }),
      })),
    ).items
    const lines = hits.map(
      (hit) => `${hit.conversation_id} · ${hit.role} · ${hit.at} · ${hit.message_id}\n    ${hit.snippet}`,
    )
    return {
      data: {
        items: hits,
        next_cursor: cursor,
        ...(warnings.length > 0 && { warnings: warnings.map(({ message }) => message) }),
      },
      text: [
        ...(lines.length === 0 ? ['Nothing was found.'] : lines),
        ...(cursor ? ['There is more: call again with next_cursor.'] : []),
        ...warnings.map(({ message }) => `Warning: ${message}`),
      ].join('\n'),
    }
  },
})
