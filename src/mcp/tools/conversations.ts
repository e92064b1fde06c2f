/** Conversations: listed, searched, read, added to, branched. */
import { z } from 'zod'
import { forkBranch } from '../../operations/branches.js'
import { listConversations } from '../../operations/conversations.js'
import { appendMessages, expandMessage, listMessages } from '../../operations/messages.js'
import { searchMessages } from '../../operations/search.js'
import { type ImportReportShape, importConversations, importReport } from '../../operations/transfer.js'
import { messageBlock, type WireMessage } from '../kit/conversation.js'
import { exposeTool } from '../kit/expose.js'
import { clipText } from '../kit/room.js'
import { uris } from '../kit/uris.js'
import { messagesOf, messagesParameter } from './messages.js'

const counts = z.record(z.string(), z.int())

const more = (cursor: string | null): string[] =>
  cursor === null ? [] : ['There is more: call again with next_cursor.']

export const conversationList = exposeTool('conversation_list', listConversations, {
  title: 'List conversations',
  description: 'The conversations kept here, newest first. conversation_search looks into what was said.',
  text: ({ items, next_cursor }) =>
    [
      ...items.map(
        ({ id, title, entries, updated_at }) => `${id} · ${title || 'Untitled'} · ${entries} entries · ${updated_at}`,
      ),
      ...(items.length === 0 ? ['There are none.'] : []),
      ...more(next_cursor),
    ].join('\n'),
  links: ({ items }) => items.slice(0, 5).map(({ id, title }) => ({ uri: uris.conversation(id), name: title || id })),
})

export const conversationSearch = exposeTool('conversation_search', searchMessages, {
  title: 'Search conversations',
  description:
    'Messages with all the words, newest first; the last may be a beginning. With mode hybrid also those of like meaning.',
  text: ({ items, next_cursor, warnings = [] }) =>
    [
      ...items.map((hit) => `${hit.conversation_id} · ${hit.role} · ${hit.at} · ${hit.message_id}\n    ${hit.snippet}`),
      ...(items.length === 0 ? ['Nothing was found.'] : []),
      ...more(next_cursor),
      ...warnings.map(({ message }) => `Warning: ${message}`),
    ].join('\n'),
})

export const conversationImport = exposeTool('conversation_import', importConversations, {
  title: 'Import',
  description: 'From a file, folder or zip of another product. Again adds nothing.',
  hints: { repeats: true },
  ask: { input: z.strictObject({ path: z.string(), dry_run: z.boolean().optional() }) },
  show: {
    output: importReport.pick({ dry_run: true }).extend({ conversations: counts, messages: counts, left_out: counts }),
    from: (told) => {
      const { dry_run, conversations, messages, skipped } = told as ImportReportShape
      const left_out = Object.fromEntries(skipped.slice(0, 20).map(({ reason, count }) => [reason, count]))
      return { dry_run, conversations, messages, left_out }
    },
  },
  text: (report) => JSON.stringify(report),
})

/** Bytes of one message in a page. */
const share = 6_000

const cut = (text: string): string => clipText(text, share, 'message_get reads all of it').text

function briefMessage(message: WireMessage): WireMessage {
  if (JSON.stringify(message).length * 3 <= share * 2) return message
  if (message.kind === 'note') return { ...message, text: cut(message.text), data: null }
  const parts = message.parts.map((part) => (part.type === 'text' ? { ...part, text: cut(part.text) } : part))
  return { ...message, text: cut(message.text), parts } as WireMessage
}

export const conversationGet = exposeTool('conversation_get', listMessages, {
  title: 'Read a conversation',
  description: 'The newest messages of a branch, oldest first. message_get reads one in full.',
  brief: briefMessage,
  last: true,
  text: ({ items, next_cursor }, { conversation_id, branch = 'main' }) =>
    [
      `${conversation_id}, branch ${branch}`,
      ...(next_cursor === null ? [] : [`Earlier messages: call again with before ${next_cursor}.`]),
      ...items.map(messageBlock),
    ].join('\n\n'),
  links: (_, { conversation_id: id }) => [{ uri: uris.conversation(id), name: id }],
})

/** Characters of one part of a message: whatever they are, they fit. */
const part = 10_000

export const messageGet = exposeTool('message_get', expandMessage, {
  title: 'Read a message in full',
  ask: { input: expandMessage.input, to: (given) => ({ length: part, ...given }) },
  text: ({ text, next_offset }) =>
    next_offset === null ? text : `${text}\n[There is more: call again with offset ${next_offset}.]`,
})

export const conversationAppend = exposeTool('conversation_append', appendMessages, {
  title: 'Add to a conversation',
  description:
    'Adds messages to a branch; without conversation_id a new conversation begins. The same key and messages again write nothing.',
  ask: {
    input: appendMessages.input.omit({ message: true }).extend({ messages: messagesParameter }),
    to: ({ messages, ...given }) => ({ ...given, ...(messages !== undefined && { messages: messagesOf(messages) }) }),
  },
  show: {
    output: appendMessages.output.extend({ messages: z.array(z.unknown()) }),
    from: ({ messages, ...rest }) => ({ ...rest, messages: messages.slice(0, 20).map(briefMessage) }),
  },
  text: ({ conversation_id, branch, head_id, repeated }, { messages = [] }) =>
    `${repeated ? 'It was there already' : `${messages.length} messages were added`}: conversation ${conversation_id}, branch ${branch}, head ${head_id}.`,
  links: ({ conversation_id: id }) => [{ uri: uris.conversation(id), name: id }],
})

export const conversationFork = exposeTool('conversation_fork', forkBranch, {
  title: 'Branch a conversation',
  description: 'A new branch at a message, or at the beginning with null. Nothing is copied and nothing is lost.',
  text: ({ name, head_id }, { conversation_id }) =>
    `Branch ${name} of ${conversation_id} begins at ${head_id ?? 'the beginning'}.`,
})
