/** One branch as the messages that OpenAI or Anthropic take, as fine-tuning lines, or in ShareGPT's words. */
import type { Item } from '../../core/message/item.js'
import type { OpenaiChatMessage } from '../../core/render/openai-chat.js'
import { render } from '../../core/render/render.js'
import { type Exporting, itemsOf, pathIn } from './source.js'

const style = { think: 'drop', section: 'plain', escape: true } as const

const windowOf = (items: readonly Item[]) => ({ items, hasCurrent: false, whole: true, style })

const chatOf = async (source: Exporting): Promise<readonly OpenaiChatMessage[]> =>
  render(windowOf(itemsOf(await pathIn(source))), 'openai-chat').messages

export async function* inOpenai(source: Exporting): AsyncGenerator<string> {
  yield JSON.stringify({ messages: await chatOf(source) })
}

export async function* inAnthropic(source: Exporting): AsyncGenerator<string> {
  const { system, messages } = render(windowOf(itemsOf(await pathIn(source))), 'anthropic')
  yield JSON.stringify({ ...(system === undefined ? null : { system }), messages })
}

export async function* inSharegpt(source: Exporting): AsyncGenerator<string> {
  const turns = (await chatOf(source)).flatMap((message): object[] => {
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
