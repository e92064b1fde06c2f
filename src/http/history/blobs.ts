/** Files that are too large for a message: kept once by their hash, and named by the messages that show them. */
import { z } from 'zod'
import { readBytes } from '../kit/body.js'
import type { Context } from '../kit/context.js'
import { Problem } from '../kit/problem.js'
import { created, type Route, route } from '../kit/route.js'
import { conversationAt } from './open.js'

const path = '/api/v1/conversations/{conversation_id}/blobs'

/** Of one file. */
export const blobBytes = 16 * 1024 * 1024

const blobSchema = z
  .object({ id: z.string().describe('The SHA-256 of its bytes'), media_type: z.string(), size: z.int() })
  .meta({ id: 'Blob', description: 'The bytes of a file' })

export const blobRoutes: readonly Route[] = [
  route({
    name: 'putBlob',
    method: 'post',
    path,
    tag: 'messages',
    summary: 'Keep the bytes of a file',
    detail:
      'A message names it by a file part whose source is `{ "kind": "ref", "id": … }`. The same bytes have one id.',
    scope: 'write',
    owned: { conversation_id: 'conversation' },
    takes: { type: 'application/octet-stream', says: 'The bytes; the content type is kept with them' },
    bodyBytes: blobBytes,
    answers: { 201: blobSchema },
    problems: ['too_large', 'unsupported_type', 'invalid', 'gone'],
    example: { body: 'The bytes of a file' },
    handle: put,
  }),
  route({
    name: 'getBlob',
    method: 'get',
    path: `${path}/{blob}`,
    tag: 'messages',
    summary: 'The bytes of a file',
    scope: 'read',
    owned: { conversation_id: 'conversation', blob: 'blob' },
    answers: { 200: { type: 'application/octet-stream', says: 'The bytes, to be saved and not to be shown' } },
    handle: get,
  }),
]

async function put(context: Context<{ conversation_id: string }>) {
  const { frame, workspace, params, request, caller } = context
  await conversationAt(context, params.conversation_id)
  const mediaType = typeOf(request.headers.get('content-type'))
  const bytes = await readBytes(request, blobBytes, () => frame.uploads.begin(caller.key ?? 'owner'))
  if (bytes.length === 0) throw new Problem('invalid_request', { detail: 'the file is empty' })
  const { sha256, size } = await frame.store.putBlob(workspace, params.conversation_id, { bytes, mediaType })
  return created({ id: sha256, media_type: mediaType, size })
}

const mediaTypes = /^[\w.+-]{1,60}\/[\w.+-]{1,100}(?:\s*;\s*[\w-]{1,30}=[\w."-]{1,60})?$/

function typeOf(header: string | null): string {
  if (header === null) return 'application/octet-stream'
  if (mediaTypes.test(header)) return header.toLowerCase()
  throw new Problem('unsupported_type', { detail: 'name the type of the file, as image/png' })
}

async function get(context: Context<{ conversation_id: string; blob: string }>) {
  const { frame, workspace, params } = context
  await conversationAt(context, params.conversation_id)
  const found = await frame.store.getBlob(workspace, params.blob)
  if (!found) throw new Problem('not_found')
  return new Response(new Uint8Array(found.bytes), {
    headers: {
      // whatever it is, on this origin it is never a page
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-length': String(found.size),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    },
  })
}
