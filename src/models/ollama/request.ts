/** A window as the body of Ollama's own `/api/chat`. */
import { defined } from '../../core/message/defined.js'
import type { CallPart, FilePart, Item, Part } from '../../core/message/item.js'
import { prepare } from '../../core/render/render.js'
import { resultText } from '../../core/render/result.js'
import { base64Of, fileText, isImage } from '../../core/window/mend/file.js'
import { stepsOf } from '../../core/window/mend/steps.js'
import type { ModelRequest } from '../wire/contract.js'

interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly images?: readonly string[]
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: unknown }
  }[]
  readonly tool_name?: string
}

export interface OllamaRequest {
  readonly model: string
  readonly messages: readonly OllamaMessage[]
  readonly stream: true
  readonly tools?: readonly unknown[]
  readonly format?: unknown
  readonly options: { readonly num_ctx: number } & Readonly<Record<string, number | readonly string[]>>
}

export function ollamaRequest(name: string, request: ModelRequest, context: number): OllamaRequest {
  const { window, system, tools, output, temperature, settings = {} } = request
  const { topP, seed, stop, json } = settings
  const whole = system === undefined || window.system !== undefined ? window : { ...window, system }
  const mended = prepare({ ...whole, profile: 'ollama' }, 'openai-chat')
  const messages: OllamaMessage[] = mended.system.map((content) => ({ role: 'system', content }))
  for (const item of mended.items) write(item, messages)
  return {
    model: name,
    messages,
    stream: true,
    ...(tools && tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(json && { format: json.schema ?? 'json' }),
    options: {
      num_ctx: context,
      ...defined({ num_predict: output, temperature, top_p: topP, seed, stop }),
    },
  }
}

function write(item: Item, messages: OllamaMessage[]): void {
  if (item.role !== 'assistant') {
    messages.push({ role: item.role, content: textOf(item.parts), ...imagesOf(item.parts) })
    return
  }
  for (const { said, calls } of stepsOf(item)) {
    const content = textOf(said)
    if (content !== '' || calls.length > 0) messages.push({ role: 'assistant', content, ...callsOf(calls) })
    for (const call of calls) messages.push({ role: 'tool', content: resultText(call), tool_name: call.name })
  }
}

const isSent = (part: Part): part is FilePart => part.type === 'file' && isImage(part) && base64Of(part) !== undefined

function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'file' && !isSent(part) ? fileText(part) : []
    })
    .join('\n')
}

function imagesOf(parts: readonly Part[]): { readonly images?: readonly string[] } {
  const images = parts.filter(isSent).map((part) => base64Of(part) as string)
  return images.length > 0 ? { images } : {}
}

const callsOf = (calls: readonly CallPart[]): Pick<OllamaMessage, 'tool_calls'> =>
  calls.length > 0 ? { tool_calls: calls.map(({ name, input }) => ({ function: { name, arguments: input } })) } : {}
