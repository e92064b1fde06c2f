/** OpenAI Responses. */
import type { CallPart, FilePart, Part, ThinkPart } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { isFilled } from '../window/mend/think.js'
import { type Json, systemOf, type Tools, toolsOf } from './request.js'
import { resultText } from './result.js'
import { type Step, stepsOf } from './steps.js'

export interface OpenaiResponsesRequest extends Tools {
  readonly instructions?: string
  readonly input: readonly Json[]
}

export function writeOpenaiResponses(mended: Mended, window: Window): OpenaiResponsesRequest {
  const instructions = systemOf(mended)
  const input: Json[] = []
  for (const item of mended.items) {
    if (item.role !== 'assistant') input.push({ type: 'message', role: item.role, content: item.parts.map(inputPart) })
    else for (const step of stepsOf(item)) writeStep(step, input)
  }
  return { ...(instructions && { instructions }), input, ...toolsOf(window) }
}

function writeStep({ said, calls }: Step, input: Json[]): void {
  let content: Json[] | undefined
  for (const part of said) {
    if (part.type === 'think') {
      input.push(reasoning(part))
      content = undefined
      continue
    }
    if (!content) {
      content = []
      input.push({ type: 'message', role: 'assistant', content })
    }
    content.push({ type: 'output_text', text: part.type === 'text' ? part.text : fileText(part) })
  }
  for (const call of calls) input.push(functionCall(call))
  for (const call of calls) input.push(functionOutput(call))
}

function reasoning({ id, text, sealed }: ThinkPart): Json {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  return { type: 'reasoning', id, summary, ...(isFilled(sealed) && { encrypted_content: sealed }) }
}

const functionCall = ({ id, name, input }: CallPart): Json => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: JSON.stringify(input),
})

const functionOutput = (call: CallPart): Json => ({
  type: 'function_call_output',
  call_id: call.id,
  output: resultText(call),
})

function inputPart(part: Part): Json {
  return part.type === 'file' ? file(part) : { type: 'input_text', text: part.type === 'text' ? part.text : '' }
}

function file(part: FilePart): Json {
  const data = base64Of(part)
  const url = data === undefined ? undefined : `data:${mediaTypeOf(part)};base64,${data}`
  const address = part.source.kind === 'url' ? part.source.url : undefined
  if (isImage(part) && (url ?? address)) return { type: 'input_image', detail: 'auto', image_url: url ?? address }
  if (url) return { type: 'input_file', filename: part.name ?? 'document.pdf', file_data: url }
  return address ? { type: 'input_file', file_url: address } : { type: 'input_text', text: fileText(part) }
}
