/** Every branch in the shape of ChatGPT's export, which many tools read. */

import type { OutputPart, Part } from '../../core/message/item.js'
import { entriesIn } from '../../engine/export.js'
import type { Entry } from '../../store/contract/entry.js'
import { type Exporting, sourceOf } from './source.js'

export async function* inChatgpt(source: Exporting): AsyncGenerator<string> {
  const { conversation, store, workspace } = source
  const branches = await store.branches(workspace, conversation.id)
  const main = source.head ?? branches.find(({ name }) => name === 'main')?.head ?? null
  const nodes = new Map<string, Node>([['root', { id: 'root', parent: null, children: [], message: null }]])
  const calls = new Map<string, string>()
  /** The node that ends an entry, where the next one follows. */
  const ends = new Map<string, string>()
  for await (const entry of entriesIn(sourceOf(source))) {
    const parent = entry.parent === null ? 'root' : (ends.get(entry.parent) ?? 'root')
    const made = messagesOf(entry, calls)
    let at = parent
    for (const [i, message] of made.entries()) {
      const id = i === 0 ? entry.id : `${entry.id}.${i}`
      nodes.set(id, { id, parent: at, children: [], message: { id, ...message } })
      nodes.get(at)?.children.push(id)
      at = id
    }
    ends.set(entry.id, at)
  }
  yield JSON.stringify([
    {
      ...{ id: conversation.id, conversation_id: conversation.id, title: conversation.title },
      ...{ create_time: seconds(conversation.createdAt), update_time: seconds(conversation.updatedAt) },
      current_node: main === null ? 'root' : (ends.get(main) ?? 'root'),
      is_archived: conversation.archived,
      is_starred: conversation.pinned,
      mapping: Object.fromEntries(nodes),
    },
  ])
}

interface Node {
  readonly id: string
  readonly parent: string | null
  readonly children: string[]
  readonly message: object | null
}

const seconds = (at: string): number | null => (Number.isNaN(Date.parse(at)) ? null : Date.parse(at) / 1000)

/** Thoughts, words and each call are messages of their own there. */
function messagesOf({ body, at, model, redacted, text }: Entry, calls: Map<string, string>): object[] {
  if (redacted || body.kind === 'note') return []
  const facts = (role: string, name?: string) => ({
    author: { role, ...(name && { name }), metadata: {} },
    create_time: seconds(at),
    status:
      body.kind === 'message' && body.status === 'aborted' ? 'finished_partial_completion' : 'finished_successfully',
    ...{ weight: 1, recipient: 'all', metadata: model ? { model_slug: model } : {} },
  })
  if (body.kind === 'summary') return [{ ...facts('system'), content: { content_type: 'text', parts: [text] } }]
  if (body.kind === 'result') return [{ ...facts('tool', calls.get(body.callId)), content: contentOf(body.output) }]
  const out: object[] = []
  const thoughts = body.parts.flatMap((part) =>
    part.type === 'think' && part.text ? [{ summary: '', content: part.text, chunks: [], finished: true }] : [],
  )
  if (thoughts.length > 0) out.push({ ...facts(body.role), content: { content_type: 'thoughts', thoughts } })
  const said = body.parts.filter((part) => part.type === 'text' || part.type === 'file')
  if (said.length > 0) out.push({ ...facts(body.role), content: contentOf(said) })
  for (const part of body.parts)
    if (part.type === 'call') {
      calls.set(part.id, part.name)
      const content = { content_type: 'code', language: 'json', text: JSON.stringify(part.input) }
      out.push({ ...facts(body.role), recipient: part.name, content })
    }
  return out
}

function contentOf(parts: readonly (Part | OutputPart)[]): object {
  const told = parts.flatMap((part): (string | object)[] => {
    if (part.type === 'text') return [part.text]
    if (part.type !== 'file') return []
    const { source } = part
    const pointer =
      source.kind === 'ref' ? source.id : source.kind === 'url' ? source.url : `inline:${part.name ?? part.mediaType}`
    return [{ content_type: 'image_asset_pointer', asset_pointer: pointer }]
  })
  return { content_type: told.every((one) => typeof one === 'string') ? 'text' : 'multimodal_text', parts: told }
}
