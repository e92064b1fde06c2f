/** Counts a captured request from its bytes, with nothing but the tokenizer and the frames. */

import type { Family } from '../../src/core/tokens/family.js'
import { messageOverhead, schemaTokens } from '../../src/core/tokens/size.js'
import type { Counter } from '../../src/index.js'

interface Call {
  readonly function: { readonly name: string; readonly arguments: string }
}

interface Said {
  readonly role: string
  readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[]
  readonly tool_calls?: readonly Call[]
}

const textIn = (content: Said['content']): readonly string[] =>
  typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => text ?? [])

/** What a wire says, one after the other: the texts of a message, a call, or the result of one. */
type Piece =
  | { readonly is: 'message' | 'result'; readonly texts: readonly string[] }
  | { readonly is: 'call'; readonly texts: readonly [name: string, input: string] }

interface Row {
  readonly type?: string
  readonly role?: string
  readonly content?: Said['content']
  readonly name?: string
  readonly arguments?: string
  readonly output?: Said['content']
}

interface Block {
  readonly type?: string
  readonly text?: string
  readonly name?: string
  readonly input?: unknown
  readonly content?: Said['content']
  readonly functionCall?: { readonly name: string; readonly args: unknown }
  readonly functionResponse?: { readonly response: Readonly<Record<string, string>> }
}

/** A request of OpenAI's chat completions, of its Responses API, of Anthropic or of Google. */
interface Body {
  readonly messages?: readonly Said[]
  readonly system?: Said['content']
  readonly contents?: readonly { readonly role: string; readonly parts: readonly Block[] }[]
  readonly systemInstruction?: { readonly parts: readonly Block[] }
  readonly input?: readonly Row[]
  readonly instructions?: string | null
  readonly tools?: readonly unknown[]
}

const chatPieces = (messages: readonly Said[]): Piece[] =>
  messages.flatMap(({ role, content, tool_calls: calls = [] }): Piece[] => [
    { is: role === 'tool' ? 'result' : 'message', texts: textIn(content) },
    ...calls.map(({ function: made }): Piece => ({ is: 'call', texts: [made.name, made.arguments] })),
  ])

/** The calls of a message have rows of their own beside it, and one that only calls has no other row. */
const rowPieces = (input: readonly Row[]): Piece[] =>
  input.flatMap(({ type, content, name = '', arguments: given = '', output }, at): Piece[] => {
    if (type === 'function_call_output') return [{ is: 'result', texts: textIn(output) }]
    if (type !== 'function_call') return [{ is: 'message', texts: textIn(content) }]
    const before = input[at - 1]
    const isAlone = before?.type !== 'function_call' && before?.role !== 'assistant'
    return [...(isAlone ? [{ is: 'message', texts: [] } as const] : []), { is: 'call', texts: [name, given] }]
  })

/** Words, calls and results of one message; one of nothing but results is no message of its own. */
const blockPieces = (role: string, blocks: readonly Block[]): Piece[] => {
  const others = blocks.flatMap(({ type, name = '', input, content, functionCall, functionResponse }): Piece[] => {
    if (type === 'tool_use') return [{ is: 'call', texts: [name, JSON.stringify(input)] }]
    if (type === 'tool_result') return [{ is: 'result', texts: textIn(content) }]
    if (functionCall) return [{ is: 'call', texts: [functionCall.name, JSON.stringify(functionCall.args)] }]
    if (!functionResponse) return []
    const { output, error, content: told } = functionResponse.response
    return [{ is: 'result', texts: [output ?? error ?? told ?? ''] }]
  })
  const texts = blocks.flatMap(({ type = 'text', text }) => (type === 'text' ? (text ?? []) : []))
  return role !== 'user' || texts.length > 0 ? [{ is: 'message', texts }, ...others] : others
}

const isBlocks = (content: unknown): content is readonly Block[] =>
  Array.isArray(content) && content.some(({ type }) => type !== 'text')

export function wireTokens(request: unknown, counter: Counter, family: Family = 'o200k'): number {
  const { messages = [], input = [], contents = [], ...rest } = JSON.parse(JSON.stringify(request)) as Body
  const { instructions, system: prompt, systemInstruction, tools } = rest
  const { base, perMessage, perCall, perResult } = messageOverhead(family)
  const frames = { message: perMessage, call: perCall, result: perResult }
  const told = instructions ?? prompt ?? systemInstruction?.parts.map(({ text = '' }) => ({ type: 'text', text }))
  const system: Piece[] = told ? [{ is: 'message', texts: textIn(told) }] : []
  const said = messages.flatMap((message) =>
    isBlocks(message.content) ? blockPieces(message.role, message.content) : chatPieces([message]),
  )
  const turns = contents.flatMap(({ role, parts }) => blockPieces(role, parts))
  let sum = base + (tools ? schemaTokens(tools, counter, family) : 0)
  for (const { is, texts } of [...system, ...said, ...turns, ...rowPieces(input)]) {
    sum += frames[is]
    for (const text of texts) if (text !== '') sum += counter.count(text)
  }
  return sum
}
