/** Open WebUI's export: chats with a history that is a tree. */
import type { Format, Imported, ImportedNode, Reading, Says } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { asList, isRaw, type Raw, raw, raws, str, timeOf, treeOf, without } from '../kit/shape.js'

/** The chat of a row, or the row itself in older files. */
const chatOf = (value: Raw): Raw => (isRaw(value.chat) ? value.chat : value)

export const openWebui: Format = {
  name: 'openwebui',
  claims: (value) => isRaw(value) && isRaw(raw(chatOf(value).history).messages),
  read: (file): AsyncGenerator<Reading> =>
    eachValue(file, (value, place) =>
      isRaw(value) && isRaw(raw(chatOf(value).history).messages)
        ? conversation(value, chatOf(value), place)
        : { type: 'skipped', reason: 'an item without messages', place },
    ),
}

function conversation(given: Raw, chat: Raw, place: string): Imported {
  const history = raw(chat.history)
  const nodes = Object.entries(raw(history.messages)).flatMap(([key, value]): ImportedNode[] => {
    if (!isRaw(value)) return []
    const role = value.role === 'user' || value.role === 'system' ? value.role : 'assistant'
    return [
      {
        id: str(value.id) ?? key,
        parent: str(value.parentId) ?? null,
        says: saysOf(role, value),
        at: timeOf(value.timestamp),
        model: role === 'assistant' ? str(value.model) : undefined,
        aborted: (role === 'assistant' && value.done === false) || undefined,
        rest: without(value, 'id', 'parentId', 'childrenIds', 'role', 'content', 'output', 'timestamp', 'model'),
      },
    ]
  })
  const tags = [...asList(raw(given.meta).tags), ...asList(chat.tags)].flatMap(
    (tag) => str(tag) ?? str(raw(tag).name) ?? [],
  )
  return {
    type: 'tree',
    format: 'openwebui',
    id: str(given.id) ?? str(chat.id) ?? place,
    title: str(given.title) ?? str(chat.title),
    createdAt: timeOf(given.created_at ?? chat.timestamp),
    updatedAt: timeOf(given.updated_at),
    folder: str(given.folder_id),
    tags,
    pinned: given.pinned === true,
    archived: given.archived === true,
    head: str(history.currentId) ?? null,
    nodes: treeOf(nodes),
    rest: {
      ...without(given, 'chat', 'title', 'id', 'history', 'messages'),
      chat: without(chat, 'history', 'messages'),
    },
    warnings: [],
    skipped: [],
  }
}

function saysOf(role: string, message: Raw): Says {
  const files = raws(message.files).map(fileOf)
  // newer answers come as items of OpenAI Responses, which `decode` knows
  const output = raws(message.output)
  if (role === 'assistant' && output.length > 0) return { kind: 'message', message: output }
  const content = message.content
  const parts = typeof content === 'string' ? lifted(content) : raws(content)
  return { kind: 'message', message: { role, content: [...parts, ...files] } }
}

const details = /<details\s+type="(reasoning|tool_calls)"([^>]*)>([\s\S]*?)<\/details>\s*/g

/** Reasoning and tool calls that stand in the text as HTML. */
function lifted(content: string): object[] {
  const out: object[] = []
  const say = (text: string): void => {
    if (text.trim() !== '') out.push({ type: 'text', text: text.trim() })
  }
  let from = 0
  for (const match of content.matchAll(details)) {
    const [whole, type, attributes = '', inner = ''] = match
    say(content.slice(from, match.index))
    from = match.index + whole.length
    const words = inner
      .replace(/<summary>[\s\S]*?<\/summary>/, '')
      .replaceAll(/^> ?/gm, '')
      .trim()
    if (type === 'reasoning') out.push({ type: 'think', text: unescaped(words) })
    else out.push(callOf(attributes, words))
  }
  say(content.slice(from))
  return out
}

function callOf(attributes: string, words: string): object {
  const value = (name: string): string | undefined => {
    const found = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
    return found === undefined ? undefined : unescaped(found)
  }
  const result = value('result') ?? words
  const call = { type: 'call', id: value('id') ?? '', name: value('name') ?? 'tool', input: parsed(value('arguments')) }
  return result === '' ? call : { ...call, outcome: { state: 'ok', output: [{ type: 'text', text: result }] } }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '{}') as unknown
  } catch {
    return { _raw: text }
  }
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const fileOf = ({ type, id, name, url }: Raw): object => {
  const at = str(url)
  const named = str(name) && { name }
  const mediaType = type === 'image' ? 'image/*' : 'application/octet-stream'
  const data = /^data:([^;,]*);base64,(.*)$/s.exec(at ?? '')
  if (data)
    return { type: 'file', mediaType: data[1] || mediaType, ...named, source: { kind: 'data', base64: data[2] } }
  return { type: 'file', mediaType, ...named, source: { kind: 'ref', id: str(id) ?? at ?? 'file' } }
}
