/** The files of messages: bytes that came along are kept once, by their hash; others stay names. */
import type { FilePart, Part } from '../../core/message/item.js'
import { digest } from '../../store/shared/runtime.js'
import type { Asset } from '../kit/contract.js'

export interface Bytes {
  readonly mediaType: string
  readonly bytes: () => Promise<Uint8Array>
}

export interface Files {
  readonly blobs: Map<string, Bytes>
  readonly assets: ReadonlyMap<string, Asset>
  readonly warnings: string[]
  count: number
}

/** Base64 that stays in the message. */
const inlineChars = 16 * 1024

export async function shelved(parts: readonly Part[], files: Files): Promise<readonly Part[]> {
  if (!parts.some((part) => part.type === 'file' || part.type === 'call')) return parts
  const out: Part[] = []
  for (const part of parts) {
    if (part.type === 'file') out.push(await shelvedFile(part, files))
    else if (part.type === 'call' && part.outcome.state !== 'pending') {
      const output = (await shelved(part.outcome.output, files)) as typeof part.outcome.output
      out.push({ ...part, outcome: { ...part.outcome, output } })
    } else out.push(part)
  }
  return out
}

async function shelvedFile(file: FilePart, files: Files): Promise<FilePart> {
  files.count++
  const { source } = file
  if (source.kind === 'data' && source.base64.length > inlineChars) {
    const bytes = Buffer.from(source.base64, 'base64')
    return named(file, file.mediaType, bytes, async () => bytes, files)
  }
  if (source.kind !== 'ref') return file
  const asset = files.assets.get(source.id)
  if (!asset) {
    files.warnings.push('a file is named that did not come along')
    return file
  }
  try {
    const bytes = await asset.bytes()
    const mediaType = /\/\*$|octet-stream$/.test(file.mediaType) ? mediaTypeOf(bytes, asset.name) : file.mediaType
    // read again when it is written, so that a conversation with many pictures is not held in memory
    return named({ ...file, mediaType, name: file.name ?? asset.name }, mediaType, bytes, asset.bytes, files)
  } catch {
    files.warnings.push('a file that came along cannot be read')
    return file
  }
}

function named(file: FilePart, mediaType: string, bytes: Uint8Array, read: Bytes['bytes'], files: Files): FilePart {
  const id = digest(bytes)
  files.blobs.set(id, { mediaType, bytes: read })
  return { ...file, source: { kind: 'ref', id } }
}

const endings: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ pdf: 'application/pdf', txt: 'text/plain', md: 'text/markdown', json: 'application/json', csv: 'text/csv' },
  ...{ wav: 'audio/wav', mp3: 'audio/mpeg', mp4: 'video/mp4' },
}

/** By the first bytes, then by the name. */
function mediaTypeOf(bytes: Uint8Array, name: string): string {
  const first = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (first.startsWith('\x89PNG')) return 'image/png'
  if (first.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (first.startsWith('GIF8')) return 'image/gif'
  if (first.startsWith('RIFF') && first.endsWith('WEBP')) return 'image/webp'
  if (first.startsWith('%PDF')) return 'application/pdf'
  return endings[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
