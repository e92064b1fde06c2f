/** Counts a captured request of OpenAI's chat completions from its bytes, with nothing but the tokenizer and the frames. */
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

export function wireTokens(request: unknown, counter: Counter): number {
  const { messages, tools } = JSON.parse(JSON.stringify(request)) as {
    messages: readonly Said[]
    tools?: readonly unknown[]
  }
  const { base, perMessage, perCall, perResult } = messageOverhead('o200k')
  const count = (text: string): number => counter.count(text)
  let sum = base + (tools ? schemaTokens(tools, counter, 'o200k') : 0)
  for (const { role, content, tool_calls: calls = [] } of messages) {
    sum += role === 'tool' ? perResult : perMessage
    for (const text of textIn(content)) if (text !== '') sum += count(text)
    for (const { function: made } of calls) sum += perCall + count(made.name) + count(made.arguments)
  }
  return sum
}
