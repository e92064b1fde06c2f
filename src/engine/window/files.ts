/** Files that a message names by their hash, as a model can be given them: what is too large for one stays a name. */

import type { FilePart, Part } from '../../core/message/item.js'
import type { Entry } from '../../store/contract/entry.js'
import { toBase64 } from '../../store/shared/runtime.js'
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

/** The same entries where none names a file, so that they are known again. */
export async function withFiles(entries: readonly Entry[], at: At): Promise<readonly Entry[]> {
  if (!entries.some(({ body }) => body.kind === 'message' && body.parts.some(isNamed))) return entries
  return Promise.all(
    entries.map(async (entry): Promise<Entry> => {
      const { body } = entry
      if (body.kind !== 'message' || !body.parts.some(isNamed)) return entry
      return { ...entry, body: { ...body, parts: await filled(body.parts, at) } }
    }),
  )
}

/** A message that is given apart. */
export async function currentWithFiles<T>(current: T, at: At): Promise<T> {
  if (typeof current !== 'object' || current === null || !('parts' in current)) return current
  const { parts } = current
  if (!Array.isArray(parts) || !parts.some(isNamed)) return current
  return { ...current, parts: await filled(parts, at) }
}

const isNamed = (part: Part): boolean => part?.type === 'file' && part.source?.kind === 'ref'

const filled = (parts: readonly Part[], at: At): Promise<readonly Part[]> =>
  Promise.all(parts.map((part) => (part.type === 'file' && isNamed(part) ? fill(part, at) : part)))

async function fill(file: FilePart, { store, workspace }: At): Promise<FilePart> {
  const bound = most.find(([type]) => file.mediaType.toLowerCase().startsWith(type))?.[1] ?? 0
  if (file.source.kind !== 'ref' || bound === 0) return file
  const blob = await store.getBlob(workspace, file.source.id)
  if (!blob || blob.size > bound) return file
  const isText = !/^(?:image\/|application\/pdf)/i.test(file.mediaType)
  if (isText) return { ...file, source: { kind: 'text', text: new TextDecoder().decode(blob.bytes) } }
  return { ...file, source: { kind: 'data', base64: toBase64(blob.bytes) } }
}
