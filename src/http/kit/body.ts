/** The body of a request: counted as it comes, and looked at before it is parsed. */
import type { HttpLimits } from './context.js'
import { Problem } from './problem.js'
import { readJsonBytes } from './scan.js'
import type { Upload } from './uploads.js'

/** A body up to this size is taken at once, and a larger one piece by piece, in the room that uploads have. */
const smallBytes = 64 * 1024
/** A client must send some of its body within so long. */
const stallMs = 10_000

/** The bytes of a body that says it is JSON; null where there is none. */
export async function readBody(request: Request, most: number, begin: () => Upload): Promise<Uint8Array | null> {
  refuseEncoding(request)
  const declared = sizeOf(request.headers.get('content-length'))
  if (declared === 0 || (declared === null && request.body === null)) return null
  if (!isJson(request.headers.get('content-type')))
    throw new Problem('unsupported_type', { detail: 'send application/json in UTF-8' })
  if ((declared ?? 0) > most) throw tooLarge(most)
  const bytes = await bytesOf(request, declared, most, begin)
  return bytes.length === 0 ? null : bytes
}

export function parseBody(bytes: Uint8Array, limits: HttpLimits): unknown {
  const read = readJsonBytes(bytes, limits)
  if (read.ok) return read.value
  const { path, message } = read
  throw new Problem('invalid_json', {
    detail: `${path === '' ? 'the body' : path} ${message}`,
    errors: [{ path, message }],
  })
}

/** A body that is no JSON, as it is. */
export async function readBytes(request: Request, most: number, begin: () => Upload): Promise<Uint8Array> {
  refuseEncoding(request)
  const declared = sizeOf(request.headers.get('content-length'))
  if ((declared ?? 0) > most) throw tooLarge(most)
  return bytesOf(request, declared, most, begin)
}

async function bytesOf(
  request: Request,
  declared: number | null,
  most: number,
  begin: () => Upload,
): Promise<Uint8Array> {
  if (declared !== null && declared <= smallBytes) return allBytes(request, most)
  const upload = begin()
  try {
    return await countedBytes(request.body, most, upload)
  } finally {
    upload.end()
  }
}

function refuseEncoding(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity')
    throw new Problem('unsupported_type', { detail: 'send the body without a content encoding' })
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i

const isJson = (type: string | null): boolean => type !== null && type.length <= 200 && jsonType.test(type)

const sizeOf = (header: string | null): number | null =>
  header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null

/** A host takes no more than was declared; it gives it at once, which costs less than a stream. */
async function allBytes(request: Request, most: number): Promise<Uint8Array> {
  const bytes = await request.arrayBuffer().catch((cause) => {
    throw new Problem('invalid_request', { detail: 'the body broke off', cause })
  })
  if (bytes.byteLength > most) throw tooLarge(most)
  return new Uint8Array(bytes)
}

async function countedBytes(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  upload: Upload,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksIn(body, most)) {
    size += chunk.byteLength
    upload.take(chunk.byteLength)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : joined(chunks, size)
}

/** A body that is never in memory as a whole. */
export function readChunks(request: Request, most: number): AsyncIterable<Uint8Array> {
  refuseEncoding(request)
  if ((sizeOf(request.headers.get('content-length')) ?? 0) > most) throw tooLarge(most)
  return chunksIn(request.body, most)
}

async function* chunksIn(body: ReadableStream<Uint8Array> | null, most: number): AsyncGenerator<Uint8Array> {
  if (body === null) return
  let size = 0
  const reader = body.getReader()
  let stall = (): void => undefined
  const stalled = new Promise<never>((_, reject) => {
    stall = () => reject(new Error(`nothing came for ${stallMs} ms`))
  })
  stalled.catch(() => undefined)
  const timer = setTimeout(stall, stallMs)
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), stalled]).catch((cause) => {
        throw new Problem('invalid_request', { detail: 'the body broke off', cause, headers: { connection: 'close' } })
      })
      if (done) return
      timer.refresh()
      size += value.byteLength
      if (size > most) throw tooLarge(most)
      yield value
      timer.refresh()
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

const tooLarge = (most: number): Problem =>
  new Problem('too_large', { detail: `the body may have at most ${most} bytes`, headers: { connection: 'close' } })
