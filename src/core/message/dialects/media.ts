/** The blocks with which each dialect says "a file". Each reader gives undefined when the block holds none. */

import type { FilePart } from '../item.js'
import { factsOf, file, fileOf, ref } from './file.js'
import { firstOf, idOf, isRaw, own, type Raw, type Sink, str } from './read.js'

type Reader = (block: Raw, at: string, sink: Sink) => FilePart | undefined

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['image', (block, at, sink) => sourced(block, at, sink, 'image/*') ?? direct(block, at, sink, 'image/*')],
  ['document', (block, at, sink) => sourced(block, at, sink, 'application/pdf')],
  ['file', (block, at, sink) => owned(block, at, sink) ?? nested(block, at, sink) ?? direct(block, at, sink)],
  ['image_url', image],
  ['input_image', image],
  ['computer_screenshot', image],
  ['input_file', uploaded],
  ['container_upload', uploaded],
  ['input_audio', audio],
  ['audio', (block, at, sink) => direct(block, at, sink, 'audio/*')],
  ['media', direct],
  ['reasoning-file', direct],
  ['file-data', direct],
  ['file-url', direct],
  ['file-id', identified],
  ['image-data', (block, at, sink) => direct(block, at, sink, 'image/*')],
  ['image-url', (block, at, sink) => direct(block, at, sink, 'image/*')],
  ['image-file-id', (block, at, sink) => identified(block, at, sink, 'image/*')],
  ['resource', resource],
])

export const isMedia = (type: string): boolean => readers.has(type)

export function media(type: string, block: Raw, at: string, sink: Sink): FilePart | undefined {
  return readers.get(type)?.(block, at, sink)
}

/** `data`, `url` or `image` in the block itself: AI SDK, MCP, LangChain. */
function direct(block: Raw, at: string, sink: Sink, otherwise?: string): FilePart | undefined {
  return fileOf(firstOf(block, 'data', 'url', 'image', 'base64'), at, sink, factsOf(block, at, sink), otherwise)
}

/** Our own `source`, with a kind. */
function owned(block: Raw, at: string, sink: Sink): FilePart | undefined {
  const source = own(block, 'source')
  if (!isRaw(source)) return undefined
  const { mediaType = 'application/octet-stream', ...facts } = factsOf(block, at, sink)
  const read = (key: string): string | undefined => str(source, `${at}.source`, sink, key)
  switch (own(source, 'kind')) {
    case 'text': {
      const text = read('text')
      return text === undefined ? undefined : file({ kind: 'text', text }, mediaType, facts)
    }
    case 'data': {
      const base64 = read('base64')
      return base64 === undefined ? undefined : file({ kind: 'data', base64 }, mediaType, facts)
    }
    case 'url': {
      const url = read('url')
      return url === undefined ? undefined : file({ kind: 'url', url }, mediaType, facts)
    }
    case 'ref':
      return ref(read('id'), mediaType, facts)
    default:
      return undefined
  }
}

/** Anthropic's `source`, with a type. */
function sourced(block: Raw, at: string, sink: Sink, otherwise: string): FilePart | undefined {
  const source = own(block, 'source')
  if (!isRaw(source)) return undefined
  const path = `${at}.source`
  const facts = { ...factsOf(block, at, sink), mediaType: str(source, path, sink, 'media_type') }
  switch (own(source, 'type')) {
    case 'base64':
      return fileOf(own(source, 'data'), path, sink, facts, otherwise)
    case 'url':
      return fileOf(own(source, 'url'), path, sink, facts, otherwise)
    case 'file':
      return ref(idOf(source, path, sink, 'file_id'), otherwise, facts)
    case 'text':
    case 'content': {
      const text = textOf(firstOf(source, 'data', 'content'), path, sink)
      return text === undefined ? undefined : file({ kind: 'text', text }, facts.mediaType ?? 'text/plain', facts)
    }
    default:
      return undefined
  }
}

function textOf(content: unknown, at: string, sink: Sink): string | undefined {
  if (!Array.isArray(content)) return str({ content }, at, sink, 'content')
  const texts = content.flatMap((block) => (isRaw(block) ? (str(block, at, sink, 'text') ?? []) : []))
  return texts.length === content.length ? texts.join('\n') : undefined
}

/** OpenAI chat's `file: { file_data | file_id, filename }`. */
function nested(block: Raw, at: string, sink: Sink): FilePart | undefined {
  const inner = own(block, 'file')
  return isRaw(inner) ? uploaded(inner, `${at}.file`, sink) : undefined
}

function uploaded(block: Raw, at: string, sink: Sink): FilePart | undefined {
  const facts = factsOf(block, at, sink)
  const given = fileOf(firstOf(block, 'file_data', 'file_url'), at, sink, facts)
  return given ?? ref(idOf(block, at, sink, 'file_id'), 'application/octet-stream', facts)
}

/** OpenAI's `image_url`, a string or `{ url }`, or a file id. */
function image(block: Raw, at: string, sink: Sink): FilePart | undefined {
  const told = firstOf(block, 'image_url', 'imageUrl', 'image')
  const url = isRaw(told) ? own(told, 'url') : told
  const given = fileOf(url, `${at}.image_url`, sink, {}, 'image/*')
  return given ?? ref(idOf(block, at, sink, 'file_id', 'fileId'), 'image/*')
}

const formats: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav', pcm16: 'audio/pcm' }

function audio(block: Raw, at: string, sink: Sink): FilePart | undefined {
  const inner = own(block, 'input_audio')
  if (!isRaw(inner)) return undefined
  const format = str(inner, at, sink, 'format')
  const mediaType =
    format === undefined ? 'audio/*' : ((own(formats, format) as string | undefined) ?? `audio/${format}`)
  return fileOf(own(inner, 'data'), `${at}.input_audio.data`, sink, { mediaType })
}

function identified(block: Raw, at: string, sink: Sink, otherwise = 'application/octet-stream'): FilePart | undefined {
  const id = own(block, 'fileId')
  const found = isRaw(id) ? str(id, at, sink, ...Object.keys(id)) : idOf(block, at, sink, 'fileId')
  return ref(found, otherwise, factsOf(block, at, sink))
}

/** MCP's embedded resource. */
function resource(block: Raw, at: string, sink: Sink): FilePart | undefined {
  const inner = own(block, 'resource')
  if (!isRaw(inner)) return undefined
  const facts = { ...factsOf(inner, at, sink), name: str(inner, at, sink, 'uri') }
  const text = str(inner, at, sink, 'text')
  if (text !== undefined) return file({ kind: 'text', text }, facts.mediaType ?? 'text/plain', facts)
  return fileOf(firstOf(inner, 'blob', 'uri'), at, sink, facts)
}
