/** Files as a target takes them, or as words. */
import type { FilePart } from '../../message/item.js'
import type { Target } from '../../message/target.js'
import { isBase64, isBlank, isWellFormed, wellFormed } from '../../message/text.js'
import { pictureOf, pictureType } from '../../profile/picture.js'
import { type ImageLimits, traits } from '../../profile/traits.js'

/** Where a document may come from; a blob reference is nowhere a provider's own file id. */
const documents: Partial<Record<Target, readonly string[]>> = {
  anthropic: ['data', 'url'],
  'openai-chat': ['data'],
  'openai-responses': ['data', 'url'],
  google: ['data', 'url'],
  'ai-sdk': ['data', 'url'],
}

/** The media type as providers spell it; a picture's bytes know it better than its label. */
export function mediaTypeOf(file: FilePart): string {
  const bytes = isImage(file) ? base64Of(file) : undefined
  const picture = bytes === undefined ? undefined : pictureType(bytes)
  return picture ?? labelOf(file)
}

function labelOf(file: FilePart): string {
  const type = file.mediaType.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  return type === 'image/jpg' ? 'image/jpeg' : type
}

export const isImage = (file: FilePart): boolean => /^\s*image\//i.test(file.mediaType)

/** The bytes of a file in base64, also when they came as a data URL. */
export function base64Of(file: FilePart): string | undefined {
  if (file.source.kind === 'data') return file.source.base64
  if (file.source.kind !== 'url') return undefined
  return /^data:[^,]{0,200};base64,/i.test(file.source.url)
    ? file.source.url.slice(file.source.url.indexOf(',') + 1)
    : undefined
}

/** True when a user message for this target can hold the file. */
export function carriesFile(target: Target, file: FilePart, limits: ImageLimits = traits[target].images): boolean {
  const from = reach(file)
  if (!from) return false
  if (labelOf(file) === 'application/pdf') return documents[target]?.includes(from) ?? false
  if (!isImage(file)) return false
  return from === 'url' ? limits.types.includes(labelOf(file)) : isSendable(base64Of(file) ?? '', limits)
}

/** A picture by its bytes, and within the limits. */
function isSendable(base64: string, limits: ImageLimits): boolean {
  if (base64.length > limits.bytes) return false
  const picture = pictureOf(base64)
  return picture !== undefined && limits.types.includes(picture.mediaType) && longerSide(base64) <= limits.side
}

/** Pixels of the longer side, as far as the bytes say. */
export function longerSide(base64: string): number {
  const { width = 0, height = 0 } = pictureOf(base64) ?? {}
  return Math.max(width, height)
}

/** True when a tool result for this target can hold the file. */
export const carriesOutputFile = (target: Target, file: FilePart, limits?: ImageLimits): boolean =>
  target === 'anthropic' && isImage(file) && carriesFile(target, file, limits)

/** The file with a name that can be sent, or none. */
export function withLegalName(file: FilePart): FilePart {
  const { name, ...rest } = file
  if (name === undefined || (isWellFormed(name) && !isBlank(name))) return file
  return isBlank(name) ? rest : { ...rest, name: wellFormed(name) }
}

/** A file that is not sent, in words. */
export function described(file: FilePart): string {
  if (isImage(file)) return '[image not sent]'
  const name = oneLine(file.name ?? '')
  const type = oneLine(file.mediaType)
  return `[file${name && `: ${name}`}${type && ` (${type})`} not sent]`
}

/** The whole file as text, where it is text; otherwise words in its place. */
export const fileText = (file: FilePart): string =>
  file.source.kind === 'text' ? fenced(file, file.source.text) : described(file)

/** In a text: a picture that has a name is pointed to by it, so that it can come beside the text. */
export function plainFile(file: FilePart): string {
  const name = file.source.kind !== 'text' && isImage(file) ? oneLine(file.name ?? '') : ''
  return name === '' ? fileText(file) : `[image: ${name}]`
}

/** True when nothing would be seen of the file. */
export const isBlankFile = (file: FilePart): boolean =>
  file.source.kind === 'text' && isBlank(file.source.text) && !oneLine(file.name ?? '')

function fenced(file: FilePart, body: string): string {
  const runs = body.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3))
  const language = (file.language ?? '').replace(/[^\w+#.-]/g, '')
  const name = oneLine(file.name ?? '')
  return `${name && `${name}\n`}${fence}${language}\n${wellFormed(body)}${body.endsWith('\n') ? '' : '\n'}${fence}`
}

function reach(file: FilePart): 'data' | 'url' | undefined {
  const bytes = base64Of(file)
  if (bytes !== undefined) return isBase64(bytes) ? 'data' : undefined
  return file.source.kind === 'url' && /^https:\/\/\S+$/.test(file.source.url) && isWellFormed(file.source.url)
    ? 'url'
    : undefined
}

function oneLine(value: string): string {
  return isBlank(value)
    ? ''
    : wellFormed(value)
        .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
        .trim()
}
