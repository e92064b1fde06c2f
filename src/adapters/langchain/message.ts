/** Messages of LangChain as it stores them, to the engine and from it. */
import type { StoredMessage } from '@langchain/core/messages'
import type { FilePart, OutputPart, Part, Role } from '../../core/message/item.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../../core/window/mend/file.js'
import type { Dialect, SaidEntry } from '../list/dialect.js'

export const langchainDialect: Dialect<StoredMessage> = { name: 'langchain', toMessage, fromEntry }

const types = { user: 'human', assistant: 'ai', system: 'system' } as const satisfies Record<Role, string>

function toMessage({ type, data }: StoredMessage): unknown {
  if (type === 'generic') return { ...data, role: data.role }
  return type === 'function' ? { ...data, role: 'function' } : { ...data, type }
}

function fromEntry({ body, redacted }: SaidEntry, names: ReadonlyMap<string, string>): StoredMessage[] {
  if (redacted) return []
  if (body.kind === 'message') return fromParts(body.role, body.parts)
  if (body.kind !== 'result') return []
  const { callId, state, output } = body
  const name = names.get(callId)
  const status = state === 'ok' ? 'success' : 'error'
  return [stored('tool', output, { tool_call_id: callId, status, ...(name === undefined ? null : { name }) })]
}

function fromParts(role: Role, parts: readonly Part[]): StoredMessage[] {
  const said = parts.filter((part) => part.type === 'text' || part.type === 'file')
  const calls = parts.filter((part) => part.type === 'call')
  if (said.length + calls.length === 0) return []
  const tool_calls = calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, args: input }))
  return [stored(types[role], said, calls.length > 0 ? { tool_calls } : {})]
}

/** Texts are one string; with files it takes a list of blocks. */
function stored(type: string, parts: readonly OutputPart[], more: object): StoredMessage {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const content = texts.length === parts.length ? texts.join('\n') : parts.map(block)
  return { type, data: { content, ...more } as unknown as StoredMessage['data'] }
}

const block = (part: OutputPart): object => (part.type === 'text' ? { type: 'text', text: part.text } : fileBlock(part))

function fileBlock(file: FilePart): object {
  const type = isImage(file) ? 'image' : 'file'
  const data = base64Of(file)
  if (data !== undefined) return { type, source_type: 'base64', mime_type: mediaTypeOf(file), data }
  if (file.source.kind === 'url') return { type, source_type: 'url', url: file.source.url }
  return { type: 'text', text: fileText(file) }
}
