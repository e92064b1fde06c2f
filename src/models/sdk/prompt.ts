/** A window, mended for its target, as the prompt of an AI SDK provider. */
import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { CallPart, FilePart, Item, OutputPart, Part, ThinkPart } from '../../core/message/item.js'
import type { Target } from '../../core/message/target.js'
import { isBlank } from '../../core/message/text.js'
import type { Window } from '../../core/message/window.js'
import { prepare } from '../../core/render/render.js'
import { isError, outputOf, resultText } from '../../core/render/result.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../../core/window/mend/file.js'
import { stepsOf } from '../../core/window/mend/steps.js'
import { isFilled } from '../../core/window/mend/think.js'

export function sdkPrompt(window: Window, target: Target): LanguageModelV3Prompt {
  const { items, system, traits } = prepare(window, target)
  const messages: LanguageModelV3Message[] = []
  if (system.length > 0) messages.push({ role: 'system', content: system.join('\n\n') })
  for (const item of items) write(item, target, traits.callsAtOnce, messages)
  return messages
}

function write(item: Item, target: Target, atOnce: number, messages: LanguageModelV3Message[]): void {
  if (item.role === 'system') messages.push({ role: 'system', content: item.parts.map(plain).join('\n') })
  else if (item.role === 'user') messages.push({ role: 'user', content: item.parts.map(inputPart) })
  else
    for (const { said, calls } of stepsOf(item, atOnce)) {
      const content = outputParts([...said, ...calls], target)
      if (content.length > 0) messages.push({ role: 'assistant', content })
      if (calls.length > 0) messages.push({ role: 'tool', content: calls.map(resultPart) })
    }
}

function plain(part: Part): string {
  if (part.type === 'text') return part.text
  return part.type === 'file' ? fileText(part) : ''
}

const inputPart = (part: Part): LanguageModelV3TextPart | LanguageModelV3FilePart =>
  part.type === 'file' ? filePart(part) : { type: 'text', text: plain(part) }

function filePart(part: FilePart): LanguageModelV3TextPart | LanguageModelV3FilePart {
  const address = part.source.kind === 'url' ? new URL(part.source.url) : undefined
  const data = base64Of(part) ?? address
  if (data === undefined) return { type: 'text', text: fileText(part) }
  return { type: 'file', data, mediaType: mediaTypeOf(part), ...(part.name && { filename: part.name }) }
}

type OutputOf =
  | LanguageModelV3TextPart
  | LanguageModelV3FilePart
  | LanguageModelV3ReasoningPart
  | LanguageModelV3ToolCallPart

function outputParts(parts: readonly Part[], target: Target): OutputOf[] {
  const out: OutputOf[] = []
  let signature: string | undefined
  for (const part of parts) {
    // a signature without a thought of its own stands on the part that the thought led to
    if (target === 'google' && part.type === 'think' && isBlank(part.text)) {
      signature = part.signature
      continue
    }
    const written = outputPart(part, target)
    if (!signature || part.type === 'think') out.push(written)
    else {
      out.push({ ...written, providerOptions: { google: { thoughtSignature: signature } } })
      signature = undefined
    }
  }
  return out
}

function outputPart(part: Part, target: Target): OutputOf {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'think':
      return { type: 'reasoning', text: part.text, ...proofOf(part, target) }
    case 'file':
      return { type: 'text', text: fileText(part) }
    case 'call':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }
  }
}

/** Each provider keeps its proof under its own name. */
function proofOf(part: ThinkPart, target: Target): { readonly providerOptions?: SharedV3ProviderOptions } {
  const { id, sealed, signature } = part
  if (target === 'openai-responses' && isFilled(id))
    return { providerOptions: { openai: { itemId: id, reasoningEncryptedContent: sealed ?? null } } }
  if (target === 'google' && isFilled(signature))
    return { providerOptions: { google: { thoughtSignature: signature } } }
  if (target !== 'anthropic') return {}
  if (isFilled(signature)) return { providerOptions: { anthropic: { signature } } }
  return isFilled(sealed) ? { providerOptions: { anthropic: { redactedData: sealed } } } : {}
}

const resultPart = (call: CallPart): LanguageModelV3ToolResultPart => ({
  type: 'tool-result',
  toolCallId: call.id,
  toolName: call.name,
  output: resultOf(call),
})

function resultOf(call: CallPart): LanguageModelV3ToolResultOutput {
  if (isError(call)) return { type: 'error-text', value: resultText(call) }
  const output = outputOf(call)
  // mend leaves a file in a result only where the target takes one
  if (!output.some((part) => part.type === 'file' && isImage(part))) return { type: 'text', value: resultText(call) }
  return { type: 'content', value: output.map(resultContent) }
}

type ResultContent = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

function resultContent(part: OutputPart): ResultContent {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const data = base64Of(part)
  if (data !== undefined) return { type: 'image-data', data, mediaType: mediaTypeOf(part) }
  return part.source.kind === 'url'
    ? { type: 'image-url', url: part.source.url }
    : { type: 'text', text: fileText(part) }
}
