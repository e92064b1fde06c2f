/** Files as a model can be given them: what is named by its hash is read, and too large a picture is shrunk where that can be done. */

import type { FilePart, Part } from '../../core/message/item.js'
import { type ImageLimits, traits } from '../../core/profile/traits.js'
import type { Entry } from '../../store/contract/entry.js'
import { toBase64 } from '../../store/shared/runtime.js'
import { canShrink, isBeyond, type PictureLimits, shrunkPicture } from './shrink-picture.js'
import type { Source } from './window.js'

type At = Pick<Source, 'store' | 'workspace'>

const mib = 1024 * 1024

/** Most bytes of a file, by the beginning of its type; a longer text or document would leave no room for anything else. */
const most: readonly (readonly [type: string, bytes: number])[] = [
  ['image/', 8 * mib],
  ['application/pdf', mib / 8],
  ['text/', mib / 4],
  ['application/json', mib / 4],
]

/** A picture of any size can be shrunk; a longer file is not read for it. */
const mostPicture = 64 * mib

/** Where nobody is sent a picture none is shrunk. */
const noPictures = traits.messages.images

/** The same entries where none names a file or has too large a picture, so that they are known again. */
export async function withFiles(
  entries: readonly Entry[],
  at: At,
  limits: ImageLimits = noPictures,
): Promise<readonly Entry[]> {
  const lists = entries.map(({ body }) => filesIn(body))
  const fix = await fixer(lists.flat(), at, limits)
  if (!fix) return entries
  return Promise.all(
    entries.map(async (entry, i): Promise<Entry> => {
      const { body } = entry
      if (!lists[i]?.some(fix.isDue)) return entry
      if (body.kind === 'message') return { ...entry, body: { ...body, parts: await fix.all(body.parts) } }
      return body.kind === 'result' ? { ...entry, body: { ...body, output: await fix.all(body.output) } } : entry
    }),
  )
}

/** A message that is given apart. */
export async function currentWithFiles<T>(current: T, at: At, limits: ImageLimits): Promise<T> {
  if (typeof current !== 'object' || current === null || !('parts' in current)) return current
  const { parts } = current
  if (!Array.isArray(parts)) return current
  const fix = await fixer(parts.filter(isFile), at, limits)
  return fix ? { ...current, parts: await fix.all(parts as readonly Part[]) } : current
}

const filesIn = (body: Entry['body']): readonly FilePart[] =>
  body.kind === 'message' ? body.parts.filter(isFile) : body.kind === 'result' ? body.output.filter(isFile) : []

const isFile = (part: Part): part is FilePart => part?.type === 'file'
const isNamed = (file: FilePart): boolean => file.source?.kind === 'ref'
const isPicture = ({ mediaType }: FilePart): boolean => /^image\/(?!svg)/i.test(mediaType)

interface Fixer {
  isDue(file: FilePart): boolean
  all<T extends Part>(parts: readonly T[]): Promise<readonly (T | FilePart)[]>
}

/** Null where every file can be sent as it is, or as well as it ever will. */
async function fixer(files: readonly FilePart[], at: At, limits: ImageLimits): Promise<Fixer | null> {
  if (files.length === 0) return null
  const pictures = files.filter(isPicture).length
  const shrinks = pictures > 0 && limits.types.length > 0 && (await canShrink())
  const bounds = {
    types: limits.types,
    bytes: Math.min(limits.bytes, Math.floor((mostBytes('image/') * 4) / 3)),
    side: pictures > limits.many ? Math.min(limits.side, limits.manySide) : limits.side,
  }
  const isLarge = (file: FilePart): boolean =>
    shrinks && isPicture(file) && file.source.kind === 'data' && isBeyond(file.source.base64, bounds)
  const isDue = (file: FilePart): boolean => isNamed(file) || isLarge(file)
  if (!files.some(isDue)) return null
  const fix = async (file: FilePart): Promise<FilePart> => {
    const filled = isNamed(file) ? await fill(file, at, shrinks) : file
    return isLarge(filled) ? shrink(filled, bounds) : filled
  }
  return { isDue, all: (parts) => Promise.all(parts.map((part) => (isFile(part) && isDue(part) ? fix(part) : part))) }
}

const mostBytes = (mediaType: string): number =>
  most.find(([type]) => mediaType.toLowerCase().startsWith(type))?.[1] ?? 0

async function fill(file: FilePart, { store, workspace }: At, shrinks: boolean): Promise<FilePart> {
  const bound = shrinks && isPicture(file) ? mostPicture : mostBytes(file.mediaType)
  if (file.source.kind !== 'ref' || bound === 0) return file
  const blob = await store.getBlob(workspace, file.source.id)
  if (!blob || blob.size > bound) return file
  const isText = !/^(?:image\/|application\/pdf)/i.test(file.mediaType)
  if (isText) return { ...file, source: { kind: 'text', text: new TextDecoder().decode(blob.bytes) } }
  return { ...file, source: { kind: 'data', base64: toBase64(blob.bytes) } }
}

async function shrink(file: FilePart, bounds: PictureLimits): Promise<FilePart> {
  if (file.source.kind !== 'data') return file
  const base64 = await shrunkPicture(
    Uint8Array.from(atob(file.source.base64), (one) => one.charCodeAt(0)),
    bounds,
  )
  return base64 === undefined ? file : { ...file, mediaType: 'image/jpeg', source: { kind: 'data', base64 } }
}
