/** A conversation as text and as Markdown, from its messages. */
import type { z } from 'zod'
import { listBranches } from '../../operations/branches.js'
import { getConversation } from '../../operations/conversations.js'
import { listMessages } from '../../operations/messages.js'
import type { DeepReadonly } from '../../operations/operation.js'
import type { messageSchema } from '../../operations/shapes/message.js'
import type { McpContext } from './context.js'
import { clipText } from './room.js'

export type WireMessage = z.output<typeof messageSchema>
type Read = DeepReadonly<WireMessage>

function speakerOf(message: Read): string {
  if (message.kind === 'message') return message.author ?? message.role
  return message.kind === 'result' ? 'tool' : message.kind
}

/** What was said, and which tools were called. */
function saidIn(message: Read): string {
  if (message.redacted) return '[removed]'
  if (message.kind === 'note') return `[${message.label}]`
  if (message.kind !== 'message') return message.text
  const { parts, text } = message
  const calls = parts.flatMap((part) =>
    part.type === 'call' ? [`[calls ${part.name} ${clipText(JSON.stringify(part.input) ?? '', 500).text}]`] : [],
  )
  const files = parts.flatMap((part) => (part.type === 'file' ? [`[file ${part.name ?? part.mediaType}]`] : []))
  return [text, ...files, ...calls].filter((line) => line !== '').join('\n')
}

export const messageBlock = (message: Read): string =>
  `${speakerOf(message)} (${message.at}, ${message.id}):\n${saidIn(message).replaceAll(/^/gm, '    ')}`

/** Messages that a page of Markdown shows. */
const shown = 200

export async function markdownOf(context: McpContext, conversation_id: string): Promise<string> {
  const { title, created_at, updated_at, entries } = await getConversation.run(context, { conversation_id })
  const { items: branches } = await listBranches.run(context, { conversation_id })
  const { items } = await listMessages.run(context, { conversation_id, branch: 'main', limit: shown })
  const first = items[0]
  return [
    `# ${title.replaceAll(/\s+/g, ' ') || 'Untitled'}`,
    `${conversation_id} · begun ${created_at} · changed ${updated_at} · ${entries} entries`,
    ...(branches.length > 1 ? [`Branches: ${branches.map(({ name }) => name).join(', ')}; this is main.`] : []),
    ...(first && first.depth > 0 ? [`(${first.depth} entries before these are not shown.)`] : []),
    ...items.map((one) => `## ${speakerOf(one)} · ${one.at}\n\n${fenced(clipText(saidIn(one), 20_000).text)}`),
  ].join('\n\n')
}

/** No line of a message passes for a heading of ours. */
const fenced = (text: string): string => text.replaceAll(/^(#{1,6} )/gm, '\\$1')
