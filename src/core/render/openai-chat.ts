/** OpenAI Chat Completions. */
import type { FilePart, Part } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { type Json, type Tools, toolsOf } from './request.js'
import { resultText } from './result.js'
import { type Step, stepsOf } from './steps.js'

export interface OpenaiChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly Json[] | null
  readonly tool_calls?: readonly Json[]
  readonly tool_call_id?: string
}

export interface OpenaiChatRequest extends Tools {
  readonly messages: readonly OpenaiChatMessage[]
}

export function writeOpenaiChat(mended: Mended, window: Window): OpenaiChatRequest {
  const messages = mended.system.map((content): OpenaiChatMessage => ({ role: 'system', content }))
  for (const item of mended.items) {
    if (item.role !== 'assistant') messages.push({ role: item.role, content: contentOf(item.parts) })
    else for (const step of stepsOf(item)) writeStep(step, messages)
  }
  return { messages, ...toolsOf(window) }
}

function writeStep({ said, calls }: Step, messages: OpenaiChatMessage[]): void {
  const content = said.length > 0 ? contentOf(said) : null
  if (calls.length === 0) {
    messages.push({ role: 'assistant', content })
    return
  }
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  messages.push({ role: 'assistant', content, tool_calls })
  for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.id, content: resultText(call) })
}

function contentOf(parts: readonly Part[]): string | readonly Json[] {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : parts.map(writePart)
}

function writePart(part: Part): Json {
  return part.type === 'file' ? file(part) : { type: 'text', text: part.type === 'text' ? part.text : '' }
}

function file(part: FilePart): Json {
  const data = base64Of(part)
  const url = data === undefined ? undefined : `data:${mediaTypeOf(part)};base64,${data}`
  if (isImage(part) && url) return { type: 'image_url', image_url: { url } }
  if (isImage(part) && part.source.kind === 'url') return { type: 'image_url', image_url: { url: part.source.url } }
  if (url) return { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: url } }
  return { type: 'text', text: fileText(part) }
}
