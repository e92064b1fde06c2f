/** LibreChat's export of a conversation: a list with parents, or a tree with children. */
import type { Format, Imported, ImportedNode, Reading } from '../kit/contract.js'
import { eachTalk } from '../kit/each.js'
import { isRaw, type Raw, raw, raws, str, timeOf, treeOf, without } from '../kit/shape.js'

const listOf = (value: Raw): unknown => value.messagesTree ?? value.messages

export const librechat: Format = {
  name: 'librechat',
  claims: (value) => isRaw(value) && typeof value.conversationId === 'string' && Array.isArray(listOf(value)),
  read: (file): AsyncGenerator<Reading> => eachTalk(file, listOf, conversation),
}

function conversation(given: Raw, messages: readonly Raw[], place: string): Imported {
  const isTree = given.branches === true || given.recursive === true
  const nodes: ImportedNode[] = []
  for (const { message, above } of flat(messages)) {
    const id = str(message.messageId) ?? `message ${nodes.length + 1}`
    const before = nodes.at(-1)?.id ?? null
    const told = str(message.parentMessageId)
    const parent =
      told === undefined || /^0+(-0+)*$/.test(told) ? (above ?? (isTree || nodes.length === 0 ? null : before)) : told
    const isUser = message.isCreatedByUser === true
    const parts = partsOf(message)
    if (parts.length === 0 && raws(message.files).length === 0) parts.push({ type: 'text', text: '' })
    nodes.push({
      id,
      parent: told && !/^0+(-0+)*$/.test(told) ? told : parent,
      says: {
        kind: 'message',
        message: { role: isUser ? 'user' : 'assistant', parts: [...parts, ...filesOf(message)] },
      },
      at: timeOf(message.createdAt),
      model: isUser ? undefined : str(message.model),
      aborted: message.unfinished === true || undefined,
      rest: without(
        message,
        ...[
          'messageId',
          'parentMessageId',
          'isCreatedByUser',
          'text',
          'content',
          'createdAt',
          'children',
          'model',
          'conversationId',
        ],
      ),
    })
  }
  return {
    type: 'tree',
    format: 'librechat',
    id: str(given.conversationId) ?? place,
    title: str(given.title),
    createdAt: timeOf(messages[0]?.createdAt),
    updatedAt: timeOf(messages.at(-1)?.updatedAt ?? messages.at(-1)?.createdAt),
    head: nodes.at(-1)?.id ?? null,
    nodes: treeOf(nodes),
    rest: without(given, 'messages', 'messagesTree', 'conversationId', 'title'),
    warnings: [],
    skipped: [],
  }
}

/** Children after their parent, the last ones last; without recursion, however deep a tree is. */
function* flat(messages: readonly Raw[]): Generator<{ readonly message: Raw; readonly above: string | null }> {
  const stack = messages.map((message) => ({ message, above: null as string | null })).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next
    const id = str(next.message.messageId) ?? null
    stack.push(
      ...raws(next.message.children)
        .map((message) => ({ message, above: id }))
        .reverse(),
    )
  }
}

function partsOf(message: Raw): object[] {
  const blocks = raws(message.content)
  if (blocks.length === 0) return str(message.text) ? [{ type: 'text', text: message.text }] : []
  return blocks.flatMap((block): object[] => {
    const text = str(block.text) ?? str(raw(block.text).value)
    if (block.type === 'text') return text ? [{ type: 'text', text }] : []
    if (block.type === 'think') return str(block.think) ? [{ type: 'think', text: block.think }] : []
    if (block.type === 'error') return [{ type: 'text', text: str(block.error) ?? text ?? 'error' }]
    if (block.type !== 'tool_call') return [{ type: 'text', text: JSON.stringify(block) }]
    const call = raw(block.tool_call)
    const output = str(call.output) ? [{ type: 'text', text: call.output }] : []
    const named = {
      type: 'call',
      id: str(call.id) ?? '',
      name: str(call.name) ?? 'tool',
      input: argumentsOf(call.args),
    }
    return [call.output === undefined || call.output === null ? named : { ...named, outcome: { state: 'ok', output } }]
  })
}

function argumentsOf(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {}
  try {
    return JSON.parse(args) as unknown
  } catch {
    return { _raw: args }
  }
}

const filesOf = (message: Raw): object[] =>
  [...raws(message.files), ...raws(message.attachments)].map(({ type, filename, file_id, filepath }) => ({
    type: 'file',
    mediaType: str(type)?.includes('/') ? type : 'application/octet-stream',
    ...(str(filename) && { name: filename }),
    source: { kind: 'ref', id: str(file_id) ?? str(filepath) ?? 'file' },
  }))
