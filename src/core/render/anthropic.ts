/** Anthropic Messages. */
import type { CallPart, FilePart, OutputPart, Part } from '../message/item.js'
import type { Window } from '../message/window.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { isFilled } from '../window/mend/think.js'
import { type Json, systemOf, type Tools, toolsOf } from './request.js'
import { isError, outputOf } from './result.js'
import { stepsOf } from './steps.js'

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Json[]
}

export interface AnthropicRequest extends Tools {
  readonly system?: string
  readonly messages: readonly AnthropicMessage[]
}

export function writeAnthropic(mended: Mended, window: Window): AnthropicRequest {
  const messages: { role: 'user' | 'assistant'; content: Json[] }[] = []
  const say = (role: 'user' | 'assistant', blocks: readonly Json[]) => {
    const last = messages.at(-1)
    if (last?.role !== role) messages.push({ role, content: [...blocks] })
    else for (const block of blocks) last.content.push(block)
  }
  for (const item of mended.items) {
    if (item.role === 'user') say('user', item.parts.map(block))
    else
      for (const { said, calls } of stepsOf(item)) {
        say('assistant', [...said, ...calls].map(block))
        if (calls.length > 0) say('user', calls.map(result))
      }
  }
  const system = systemOf(mended)
  return { ...(system && { system }), messages, ...toolsOf(window) }
}

function block(part: Part): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'think':
      if (isFilled(part.signature)) return { type: 'thinking', thinking: part.text, signature: part.signature }
      return { type: 'redacted_thinking', data: part.sealed }
    case 'file':
      return file(part)
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
  }
}

function result(call: CallPart): Json {
  const [only, more] = outputOf(call)
  const content = only?.type === 'text' && !more ? only.text : outputOf(call).map((part: OutputPart) => block(part))
  return { type: 'tool_result', tool_use_id: call.id, content, ...(isError(call) && { is_error: true }) }
}

function file(part: FilePart): Json {
  const type = isImage(part) ? 'image' : 'document'
  const title = type === 'document' && part.name ? { title: part.name } : {}
  const data = base64Of(part)
  if (data !== undefined) return { type, source: { type: 'base64', media_type: mediaTypeOf(part), data }, ...title }
  if (part.source.kind === 'url') return { type, source: { type: 'url', url: part.source.url }, ...title }
  return { type: 'text', text: fileText(part) }
}
