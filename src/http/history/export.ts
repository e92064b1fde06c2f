/** A conversation to take away: all of it as JSON, or one branch as Markdown, streamed. */
import { z } from 'zod'
import type { Conversation } from '../../store/contract/conversation.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import type { Store } from '../../store/contract.js'
import type { Entry } from '../../store/entry.js'
import { blobsOf } from '../../store/link.js'
import type { Context } from '../context.js'
import { streamed } from '../reply.js'
import { type Route, route } from '../route.js'
import { findConversation, headOf } from './open.js'

const exportQuery = z.strictObject({
  format: z.enum(['json', 'markdown']).default('json'),
  branch: z.string().min(1).max(200).default('main').describe('Of the Markdown; JSON has them all'),
})

export const exportRoutes: readonly Route[] = [
  route({
    name: 'exportConversation',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/export',
    tag: 'conversations',
    summary: 'Everything it holds as JSON, or a branch as Markdown',
    scope: 'read',
    owned: { conversation: 'conversation' },
    query: exportQuery,
    answers: { 200: { type: '*/*', says: '`throughline.conversation/1`, or Markdown' } },
    handle: give,
  }),
]

async function give(context: Context<{ conversation: string }, z.output<typeof exportQuery>>) {
  const { frame, workspace, query } = context
  const found = await findConversation(context, context.params.conversation)
  const source = { store: frame.store, workspace, conversation: found.id }
  if (query.format === 'json') return streamed(inJson(source, found), download(found.id, 'application/json', 'json'))
  const head = await headOf(context, found.id, query.branch)
  return streamed(inMarkdown(source, found, head), download(found.id, 'text/markdown; charset=utf-8', 'md'))
}

/** The name of the file comes from the id, never from what someone wrote. */
const download = (id: string, type: string, ending: string) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${id.replaceAll(/[^\w-]/g, '_').slice(0, 80)}.${ending}"`,
})

interface Source {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
}

export async function* inJson(source: Source, conversation: Conversation): AsyncGenerator<string> {
  const { store, workspace, conversation: id } = source
  // before the entries, so that every head is among them
  const branches = await store.branches(workspace, id)
  const drafts = await store.drafts(workspace, id)
  const opening = { schema: 'throughline.conversation/1', conversation, branches, drafts }
  yield `${JSON.stringify(opening).slice(0, -1)},"entries":[`
  const named = new Set<string>()
  yield* listed(entriesIn(source, named))
  yield '],"receipts":['
  yield* listed(receiptsIn(source))
  yield '],"blobs":['
  yield* listed(blobsIn(source, named))
  yield ']}'
}

async function* listed(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let first = true
  for await (const value of values) {
    yield `${first ? '' : ','}${JSON.stringify(value)}`
    first = false
  }
}

async function* entriesIn({ store, workspace, conversation }: Source, named: Set<string>): AsyncGenerator<Entry> {
  for (let after = 0; ; ) {
    const page = await store.feed(workspace, conversation, after, 200)
    for (const entry of page) for (const sha256 of blobsOf(entry)) named.add(sha256)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.seq
  }
}

async function* receiptsIn({ store, workspace, conversation }: Source): AsyncGenerator<StoredReceipt> {
  let cursor: string | null | undefined
  do {
    const page = await store.receipts(workspace, conversation, { limit: 100, ...(cursor ? { cursor } : null) })
    yield* page.items
    cursor = page.cursor
  } while (cursor)
}

async function* blobsIn({ store, workspace }: Source, named: ReadonlySet<string>): AsyncGenerator<object> {
  for (const sha256 of named) {
    const found = await store.getBlob(workspace, sha256)
    if (!found) continue
    const { bytes, ...facts } = found
    yield { ...facts, base64: Buffer.from(bytes).toString('base64') }
  }
}

export async function* inMarkdown({ store, workspace }: Source, { id, title }: Conversation, head: string | null) {
  yield `# ${title.replaceAll(/\s+/g, ' ').trim() || 'Conversation'}\n`
  const path = head === null ? [] : await store.path(workspace, id, head)
  for (const entry of path) {
    const name = speaker(entry)
    if (name !== null) yield `\n## ${name}\n\n${entry.redacted ? '*removed*' : entry.text}\n`
  }
}

function speaker({ body, meta }: Entry): string | null {
  if (body.kind === 'note') return null
  const assistant = meta?.ai === false ? 'Assistant (no AI)' : 'Assistant'
  if (body.kind === 'message') return { user: 'User', assistant, system: 'System' }[body.role]
  return body.kind === 'result' ? 'Tool' : 'Summary'
}
