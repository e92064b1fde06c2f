/** OpenAI Responses. */
import type { CallPart, FilePart, Part, ThinkPart } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { type SpokenStep, stepsOf } from '../window/mend/steps.js'
import { isFilled } from '../window/mend/think.js'
import { systemOf, type Tools, toolsOf } from './request.js'
import { resultText } from './result.js'

export type OpenaiResponsesPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly detail: 'auto'; readonly image_url: string }
  | { readonly type: 'input_file'; readonly filename?: string; readonly file_data?: string; readonly file_url?: string }

/** An input item of OpenAI's Responses API. */
export type OpenaiResponsesItem =
  | { readonly type: 'message'; readonly role: 'user' | 'system'; readonly content: OpenaiResponsesPart[] }
  | { readonly type: 'message'; readonly role: 'assistant'; readonly content: string }
  | {
      readonly type: 'reasoning'
      readonly id: string
      readonly summary: { readonly type: 'summary_text'; readonly text: string }[]
      readonly encrypted_content?: string
    }
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string }

/** Fits `openai.responses.create({ model, ...rendered })`. */
export interface OpenaiResponsesRequest<Tool = unknown> extends Tools<Tool> {
  readonly instructions?: string
  readonly input: OpenaiResponsesItem[]
}

export function writeOpenaiResponses(mended: Mended, window: Window): OpenaiResponsesRequest {
  const instructions = systemOf(mended)
  const input: OpenaiResponsesItem[] = []
  const { adjacent } = mended.traits
  for (const item of mended.items) {
    if (item.role !== 'assistant') input.push({ type: 'message', role: item.role, content: item.parts.map(inputPart) })
    else for (const step of stepsOf(item)) writeStep(step, input, adjacent)
  }
  return { ...(instructions && { instructions }), input, ...toolsOf(window) }
}

function writeStep({ said, calls }: SpokenStep, input: OpenaiResponsesItem[], adjacent: boolean): void {
  for (const part of said) {
    if (part.type === 'think') input.push(reasoning(part))
    // a list of parts would need the id that the provider once gave the message
    else input.push({ type: 'message', role: 'assistant', content: part.type === 'text' ? part.text : fileText(part) })
  }
  if (adjacent) {
    for (const call of calls) input.push(functionCall(call), functionOutput(call))
    return
  }
  for (const call of calls) input.push(functionCall(call))
  for (const call of calls) input.push(functionOutput(call))
}

/** Reasoning without an id is never sent. */
function reasoning({ id = '', text, sealed }: ThinkPart): OpenaiResponsesItem {
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }]
  return { type: 'reasoning', id, summary, ...(isFilled(sealed) && { encrypted_content: sealed }) }
}

const functionCall = ({ id, name, input }: CallPart): OpenaiResponsesItem => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: JSON.stringify(input),
})

const functionOutput = (call: CallPart): OpenaiResponsesItem => ({
  type: 'function_call_output',
  call_id: call.id,
  output: resultText(call),
})

function inputPart(part: Part): OpenaiResponsesPart {
  return part.type === 'file' ? file(part) : { type: 'input_text', text: part.type === 'text' ? part.text : '' }
}

function file(part: FilePart): OpenaiResponsesPart {
  const data = base64Of(part)
  const url = data === undefined ? undefined : `data:${mediaTypeOf(part)};base64,${data}`
  const address = part.source.kind === 'url' ? part.source.url : undefined
  const image = url ?? address
  if (isImage(part) && image) return { type: 'input_image', detail: 'auto', image_url: image }
  if (url) return { type: 'input_file', filename: part.name ?? 'document.pdf', file_data: url }
  return address ? { type: 'input_file', file_url: address } : { type: 'input_text', text: fileText(part) }
}
