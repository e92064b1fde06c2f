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

/** A request of OpenAI's chat completions or of its Responses API. */
interface Body {
  readonly messages?: readonly Said[]
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

export function wireTokens(request: unknown, counter: Counter, family: Family = 'o200k'): number {
  const { messages = [], input = [], instructions, tools } = JSON.parse(JSON.stringify(request)) as Body
  const { base, perMessage, perCall, perResult } = messageOverhead(family)
  const frames = { message: perMessage, call: perCall, result: perResult }
  const system: Piece[] = instructions ? [{ is: 'message', texts: [instructions] }] : []
  let sum = base + (tools ? schemaTokens(tools, counter, family) : 0)
  for (const { is, texts } of [...system, ...chatPieces(messages), ...rowPieces(input)]) {
    sum += frames[is]
    for (const text of texts) if (text !== '') sum += counter.count(text)
  }
  return sum
}
