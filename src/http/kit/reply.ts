/** Answers. A handler may also return plain data, which becomes the answer with the lowest status of its route. */
import { createHash } from 'node:crypto'
import type { Context } from './context.js'
import { Problem } from './problem.js'

export function json(data: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(data), { status, headers: { 'content-type': 'application/json', ...headers } })
}

export const created = (data: unknown, location?: string): Response =>
  json(data, 201, location === undefined ? {} : { location })

/** JSON of pieces that were written apart: each is encoded by itself, since one sign beyond Latin-1 makes a whole text twice as long. */
export function written(pieces: readonly string[]): Response {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return new Response(bytes, { headers: { 'content-type': 'application/json' } })
}

/** JSON with an ETag; 304 when a reader has it already. */
export function fresh({ request }: Pick<Context, 'request'>, data: unknown): Response {
  const body = JSON.stringify(data)
  const etag = tagOf(body)
  const headers = { etag, 'cache-control': 'private, no-cache' }
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (reads && matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { 'content-type': 'application/json', ...headers } })
}

/** If-Match: what the caller has seen must be what there is. */
export function checkIfMatch({ request }: Pick<Context, 'request'>, current: unknown): void {
  const wanted = request.headers.get('if-match')
  if (wanted === null || matches(wanted, tagOf(JSON.stringify(current)))) return
  throw new Problem('precondition_failed')
}

const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** Text as it is made; the reader's pace is the writer's. */
export function streamed(parts: AsyncIterator<string>, headers: Readonly<Record<string, string>>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await parts.next()
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      await parts.return?.()
    },
  })
  return new Response(body, { headers })
}
