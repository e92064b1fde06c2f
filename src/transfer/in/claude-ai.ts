/** Claude.ai's export: `conversations.json`, with branches where the file names parents. */
import type { Format, Imported, ImportedNode, Reading, Says, Skipped } from '../kit/contract.js'
import { eachTalk } from '../kit/each.js'
import { asList, isRaw, type Raw, raws, str, timeOf, treeOf, without } from '../kit/shape.js'

export const claudeAi: Format = {
  name: 'claude-ai',
  claims: (value) => isRaw(value) && Array.isArray(value.chat_messages),
  read: (file): AsyncGenerator<Reading> => eachTalk(file, (value) => value.chat_messages, conversation),
}

function conversation(given: Raw, messages: readonly Raw[], place: string): Imported {
  const isTree = messages.some((message) => str(message.parent_message_uuid))
  const skipped: Skipped[] = []
  const parents = new Map<string, string | null>()
  const nodes: ImportedNode[] = []
  let before: string | null = null
  for (const [i, message] of messages.entries()) {
    const id = str(message.uuid) ?? `message ${i + 1}`
    const parent: string | null = isTree ? (str(message.parent_message_uuid) ?? null) : before
    const says = saysOf(message)
    if (says === null) {
      parents.set(id, parent)
      skipped.push({ type: 'skipped', reason: 'empty message', place: `${place}, ${id}` })
      continue
    }
    nodes.push({
      id,
      parent,
      says,
      at: timeOf(message.created_at),
      model: modelOf(given, message),
      rest: restOf(message),
    })
    before = id
  }
  return {
    type: 'tree',
    format: 'claude-ai',
    id: str(given.uuid) ?? place,
    title: str(given.name),
    createdAt: timeOf(given.created_at),
    updatedAt: timeOf(given.updated_at),
    pinned: given.is_starred === true,
    head: str(given.current_leaf_message_uuid) ?? nodes.at(-1)?.id ?? null,
    nodes: treeOf(nodes, parents),
    rest: without(given, 'chat_messages', 'uuid', 'name', 'created_at', 'updated_at'),
    warnings: [],
    skipped,
  }
}

const modelOf = (given: Raw, { sender, model }: Raw): string | undefined =>
  sender === 'assistant' ? (str(model) ?? str(given.model)) : undefined

function saysOf(message: Raw): Says | null {
  const blocks = raws(message.content)
  const hasText = blocks.some((block) => block.type === 'text' && str(block.text))
  const said = hasText || blocks.some((block) => block.type !== 'text')
  const content: unknown[] = said ? [...blocks] : []
  if (!hasText && str(message.text) && !blocks.some(({ type }) => type === 'tool_use' || type === 'thinking'))
    content.push({ type: 'text', text: message.text })
  for (const { file_name, file_type, extracted_content } of raws(message.attachments))
    content.push({
      type: 'file',
      mediaType:
        file_type === 'txt' || !str(file_type)
          ? 'text/plain'
          : (str(file_type) as string).includes('/')
            ? file_type
            : `text/${str(file_type)}`,
      ...(str(file_name) && { name: file_name }),
      source: { kind: 'text', text: str(extracted_content) ?? '' },
    })
  for (const { file_name, file_uuid, file_kind } of raws(message.files))
    content.push({
      type: 'file',
      mediaType:
        file_kind === 'image' || /\.(png|jpe?g|gif|webp)$/i.test(String(file_name))
          ? 'image/*'
          : 'application/octet-stream',
      ...(str(file_name) && { name: file_name }),
      source: { kind: 'ref', id: str(file_uuid) ?? str(file_name) ?? 'file' },
    })
  if (content.length === 0) return null
  return { kind: 'message', message: { role: message.sender === 'human' ? 'user' : 'assistant', content } }
}

const known = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'image', 'document'])
const read = [
  'type',
  'text',
  'thinking',
  'signature',
  'id',
  'name',
  'input',
  'tool_use_id',
  'content',
  'is_error',
  'source',
  'data',
]

/** What blocks say beside their words, and blocks that nobody here knows. */
function restOf(message: Raw): Record<string, unknown> {
  const blocks = raws(message.content).map((block) => (known.has(String(block.type)) ? without(block, ...read) : block))
  const hasMore = blocks.some((block) => Object.keys(block).length > 0)
  const about = without(
    message,
    'uuid',
    'sender',
    'text',
    'content',
    'created_at',
    'parent_message_uuid',
    'attachments',
    'files',
  )
  const files = asList(message.attachments).length + asList(message.files).length
  return {
    ...about,
    ...(hasMore && { content: blocks }),
    ...(files > 0 && {
      files: [...raws(message.attachments).map((one) => without(one, 'extracted_content')), ...raws(message.files)],
    }),
  }
}
