/** Anthropic Messages. */
import type { CallPart, FilePart, OutputPart, Part } from '../message/item.js'
import type { Window } from '../message/window.js'
import { isPicture } from '../window/mend/album.js'
import { base64Of, fileText, isImage, mediaTypeOf } from '../window/mend/file.js'
import type { Mended } from '../window/mend/mend.js'
import { stepsOf } from '../window/mend/steps.js'
import { isFilled } from '../window/mend/think.js'
import { systemOf, type Tools, toolsOf } from './request.js'
import { isError, outputOf } from './result.js'

type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

type AnthropicUrl = { readonly type: 'url'; readonly url: string }

export type AnthropicShown =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      readonly source:
        | AnthropicUrl
        | { readonly type: 'base64'; readonly media_type: AnthropicImageType; readonly data: string }
    }
  | {
      readonly type: 'document'
      readonly title?: string
      readonly source:
        | AnthropicUrl
        | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    }

export type AnthropicBlock =
  | AnthropicShown
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content: string | AnthropicShown[]
      readonly is_error?: boolean
    }

/** A message of Anthropic's Messages API. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: AnthropicBlock[]
}

/** Fits `anthropic.messages.create({ model, max_tokens, ...rendered })`. */
export interface AnthropicRequest<Tool = unknown> extends Tools<Tool> {
  readonly system?: string
  readonly messages: AnthropicMessage[]
}

export function writeAnthropic(mended: Mended, window: Window): AnthropicRequest {
  const messages: AnthropicMessage[] = []
  const say = (role: 'user' | 'assistant', blocks: readonly AnthropicBlock[]) => {
    const last = messages.at(-1)
    if (last?.role !== role) messages.push({ role, content: [...blocks] })
    else for (const block of blocks) last.content.push(block)
  }
  for (const item of mended.items) {
    if (item.role === 'user') say('user', item.parts.map(block))
    else
      for (const { said, calls } of stepsOf(item)) {
        say('assistant', [...said, ...calls].map(block))
        // a failed result holds text only, so its pictures come behind the results
        if (calls.length > 0) say('user', [...calls.map(result), ...calls.flatMap(failedPictures)])
      }
  }
  if (mended.traits.captions) messages.forEach(caption)
  const system = systemOf(mended)
  return { ...(system && { system }), messages, ...toolsOf(definedFor(messages, window, mended)) }
}

/** Some servers want a word beside a document. */
function caption({ content }: AnthropicMessage): void {
  const isBare = content.some(({ type }) => type === 'document') && !content.some(({ type }) => type === 'text')
  if (isBare) content.push({ type: 'text', text: '(see the document above)' })
}

function block(part: Part): AnthropicBlock {
  switch (part.type) {
    case 'text':
    case 'file':
      return shown(part)
    case 'think':
      if (isFilled(part.signature)) return { type: 'thinking', thinking: part.text, signature: part.signature }
      return { type: 'redacted_thinking', data: part.sealed ?? '' }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input }
  }
}

function result(call: CallPart): AnthropicBlock {
  const whole = outputOf(call)
  const output = isError(call) ? whole.filter((part) => !isPicture(part)) : whole
  const [only, more] = output
  if (!only) return { type: 'tool_result', tool_use_id: call.id, content: seeBelow, is_error: true }
  const content = only.type === 'text' && !more ? only.text : output.map(shown)
  return { type: 'tool_result', tool_use_id: call.id, content, ...(isError(call) && { is_error: true }) }
}

const seeBelow = '(see the image below)'

const failedPictures = (call: CallPart): readonly AnthropicShown[] =>
  isError(call) ? outputOf(call).filter(isPicture).map(shown) : []

/** A server that wants to know the tools of earlier calls gets their names, when there are no others. */
function definedFor(messages: readonly AnthropicMessage[], window: Window, { traits }: Mended): Window {
  if ((window.tools?.length ?? 0) > 0 || !traits.definitions) return window
  const used = messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'tool_use' ? [one.name] : [])))
  const tools = [...new Set(used)].map((name) => ({ name, input_schema: { type: 'object', properties: {} } }))
  return { ...window, tools }
}

const shown = (part: OutputPart): AnthropicShown =>
  part.type === 'text' ? { type: 'text', text: part.text } : (file(part) ?? { type: 'text', text: fileText(part) })

/** Images and PDFs; whatever else there is was put into words before. */
function file(part: FilePart): AnthropicShown | undefined {
  const data = base64Of(part)
  const media_type = mediaTypeOf(part)
  const url: AnthropicUrl | undefined = part.source.kind === 'url' ? { type: 'url', url: part.source.url } : undefined
  if (isImage(part)) {
    if (data !== undefined && isImageType(media_type))
      return { type: 'image', source: { type: 'base64', media_type, data } }
    return url && { type: 'image', source: url }
  }
  const title = part.name ? { title: part.name } : {}
  if (data !== undefined && media_type === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type, data }, ...title }
  return url && { type: 'document', source: url, ...title }
}

const isImageType = (type: string): type is AnthropicImageType => /^image\/(jpeg|png|gif|webp)$/.test(type)
