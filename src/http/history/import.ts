/** A file that is uploaded to be imported: it goes to the disk as it comes, and is gone when it was read. */
import { z } from 'zod'
import { importConversations, importFormat } from '../../operations/transfer.js'
import { spool } from '../../transfer/spool.js'
import { readChunks } from '../kit/body.js'
import type { Context } from '../kit/context.js'
import { contextOf, pieces } from '../kit/expose.js'
import { type Route, route } from '../kit/route.js'

/** Of one upload: years of conversations with their pictures. */
const importBytes = 8 * 1024 * 1024 * 1024

const query = z.strictObject({
  name: z.string().max(200).default('import').describe('The name of the file'),
  from: importFormat.optional().describe('The format; left out, its shape decides'),
  dry_run: z.stringbool().default(false).describe('Only say what would be done'),
})

export const importRoutes: readonly Route[] = [
  route({
    name: 'importConversations',
    method: 'post',
    path: '/api/v1/import',
    tag: 'conversations',
    summary: 'Bring conversations in: the bytes of an export, zipped or not',
    ...(importConversations.detail !== null && { detail: importConversations.detail }),
    scope: importConversations.scope,
    query,
    takes: { type: 'application/octet-stream', says: 'A zip, JSON, JSON Lines or Markdown' },
    bodyBytes: importBytes,
    answers: { 200: { type: 'application/x-ndjson', says: 'What became of each conversation; the report at the end' } },
    problems: ['too_large', 'unsupported_type'],
    example: { body: '{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi."}]}' },
    handle: take,
  }),
]

async function take(context: Context<Record<never, string>, z.output<typeof query>>): Promise<Response> {
  const { name, from, dry_run } = context.query
  const { path, remove } = await spool(readChunks(context.request, importBytes), name)
  const events = async function* () {
    try {
      yield* importConversations.run(contextOf(context), { path, from, dry_run, watch: false })
    } finally {
      await remove()
    }
  }
  return pieces(events(), ['import.jsonl', 'application/x-ndjson'])
}
