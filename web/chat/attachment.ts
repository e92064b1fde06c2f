/** Files that go along with a message. */
import { words } from '../strings/chat.js'

export interface Attachment {
  readonly key: number
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly source:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'data'; readonly base64: string }
    /** Too large for a message: it goes ahead of it. */
    | { readonly kind: 'bytes'; readonly file: Blob }
    | { readonly kind: 'ref'; readonly id: string }
}

/** Bytes that the files of one message may have within it, and one file ahead of it. */
export interface Room {
  readonly within: number
  readonly ahead: number
}

/** Pictures that a browser draws and that can do nothing else. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
export const isPicture = (mediaType: string): boolean => pictures.includes(mediaType)

/** Of all files of one message, so that it fits into one request as base64 with its words. */
export const roomIn = (bodyBytes: number): number => Math.floor(((bodyBytes - 64 * 1024) * 3) / 4)

/** A picture with more pixels is made smaller before it goes; models do no better with more. */
const longestSide = 1_568
const smallPicture = 256 * 1024

let made = 0

/** Throws what to tell the person. */
export async function read(file: File, { within, ahead }: Room): Promise<Attachment> {
  const name = file.name || words.pasted
  const fitting = isPicture(file.type) && file.size > smallPicture ? await smaller(file) : file
  if (fitting.size > Math.max(within, ahead)) throw new Error(words.tooLarge(name, kilobytes(Math.max(within, ahead))))
  const mediaType = fitting.type || 'application/octet-stream'
  if (fitting.size > within)
    return { key: ++made, name, mediaType, bytes: fitting.size, source: { kind: 'bytes', file: fitting } }
  const bytes = new Uint8Array(await fitting.arrayBuffer())
  const text = isPicture(mediaType) ? null : textIn(bytes)
  const source = text === null ? ({ kind: 'data', base64: base64(bytes) } as const) : ({ kind: 'text', text } as const)
  const type = text !== null && !mediaType.startsWith('text/') && !/json|xml/.test(mediaType) ? 'text/plain' : mediaType
  return { key: ++made, name, mediaType: type, bytes: bytes.length, source }
}

/** As they are stored. */
export const partsOf = (text: string, files: readonly Attachment[]) => [
  ...(text === '' ? [] : [{ type: 'text', text }]),
  ...files.map(({ name, mediaType, source }) => ({ type: 'file', name, mediaType, source })),
]

export const kilobytes = (bytes: number): string =>
  bytes < 1_024 * 1_024 ? `${Math.max(1, Math.round(bytes / 1_024))} KB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MB`

async function smaller(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const drawn = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })
    return drawn.size < file.size ? drawn : file
  } catch {
    return file
  }
}

/** Null where it is no text in UTF-8. */
function textIn(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
