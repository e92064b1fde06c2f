/** `conversation_get`: a page of a branch, or one message in full. */
import { z } from 'zod'
import type { Entry } from '../../store/contract/entry.js'
import type { McpContext } from '../kit/context.js'
import { blockOf, conversationOf, headOf, saidIn, speakerOf } from '../kit/conversation.js'
import { missing } from '../kit/refusal.js'
import { clip, fit, room } from '../kit/room.js'
import { tool } from '../kit/tool.js'
import { uris } from '../kit/uris.js'
import { conversationId } from './find.js'

const messageShape = z.object({
  message_id: z.string(),
  role: z.string().describe('user, assistant, system, tool, orchestrator, summary or note'),
  text: z.string(),
  at: z.string(),
  tokens: z.int(),
  cut: z.boolean().describe('Longer than is shown: ask for it by message_id and offset'),
})

/** Bytes of one message in a page. */
const share = 6_000

export const conversationGet = tool({
  name: 'conversation_get',
  title: 'Read a conversation',
  description: 'The newest messages of a branch, oldest first; or one message in full, by message_id and offset.',
  scope: 'read',
  hints: { reads: true },
  input: z.strictObject({
    conversation_id: conversationId,
    branch: z.string().min(1).max(200).default('main'),
    last: z.int().min(1).max(200).default(20).describe('So many messages'),
    before: z.string().max(200).optional().describe('The page that ends before this message: next_cursor'),
    message_id: z.string().max(200).optional(),
    offset: z.int().min(0).default(0).describe('Characters to skip, with message_id'),
  }),
  output: z.object({
    conversation_id: z.string(),
    title: z.string(),
    branch: z.string(),
    branches: z.array(z.string()),
    head: z.string().nullable(),
    messages: z.array(messageShape),
    next_cursor: z.string().nullable().describe('Earlier messages: give it as before'),
  }),
  run: async ({ conversation_id: id, branch, last, before, message_id, offset }, context) => {
    const { title } = await conversationOf(context, id)
    const head = await headOf(context, id, branch)
    const whole = message_id !== undefined
    const path = whole ? [await entryOf(context, id, message_id)] : await pageOf(context, { id, head, before, last })
    const shown = path.map((entry) => ({
      entry,
      said: clip(saidIn(entry).slice(whole ? offset : 0), whole ? room - 4_000 : share),
    }))
    // what does not fit is the oldest
    const { items, left } = fit(
      shown.toReversed().map(({ entry, said }) => ({ entry, said })),
      room,
    )
    const page = items.toReversed()
    const first = page[0]?.entry
    const more = first && !whole && (left > 0 || first.parent !== null) ? first.id : null
    const branches = (await context.store.branches(context.workspace, id)).map(({ name }) => name).slice(0, 100)
    return {
      data: {
        conversation_id: id,
        title,
        branch,
        branches,
        head,
        messages: page.map(({ entry, said }) => messageOf(entry, said)),
        next_cursor: more,
      },
      text: [
        `${title || 'Untitled'} (${id}), branch ${branch}${branches.length > 1 ? ` of ${branches.join(', ')}` : ''}`,
        ...(more === null ? [] : [`Earlier messages: call again with before ${more}.`]),
        ...page.map(({ entry, said }) => blockOf(entry, said.text)),
      ].join('\n\n'),
      links: [{ uri: uris.conversation(id), name: title || id }],
    }
  },
})

const messageOf = (entry: Entry, { text, cut }: { readonly text: string; readonly cut: boolean }) => ({
  message_id: entry.id,
  role: speakerOf(entry),
  text,
  at: entry.at,
  tokens: entry.tokens,
  cut,
})

interface Asked {
  readonly id: string
  readonly head: string | null
  readonly before: string | undefined
  readonly last: number
}

async function pageOf(context: McpContext, { id, head, before, last }: Asked): Promise<readonly Entry[]> {
  const from = before === undefined ? head : (await entryOf(context, id, before)).parent
  return from === null ? [] : context.store.path(context.workspace, id, from, last)
}

export async function entryOf({ store, workspace }: McpContext, conversation: string, id: string): Promise<Entry> {
  const found = await store.entry(workspace, conversation, id)
  if (!found) throw missing('message_id')
  return found
}
