/** OpenAI Chat Completions. */
import type { FilePart, Part } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { type SpokenStep, stepsOf } from '../window/mend/steps.js'
import { type Tools, toolsOf } from './request.js'
import { resultText } from './result.js'

export interface OpenaiChatText {
  readonly type: 'text'
  readonly text: string
}

export type OpenaiChatPart =
  | OpenaiChatText
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } }

export interface OpenaiChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message of OpenAI's Chat Completions API. */
export type OpenaiChatMessage =
  | { readonly role: 'system'; readonly content: string | OpenaiChatText[] }
  | { readonly role: 'user'; readonly content: string | OpenaiChatPart[] }
  | {
      readonly role: 'assistant'
      readonly content: string | OpenaiChatText[] | null
      readonly tool_calls?: OpenaiChatCall[]
      /** For servers that want reasoning back. */
      readonly reasoning_content?: string
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

/** Fits `openai.chat.completions.create({ model, ...rendered })`. */
export interface OpenaiChatRequest<Tool = unknown> extends Tools<Tool> {
  readonly messages: OpenaiChatMessage[]
}

export function writeOpenaiChat(mended: Mended, window: Window): OpenaiChatRequest {
  const { callsAtOnce } = mended.traits
  const messages = mended.system.map((content): OpenaiChatMessage => ({ role: 'system', content }))
  for (const item of mended.items) {
    if (item.role === 'user') messages.push({ role: 'user', content: contentOf(item.parts, writePart) })
    else if (item.role === 'system') messages.push({ role: 'system', content: contentOf(item.parts, writeText) })
    // most are no more than words
    else if (item.parts.length === 1 && item.parts[0]?.type === 'text')
      messages.push({ role: 'assistant', content: item.parts[0].text })
    else for (const step of stepsOf(item, callsAtOnce)) writeStep(step, messages)
  }
  return { messages, ...toolsOf(window) }
}

function writeStep({ said, calls }: SpokenStep, messages: OpenaiChatMessage[]): void {
  const thought = said.flatMap((part) => (part.type === 'think' ? [part.text] : [])).join('\n\n')
  const spoken = thought === '' ? said : said.filter((part) => part.type !== 'think')
  const content = spoken.length > 0 ? contentOf(spoken, writeText) : null
  const reasoning = thought === '' ? null : { reasoning_content: thought }
  if (calls.length === 0) {
    messages.push({ role: 'assistant', content, ...reasoning })
    return
  }
  const tool_calls = calls.map(
    ({ id, name, input }): OpenaiChatCall => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }),
  )
  messages.push({ role: 'assistant', content, ...reasoning, tool_calls })
  for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.id, content: resultText(call) })
}

function contentOf<T>(parts: readonly Part[], write: (part: Part) => T): string | T[] {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : parts.map(write)
}

const writePart = (part: Part): OpenaiChatPart => (part.type === 'file' ? file(part) : writeText(part))

/** Only a user can show a file. */
const writeText = (part: Part): OpenaiChatText => ({
  type: 'text',
  text: part.type === 'text' ? part.text : part.type === 'file' ? fileText(part) : '',
})

function file(part: FilePart): OpenaiChatPart {
  const data = base64Of(part)
  const url = data === undefined ? undefined : `data:${mediaTypeOf(part)};base64,${data}`
  if (isImage(part) && url) return { type: 'image_url', image_url: { url } }
  if (isImage(part) && part.source.kind === 'url') return { type: 'image_url', image_url: { url: part.source.url } }
  if (url) return { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: url } }
  return { type: 'text', text: fileText(part) }
}
