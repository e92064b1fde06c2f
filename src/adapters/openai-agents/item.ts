/** Items of `@openai/agents`, to the engine and from it. */
import type { CallPart, FilePart, OutputPart, Part, Role } from '../../core/message/item.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../../core/window/mend/file.js'
import type { Dialect, SaidEntry } from '../list/dialect.js'

/** An `AgentInputItem`: whatever the SDK has, now or later. */
export type AgentItem = Readonly<Record<string, unknown>>

export const agentsDialect: Dialect<AgentItem> = { name: 'openai-agents', toMessage: (item) => item, fromEntry }

function fromEntry({ body, redacted }: SaidEntry, names: ReadonlyMap<string, string>): AgentItem[] {
  if (redacted) return []
  if (body.kind === 'message') return fromParts(body.role, body.parts)
  if (body.kind !== 'result') return []
  return [resultItem(body.callId, names.get(body.callId) ?? 'unknown', body.state, body.output)]
}

/** Reasoning of another client's model is not this one's to replay. */
function fromParts(role: Role, parts: readonly Part[]): AgentItem[] {
  const said = parts.filter((part) => part.type === 'text' || part.type === 'file')
  const calls = parts.filter((part) => part.type === 'call')
  return [...(said.length > 0 ? [message(role, said)] : []), ...calls.map(callItem)]
}

function message(role: Role, parts: readonly OutputPart[]): AgentItem {
  if (role === 'system') return { type: 'message', role, content: parts.map(textOf).join('\n') }
  if (role === 'user') return { type: 'message', role, content: parts.map(inputPart) }
  const content = parts.map((part) => ({ type: 'output_text', text: textOf(part) }))
  return { type: 'message', role, status: 'completed', content }
}

const callItem = ({ id, name, input }: CallPart): AgentItem => ({
  type: 'function_call',
  callId: id,
  name,
  status: 'completed',
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
})

function resultItem(callId: string, name: string, state: 'ok' | 'error', output: readonly OutputPart[]): AgentItem {
  const [first, ...more] = output
  const isText = more.length === 0 && first?.type !== 'file'
  return {
    type: 'function_call_result',
    name,
    callId,
    status: state === 'ok' ? 'completed' : 'incomplete',
    output: isText ? { type: 'text', text: first?.text ?? '' } : output.map(inputPart),
  }
}

const inputPart = (part: OutputPart): object =>
  part.type === 'text' ? { type: 'input_text', text: part.text } : filePart(part)

function filePart(file: FilePart): object {
  const data = base64Of(file)
  const address = data === undefined ? urlOf(file) : `data:${mediaTypeOf(file)};base64,${data}`
  if (address === undefined) return { type: 'input_text', text: fileText(file) }
  if (isImage(file)) return { type: 'input_image', image: address }
  return {
    type: 'input_file',
    file: data === undefined ? { url: address } : address,
    filename: file.name ?? 'document',
  }
}

const urlOf = ({ source }: FilePart): string | undefined => (source.kind === 'url' ? source.url : undefined)

const textOf = (part: OutputPart): string => (part.type === 'text' ? part.text : fileText(part))
