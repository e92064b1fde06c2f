/** One branch as the messages that OpenAI or Anthropic take, or in ShareGPT's words. */
import { prepare, type Rendered, renderMended } from '../../core/render/render.js'
import { type Exporting, pathIn, pathItems } from './source.js'

const style = { think: 'drop', section: 'plain', escape: true } as const

/** Legal for its provider; but nobody waits for an answer here, so that no one is made to ask for it. */
async function rendered<T extends 'openai-chat' | 'anthropic'>(source: Exporting, target: T): Promise<Rendered<T>> {
  const window = { items: pathItems(await pathIn(source)), hasCurrent: false, whole: true, style }
  const mended = prepare(window, target)
  const items = mended.items.at(-1)?.mark === 'cue' ? mended.items.slice(0, -1) : mended.items
  return renderMended({ ...mended, items }, window, target)
}

export async function* inOpenai(source: Exporting): AsyncGenerator<string> {
  yield JSON.stringify({ messages: (await rendered(source, 'openai-chat')).messages })
}

export async function* inAnthropic(source: Exporting): AsyncGenerator<string> {
  const { system, messages } = await rendered(source, 'anthropic')
  yield JSON.stringify({ ...(system === undefined ? null : { system }), messages })
}

export async function* inSharegpt(source: Exporting): AsyncGenerator<string> {
  const { messages } = await rendered(source, 'openai-chat')
  const turns = messages.flatMap((message): object[] => {
    if (message.role === 'tool') return [{ from: 'observation', value: message.content }]
    const text = textOf(message.content)
    if (message.role !== 'assistant') return [{ from: message.role === 'user' ? 'human' : 'system', value: text }]
    const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: given } }) => ({
      from: 'function_call',
      value: JSON.stringify({ name, arguments: JSON.parse(given) as unknown }),
    }))
    return [...(text === '' ? [] : [{ from: 'gpt', value: text }]), ...calls]
  })
  yield JSON.stringify([{ id: source.conversation.id, conversations: turns }])
}

const textOf = (content: string | readonly object[] | null): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '[file]')).join('\n')
