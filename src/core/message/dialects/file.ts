/** File parts from whatever holds a file's content: base64, bytes, a URL, a provider's file id. */

import type { FilePart, FileSource } from '../item.js'
import { clean, firstOf, isRaw, type Raw, type Sink, str } from './read.js'

export interface FileFacts {
  readonly mediaType?: string | undefined
  readonly name?: string | undefined
  readonly language?: string | undefined
}

export function file(source: FileSource, mediaType: string, facts: FileFacts = {}): FilePart {
  const { name, language } = facts
  return { type: 'file', mediaType, ...(name ? { name } : {}), ...(language ? { language } : {}), source }
}

/** The content as a file part; undefined when there is no content. `otherwise` is the media type when none is told. */
export function fileOf(
  content: unknown,
  at: string,
  sink: Sink,
  facts: FileFacts,
  otherwise = 'application/octet-stream',
): FilePart | undefined {
  if (typeof content === 'string')
    return content === '' ? undefined : fromString(clean(content, at, sink), facts, otherwise)
  if (content instanceof URL) return fromString(content.href, facts, otherwise)
  if (content instanceof ArrayBuffer) return fromString(base64(new Uint8Array(content)), facts, otherwise)
  if (ArrayBuffer.isView(content)) {
    return fromString(base64(new Uint8Array(content.buffer, content.byteOffset, content.byteLength)), facts, otherwise)
  }
  return isRaw(content) ? tagged(content, at, sink, facts, otherwise) : undefined
}

export const ref = (id: string | undefined, mediaType: string, facts: FileFacts = {}): FilePart | undefined =>
  id === undefined ? undefined : file({ kind: 'ref', id }, facts.mediaType ?? mediaType, facts)

/** Media type, name and language under the names that the dialects give them. */
export function factsOf(raw: Raw, at: string, sink: Sink): FileFacts {
  return {
    mediaType: str(raw, at, sink, 'mediaType', 'mimeType', 'mime_type', 'media_type', 'contentType'),
    name: str(raw, at, sink, 'name', 'filename', 'file_name', 'title'),
    language: str(raw, at, sink, 'language'),
  }
}

/** The AI SDK's tagged file data. */
function tagged(raw: Raw, at: string, sink: Sink, facts: FileFacts, otherwise: string): FilePart | undefined {
  const text = str(raw, at, sink, 'text')
  if (text !== undefined) return file({ kind: 'text', text }, facts.mediaType ?? 'text/plain', facts)
  const reference = firstOf(raw, 'reference')
  if (isRaw(reference)) return ref(str(reference, at, sink, ...Object.keys(reference)), otherwise, facts)
  const content = firstOf(raw, 'data', 'url')
  return isRaw(content) ? undefined : fileOf(content, at, sink, facts, otherwise)
}

const scheme = /^[a-z][a-z0-9+.-]*:/i

function fromString(content: string, facts: FileFacts, otherwise: string): FilePart {
  if (content.startsWith('data:')) return fromDataUrl(content, facts, otherwise)
  // base64 has no colon
  if (scheme.test(content)) return file({ kind: 'url', url: content }, facts.mediaType ?? otherwise, facts)
  return file({ kind: 'data', base64: content }, facts.mediaType ?? sniff(content) ?? otherwise, facts)
}

function fromDataUrl(url: string, facts: FileFacts, otherwise: string): FilePart {
  const comma = url.indexOf(',')
  if (comma < 0) return file({ kind: 'url', url }, facts.mediaType ?? otherwise, facts)
  const [told = '', ...params] = url.slice('data:'.length, comma).split(';')
  const body = url.slice(comma + 1)
  const vague = told === '' || told === 'application/octet-stream'
  if (!params.includes('base64')) {
    return file({ kind: 'text', text: percentDecoded(body) }, vague ? (facts.mediaType ?? 'text/plain') : told, facts)
  }
  return file({ kind: 'data', base64: body }, vague ? (facts.mediaType ?? sniff(body) ?? otherwise) : told, facts)
}

function percentDecoded(body: string): string {
  try {
    return decodeURIComponent(body)
  } catch {
    return body
  }
}

/** How the first bytes of common files look in base64. */
const openings = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
] as const

const sniff = (base64: string): string | undefined => openings.find(([opening]) => base64.startsWith(opening))?.[1]

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let i = 0; i < bytes.length; i += 0x2000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x2000))
  return btoa(binary)
}
