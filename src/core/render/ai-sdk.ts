/** Model messages of the AI SDK. */
import type { CallPart, FilePart, Item, Part, ThinkPart } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { stepsOf } from '../window/mend/steps.js'
import { isFilled } from '../window/mend/think.js'
import { systemOf } from './request.js'
import { isError, resultText } from './result.js'

type AiSdkProof = { [provider: string]: { [field: string]: string } }

export interface AiSdkText {
  readonly type: 'text'
  readonly text: string
}

export type AiSdkShown =
  | AiSdkText
  | { readonly type: 'image'; readonly image: string; readonly mediaType: string }
  | { readonly type: 'file'; readonly data: string; readonly mediaType: string; readonly filename?: string }

export type AiSdkSaid =
  | AiSdkText
  | { readonly type: 'reasoning'; readonly text: string; readonly providerOptions?: AiSdkProof }
  | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }

export interface AiSdkResult {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: { readonly type: 'text' | 'error-text'; readonly value: string }
}

/** A model message of the AI SDK. */
export type AiSdkMessage =
  | { readonly role: 'user'; readonly content: AiSdkShown[] }
  | { readonly role: 'assistant'; readonly content: AiSdkSaid[] }
  | { readonly role: 'tool'; readonly content: AiSdkResult[] }

/** Fits `generateText({ model, tools, ...rendered })`. The SDK holds tools in a form of its own, so none are here. */
export interface AiSdkRequest {
  readonly system?: string
  readonly messages: AiSdkMessage[]
}

export function writeAiSdk(mended: Mended, window: Window): AiSdkRequest {
  const system = systemOf(mended)
  const messages: AiSdkMessage[] = []
  for (const item of mended.items) write(item, window.model ?? '', messages)
  return { ...(system && { system }), messages }
}

function write(item: Item, model: string, messages: AiSdkMessage[]): void {
  if (item.role !== 'assistant') messages.push({ role: 'user', content: item.parts.map(shown) })
  else
    for (const { said, calls } of stepsOf(item)) {
      messages.push({ role: 'assistant', content: [...said, ...calls].map((part) => saidPart(part, model)) })
      if (calls.length > 0) messages.push({ role: 'tool', content: calls.map(result) })
    }
}

const shown = (part: Part): AiSdkShown =>
  part.type === 'file' ? file(part) : { type: 'text', text: part.type === 'text' ? part.text : '' }

function saidPart(part: Part, model: string): AiSdkSaid {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'think':
      return { type: 'reasoning', text: part.text, ...proof(part, model) }
    case 'file':
      return { type: 'text', text: fileText(part) }
    case 'call':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }
  }
}

/** Each provider of the SDK keeps its proof under its own name. */
function proof({ id, sealed, signature }: ThinkPart, model: string): { readonly providerOptions?: AiSdkProof } {
  if (isFilled(id))
    return {
      providerOptions: { openai: { itemId: id, ...(isFilled(sealed) && { reasoningEncryptedContent: sealed }) } },
    }
  if (isFilled(signature) && /gemini/i.test(model))
    return { providerOptions: { google: { thoughtSignature: signature } } }
  if (isFilled(signature)) return { providerOptions: { anthropic: { signature } } }
  return isFilled(sealed) ? { providerOptions: { anthropic: { redactedData: sealed } } } : {}
}

const result = (call: CallPart): AiSdkResult => ({
  type: 'tool-result',
  toolCallId: call.id,
  toolName: call.name,
  output: { type: isError(call) ? 'error-text' : 'text', value: resultText(call) },
})

function file(part: FilePart): AiSdkShown {
  const mediaType = mediaTypeOf(part)
  const data = base64Of(part) ?? (part.source.kind === 'url' ? part.source.url : undefined)
  if (data === undefined) return { type: 'text', text: fileText(part) }
  if (isImage(part)) return { type: 'image', image: data, mediaType }
  return { type: 'file', data, mediaType, ...(part.name && { filename: part.name }) }
}
