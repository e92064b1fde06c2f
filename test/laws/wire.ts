/** Any rendered request, taken apart into what each voice says. Reads the wire alone, never the window. */

import type { Family } from '../../src/core/tokens/family.js'
import { imageTokens, messageOverhead } from '../../src/core/tokens/size.js'
import type { Counter, Target } from '../../src/index.js'
import { decode } from './decode.js'

export interface Piece {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly kind: 'text' | 'think' | 'call' | 'result' | 'file'
  readonly text: string
  /** The position of its message on the wire; -1 in the system channel. */
  readonly at: number
  readonly id?: string
  readonly name?: string
  readonly mark?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: requests are read as any client would read them
type Any = any

const textOf = (content: Any): string => (typeof content === 'string' ? content : JSON.stringify(content))

export function read(target: Target, rendered: unknown): readonly Piece[] {
  const body = rendered as Any
  switch (target) {
    case 'openai-chat':
      return body.messages.flatMap((message: Any, at: number) => chat(message, at))
    case 'messages':
      return [
        ...channel(body.system),
        ...body.messages.map((message: Any, at: number) => ({
          role: message.role,
          kind: 'text',
          text: message.content,
          at,
        })),
      ]
    case 'openai-responses':
      return [...channel(body.instructions), ...body.input.flatMap((item: Any, at: number) => responses(item, at))]
    case 'anthropic':
      return [
        ...channel(body.system),
        ...body.messages.flatMap((message: Any, at: number) =>
          message.content.map((block: Any) => anthropic(message.role, block, at)),
        ),
      ]
    case 'google':
      return [
        ...(body.systemInstruction?.parts ?? []).flatMap((part: Any) => channel(part.text)),
        ...body.contents.flatMap((content: Any, at: number) =>
          content.parts.map((part: Any) => google(content.role === 'model' ? 'assistant' : 'user', part, at)),
        ),
      ]
    case 'ai-sdk':
      return [
        ...channel(body.system),
        ...body.messages.flatMap((message: Any, at: number) =>
          message.content.map((part: Any) => aiSdk(message.role, part, at)),
        ),
      ]
    default:
      return told(target, body)
  }
}

const channel = (text: string | undefined): Piece[] =>
  text === undefined ? [] : [{ role: 'system', kind: 'text', text, at: -1 }]

function chat(message: Any, at: number): Piece[] {
  if (message.role === 'tool')
    return [{ role: 'tool', kind: 'result', text: textOf(message.content), id: message.tool_call_id, at }]
  const blocks =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : (message.content ?? [])
  return [
    ...blocks.map((block: Any) => ({
      role: message.role,
      kind: block.type === 'text' ? 'text' : 'file',
      text: block.type === 'text' ? block.text : '',
      at,
    })),
    ...(message.tool_calls ?? []).map((call: Any) => ({
      role: 'assistant',
      kind: 'call',
      text: call.function.arguments,
      id: call.id,
      name: call.function.name,
      at,
    })),
  ]
}

function responses(item: Any, at: number): Piece[] {
  if (item.type === 'function_call')
    return [{ role: 'assistant', kind: 'call', text: item.arguments, id: item.call_id, name: item.name, at }]
  if (item.type === 'function_call_output')
    return [{ role: 'tool', kind: 'result', text: textOf(item.output), id: item.call_id, at }]
  if (item.type === 'reasoning')
    return [
      {
        role: 'assistant',
        kind: 'think',
        text: item.summary.map((part: Any) => part.text).join('') + (item.encrypted_content ?? ''),
        at,
      },
    ]
  const blocks = typeof item.content === 'string' ? [{ text: item.content }] : item.content
  return blocks.map((block: Any) => ({
    role: item.role,
    kind: typeof block.text === 'string' ? 'text' : 'file',
    text: block.text ?? '',
    at,
  }))
}

function anthropic(role: Piece['role'], block: Any, at: number): Piece {
  switch (block.type) {
    case 'text':
      return { role, kind: 'text', text: block.text, at }
    case 'thinking':
      return { role, kind: 'think', text: block.thinking + block.signature, at }
    case 'redacted_thinking':
      return { role, kind: 'think', text: block.data, at }
    case 'tool_use':
      return { role, kind: 'call', text: JSON.stringify(block.input), id: block.id, name: block.name, at }
    case 'tool_result':
      return { role: 'tool', kind: 'result', text: textOf(block.content), id: block.tool_use_id, at }
    default:
      return { role, kind: 'file', text: '', at }
  }
}

function google(role: Piece['role'], part: Any, at: number): Piece {
  const proof: string = part.thoughtSignature ?? ''
  if (part.functionCall)
    return {
      role,
      kind: 'call',
      text: JSON.stringify(part.functionCall.args) + proof,
      name: part.functionCall.name,
      at,
    }
  if (part.functionResponse)
    return {
      role: 'tool',
      kind: 'result',
      text: Object.values(part.functionResponse.response).join(''),
      name: part.functionResponse.name,
      at,
    }
  if (typeof part.text === 'string')
    return part.thought
      ? { role, kind: 'think', text: part.text + proof, at }
      : { role, kind: 'text', text: part.text, at }
  return { role, kind: 'file', text: '', at }
}

function aiSdk(role: Piece['role'], part: Any, at: number): Piece {
  switch (part.type) {
    case 'text':
      return { role, kind: 'text', text: part.text, at }
    case 'reasoning':
      return { role, kind: 'think', text: part.text, at }
    case 'tool-call':
      return { role, kind: 'call', text: JSON.stringify(part.input), id: part.toolCallId, name: part.toolName, at }
    case 'tool-result':
      return {
        role: 'tool',
        kind: 'result',
        text: textOf(part.output.value),
        id: part.toolCallId,
        name: part.toolName,
        at,
      }
    default:
      return { role, kind: 'file', text: '', at }
  }
}

/** The text renderings say themselves who speaks. */
function told(target: 'text-tagged' | 'text-numbered', text: string): readonly Piece[] {
  const decoded = decode(target, text)
  if (!decoded) return [{ role: 'system', kind: 'text', text: `unreadable: ${text}`, at: 0 }]
  const pieces = decoded.messages.map(
    (message, at): Piece => ({
      role:
        message.speaker === 'gap' || message.speaker === 'system'
          ? 'system'
          : message.speaker === 'user'
            ? 'user'
            : 'assistant',
      kind: 'text',
      text: message.text,
      mark: message.speaker === 'gap',
      at,
    }),
  )
  return decoded.current === undefined
    ? pieces
    : [...pieces, { role: 'user', kind: 'text', text: decoded.current, at: pieces.length }]
}

/** What a provider would bill for it, by the same counter, counted from the wire. */
export function recount(target: Target, rendered: unknown, counter: Counter, family: Family): number {
  if (typeof rendered === 'string') return counter.count(rendered)
  const none = { base: 0, perMessage: 0, perCall: 0, perResult: 0 }
  const overhead = counter.name === 'chars/4' ? none : messageOverhead(family)
  // a request without a word is not sent
  if (read(target, rendered).every((piece) => piece.at < 0)) return 0
  let sum = overhead.base
  const messages = new Set<number>()
  for (const piece of read(target, rendered)) {
    sum += counter.count(piece.text)
    if (piece.kind === 'call') sum += overhead.perCall + counter.count(piece.name ?? '')
    if (piece.kind === 'result') sum += overhead.perResult
    if (piece.kind === 'file') sum += imageTokens(family)
    if (piece.kind === 'text' || piece.kind === 'file') messages.add(piece.at)
  }
  return sum + messages.size * overhead.perMessage
}
