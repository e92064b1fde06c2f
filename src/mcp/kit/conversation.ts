/** A conversation as text and as Markdown, from the entries of a path. */

import type { Conversation } from '../../store/contract/conversation.js'
import type { Entry } from '../../store/contract/entry.js'
import type { McpContext } from './context.js'
import { missing } from './refusal.js'
import { clip } from './room.js'

export async function conversationOf({ store, workspace }: McpContext, id: string): Promise<Conversation> {
  const found = await store.get(workspace, id)
  if (!found) throw missing('conversation_id')
  return found
}

/** The head of a branch; null for the beginning of `main` before anything was said. */
export async function headOf({ store, workspace }: McpContext, id: string, branch: string): Promise<string | null> {
  const found = (await store.branches(workspace, id)).find(({ name }) => name === branch)
  if (!found && branch !== 'main') throw missing('branch')
  return found?.head ?? null
}

export const speakerOf = ({ body, author }: Entry): string => {
  if (body.kind === 'message') return author ?? body.role
  return body.kind === 'result' ? 'tool' : body.kind
}

/** What was said, and which tools were called. */
export function saidIn({ body, text, redacted }: Entry): string {
  if (redacted) return '[removed]'
  if (body.kind === 'note') return `[${body.label}]`
  if (body.kind !== 'message') return text
  const calls = body.parts.flatMap((part) =>
    part.type === 'call' ? [`[calls ${part.name} ${clip(JSON.stringify(part.input) ?? '', 500).text}]`] : [],
  )
  const files = body.parts.flatMap((part) => (part.type === 'file' ? [`[file ${part.name ?? part.mediaType}]`] : []))
  return [text, ...files, ...calls].filter((line) => line !== '').join('\n')
}

export const blockOf = (entry: Entry, said = saidIn(entry)): string =>
  `${speakerOf(entry)} (${entry.at}, ${entry.id}):\n${said.replaceAll(/^/gm, '    ')}`

/** Entries that a page of Markdown shows. */
const shown = 200

export async function markdownOf(context: McpContext, id: string): Promise<string> {
  const { store, workspace } = context
  const { title, createdAt, updatedAt, entries } = await conversationOf(context, id)
  const branches = await store.branches(workspace, id)
  const head = await headOf(context, id, 'main')
  const path = head === null ? [] : await store.path(workspace, id, head, shown)
  const first = path[0]
  return [
    `# ${title.replaceAll(/\s+/g, ' ') || 'Untitled'}`,
    `${id} · begun ${createdAt} · changed ${updatedAt} · ${entries} entries`,
    ...(branches.length > 1 ? [`Branches: ${branches.map(({ name }) => name).join(', ')}; this is main.`] : []),
    ...(first && first.depth > 0 ? [`(${first.depth} entries before these are not shown.)`] : []),
    ...path.map((entry) => `## ${speakerOf(entry)} · ${entry.at}\n\n${fenced(clip(saidIn(entry), 20_000).text)}`),
  ].join('\n\n')
}

/** No line of a message passes for a heading of ours. */
const fenced = (text: string): string => text.replaceAll(/^(#{1,6} )/gm, '\\$1')
