/** Model messages of the AI SDK. */
import type { CallPart, FilePart, Item, Part, ThinkPart } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { isFilled } from '../window/mend/think.js'
import { type Json, systemOf, type Tools, toolsOf } from './request.js'
import { isError, resultText } from './result.js'
import { stepsOf } from './steps.js'

export interface AiSdkMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: readonly Json[]
}

export interface AiSdkRequest extends Tools {
  readonly system?: string
  readonly messages: readonly AiSdkMessage[]
}

export function writeAiSdk(mended: Mended, window: Window): AiSdkRequest {
  const system = systemOf(mended)
  const messages: AiSdkMessage[] = []
  for (const item of mended.items) write(item, window.model ?? '', messages)
  return { ...(system && { system }), messages, ...toolsOf(window) }
}

function write(item: Item, model: string, messages: AiSdkMessage[]): void {
  const contentOf = (parts: readonly Part[]) => parts.map((part) => writePart(part, model))
  if (item.role !== 'assistant') messages.push({ role: 'user', content: contentOf(item.parts) })
  else
    for (const { said, calls } of stepsOf(item)) {
      messages.push({ role: 'assistant', content: contentOf([...said, ...calls]) })
      if (calls.length > 0) messages.push({ role: 'tool', content: calls.map(result) })
    }
}

function writePart(part: Part, model: string): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'think':
      return { type: 'reasoning', text: part.text, ...proof(part, model) }
    case 'file':
      return file(part)
    case 'call':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }
  }
}

/** Each provider of the SDK keeps its proof under its own name. */
function proof({ id, sealed, signature }: ThinkPart, model: string): Json {
  if (isFilled(id))
    return {
      providerOptions: { openai: { itemId: id, ...(isFilled(sealed) && { reasoningEncryptedContent: sealed }) } },
    }
  if (isFilled(signature) && /gemini/i.test(model))
    return { providerOptions: { google: { thoughtSignature: signature } } }
  if (isFilled(signature)) return { providerOptions: { anthropic: { signature } } }
  return isFilled(sealed) ? { providerOptions: { anthropic: { redactedData: sealed } } } : {}
}

const result = (call: CallPart): Json => ({
  type: 'tool-result',
  toolCallId: call.id,
  toolName: call.name,
  output: { type: isError(call) ? 'error-text' : 'text', value: resultText(call) },
})

function file(part: FilePart): Json {
  const mediaType = mediaTypeOf(part)
  const data = base64Of(part) ?? (part.source.kind === 'url' ? part.source.url : undefined)
  if (data === undefined) return { type: 'text', text: fileText(part) }
  if (isImage(part)) return { type: 'image', image: data, mediaType }
  return { type: 'file', data, mediaType, ...(part.name && { filename: part.name }) }
}
