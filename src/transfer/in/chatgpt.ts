/** ChatGPT's export: `conversations.json`, whole or in pieces, with branches, pictures, tools, thoughts and canvases. */
import type { Asset, Format, Imported, ImportedNode, Reading, Says, Skipped, SourceFile } from '../kit/contract.js'
import { eachValue } from '../kit/each.js'
import { asId, asList, isRaw, type Raw, raw, raws, str, timeOf, treeOf, without } from '../kit/shape.js'

export const chatgpt: Format = {
  name: 'chatgpt',
  claims: (value) => isRaw(value) && isRaw(value.mapping) && !('schema' in value),
  async *read(file): AsyncGenerator<Reading> {
    yield* eachValue(file, (value, place) =>
      isRaw(value) && isRaw(value.mapping)
        ? conversation(value, value.mapping, file, place)
        : { type: 'skipped', reason: 'a folder or another item without messages', place },
    )
  },
}

function conversation(given: Raw, mapping: Raw, file: SourceFile, place: string): Imported {
  const assets = new Map<string, Asset>()
  const parents = new Map<string, string | null>()
  const skipped: Skipped[] = []
  const nodes: ImportedNode[] = []
  const usual = str(given.default_model_slug)
  for (const [key, value] of Object.entries(mapping)) {
    const node = raw(value)
    const id = str(node.id) ?? key
    const parent = str(node.parent) ?? null
    parents.set(id, parent)
    const message = node.message
    if (!isRaw(message)) continue
    const says = saysOf(message, id, file, assets)
    if (typeof says === 'string') skipped.push({ type: 'skipped', reason: says, place: `${place}, ${id}` })
    else nodes.push({ id, parent, says, ...factsOf(message, usual) })
  }
  const kept = treeOf(nodes, parents)
  const known = new Set(kept.map(({ id }) => id))
  let head = str(given.current_node) ?? null
  for (const seen = new Set<string>(); head !== null && !known.has(head) && !seen.has(head); ) {
    seen.add(head)
    head = parents.get(head) ?? null
  }
  const project = str(given.gizmo_type) === 'snorlax' ? asId(given.gizmo_id) : undefined
  return {
    type: 'tree',
    format: 'chatgpt',
    id: str(given.conversation_id) ?? str(given.id) ?? `${file.name} ${place}`,
    title: str(given.title),
    createdAt: timeOf(given.create_time),
    updatedAt: timeOf(given.update_time),
    folder: project,
    pinned: given.is_starred === true || typeof given.pinned_time === 'number',
    archived: given.is_archived === true,
    head: head !== null && known.has(head) ? head : null,
    nodes: withResults(kept),
    rest: without(
      given,
      ...['mapping', 'title', 'create_time', 'update_time', 'current_node', 'id', 'conversation_id'],
    ),
    assets,
    warnings: [],
    skipped,
  }
}

const factsOf = (message: Raw, usual: string | undefined) => {
  const metadata = raw(message.metadata)
  const { role } = raw(message.author)
  return {
    at: timeOf(message.create_time),
    model: role === 'assistant' ? (str(metadata.model_slug) ?? usual) : undefined,
    aborted: message.status === 'in_progress' || message.status === 'finished_partial_completion',
    injected: metadata.is_visually_hidden_from_conversation === true || undefined,
    rest: restOf(message),
  }
}

/** The words are in the entry; everything else that the message says is kept beside it. */
function restOf(message: Raw): Record<string, unknown> {
  const content = raw(message.content)
  const said = new Set(['parts', 'text', 'thoughts', 'content', 'result', 'output_str'])
  const other = Object.fromEntries(Object.entries(content).filter(([name]) => !said.has(name)))
  return { ...without(message, 'id', 'create_time', 'content'), content: other }
}

/** Inline citation marks are private-use characters that mean nothing elsewhere. */
const citation = /\ue200.*?\ue201|[\ue200-\ue202]/gs
const words = (text: string): string => text.replaceAll(citation, '')

/** What a message says, or why it is left out. */
function saysOf(message: Raw, id: string, file: SourceFile, assets: Map<string, Asset>): Says | string {
  const content = raw(message.content)
  const { role, name } = raw(message.author)
  const type = str(content.content_type) ?? 'text'
  if (type === 'user_editable_context' || type === 'model_editable_context') {
    const data = without(content, 'content_type')
    return Object.values(data).some((value) => str(value)) ? { kind: 'note', label: type, data } : 'empty message'
  }
  if (type === 'reasoning_recap') return 'a line that only says how long was thought'
  const recipient = str(message.recipient) ?? 'all'
  const blocks = blocksOf(type, content, message, file, assets)
  if (role === 'assistant' && recipient !== 'all') {
    const input = inputOf(type, content)
    if (input !== undefined) return said('assistant', [{ type: 'call', id, name: recipient, input }])
  }
  if (blocks.length === 0) return role === 'system' ? 'empty system message' : 'empty message'
  if (role === 'tool') {
    const state = type === 'system_error' ? 'error' : 'ok'
    return said('assistant', [{ type: 'result', state, output: blocks }], str(name))
  }
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return 'a role that is not known'
  return said(role, blocks)
}

const said = (role: string, parts: readonly object[], name?: string): Says => ({
  kind: 'message',
  message: { role, parts, ...(name && { name }) },
})

/** What a tool was given: code, or a JSON object as text, as canvases have it. */
function inputOf(type: string, content: Raw): unknown {
  const text = type === 'code' ? str(content.text) : type === 'text' ? textIn(content.parts) : undefined
  if (text === undefined) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (isRaw(parsed)) return parsed
  } catch {
    // code is no JSON
  }
  const language = str(content.language)
  return { code: text, ...(language && language !== 'unknown' && { language }) }
}

const textIn = (parts: unknown): string | undefined =>
  str(
    asList(parts)
      .filter((part) => typeof part === 'string')
      .join('\n'),
  )

function blocksOf(type: string, content: Raw, message: Raw, file: SourceFile, assets: Map<string, Asset>): object[] {
  const text = (value: string | undefined): object[] => (value ? [{ type: 'text', text: words(value) }] : [])
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return [
        ...asList(content.parts).flatMap((part) => (typeof part === 'string' ? text(part) : piece(part, file, assets))),
        ...attached(message, file, assets, asList(content.parts)),
      ]
    case 'code':
      return text(str(content.text) && `\`\`\`${str(content.language) ?? ''}\n${str(content.text)}\n\`\`\``)
    case 'thoughts':
      return raws(content.thoughts).flatMap((thought) => {
        const words =
          str(thought.content) ??
          asList(thought.chunks)
            .filter((one) => typeof one === 'string')
            .join('')
        const whole = [str(thought.summary), words].filter(Boolean).join('\n')
        return whole === '' ? [] : [{ type: 'think', text: whole }]
      })
    case 'tether_quote':
    case 'sonic_webpage':
      return text(
        [str(content.title), str(content.url), str(content.text) ?? str(content.snippet)].filter(Boolean).join('\n'),
      )
    case 'tether_browsing_display':
      return text(str(content.result) ?? str(content.summary))
    case 'citable_code_output':
      return text(str(content.output_str))
    case 'system_error':
      return text([str(content.name), str(content.text)].filter(Boolean).join(': '))
    case 'computer_output':
      return [...text(str(raw(content.state).url)), ...piece(content.screenshot, file, assets)]
    default: {
      const found = str(content.text) ?? textIn(content.parts) ?? str(content.content)
      return found === undefined && Object.keys(content).length > 1 ? text(JSON.stringify(content)) : text(found)
    }
  }
}

/** A part of a message that is no text. */
function piece(part: unknown, file: SourceFile, assets: Map<string, Asset>): object[] {
  if (!isRaw(part)) return []
  if (part.content_type === 'audio_transcription') {
    const text = str(part.text)
    return text ? [{ type: 'text', text }] : []
  }
  if (part.content_type === 'real_time_user_audio_video_asset_pointer')
    return [part.audio_asset_pointer, ...asList(part.frames_asset_pointers)].flatMap((one) => piece(one, file, assets))
  const pointer = str(part.asset_pointer)
  if (pointer === undefined) return [{ type: 'text', text: JSON.stringify(part) }]
  const kind = str(part.content_type)?.startsWith('audio') ? 'audio/*' : 'image/*'
  return [fileAt(pointer, kind, undefined, file, assets)]
}

/** Files that the person attached; pictures stand in the parts as well and are not told twice. */
function attached(message: Raw, file: SourceFile, assets: Map<string, Asset>, parts: readonly unknown[]): object[] {
  const shown = parts.map((part) => str(raw(part).asset_pointer) ?? '')
  return raws(raw(message.metadata).attachments).flatMap((one) => {
    const id = str(one.id)
    if (id === undefined || shown.some((pointer) => pointer.endsWith(id))) return []
    return [fileAt(id, str(one.mime_type) ?? 'application/octet-stream', str(one.name), file, assets)]
  })
}

function fileAt(
  pointer: string,
  mediaType: string,
  name: string | undefined,
  file: SourceFile,
  assets: Map<string, Asset>,
) {
  const id = pointer.replace(/^[a-z-]+:\/\//, '').replace(/[#?].*$/, '')
  const asset = file.asset(id)
  if (asset) assets.set(pointer, asset)
  return { type: 'file', mediaType, ...(name && { name }), source: { kind: 'ref', id: pointer } }
}

/** A tool's first answer belongs to the nearest call above it; what else it says is shown with a call of its own. */
function withResults(nodes: readonly ImportedNode[]): ImportedNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return nodes.map((node) => {
    const result = partOf(node, 'result')
    if (!result || node.says.kind !== 'message') return node
    const callId = openCall(node, byId)
    if (callId !== undefined) return { ...node, says: said('assistant', [{ ...result, callId }]) }
    const name = str(raw(node.says.message).name) ?? 'tool'
    const outcome = { state: result.state, output: result.output }
    return { ...node, says: said('assistant', [{ type: 'call', id: node.id, name, input: {}, outcome }]) }
  })
}

function openCall(node: ImportedNode, byId: ReadonlyMap<string, ImportedNode>): string | undefined {
  for (let at = node.parent; at !== null; ) {
    const above = byId.get(at)
    if (!above || partOf(above, 'text') || partOf(above, 'result')) return undefined
    if (partOf(above, 'call')) return above.id
    at = above.parent
  }
  return undefined
}

function partOf({ says }: ImportedNode, type: string): Raw | undefined {
  if (says.kind !== 'message') return undefined
  return raws(raw(says.message).parts).find((part) => part.type === type)
}
