/** A conversation to take away: all of it as JSON, or one branch as Markdown, piece by piece. */
import { z } from 'zod'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry } from '../store/contract/entry.js'
import type { StoredReceipt } from '../store/contract/keeping.js'
import type { Store } from '../store/contract/store.js'
import { blobsOf } from '../store/shared/link.js'
import { findConversation, findHead } from './find.js'
import { streamOperation } from './operation.js'
import { branchName } from './shapes/branch.js'
import { conversation_id } from './shapes/common.js'

export const exportConversation = streamOperation({
  name: 'conversations.export',
  summary: 'Everything it holds as JSON, or a branch as Markdown',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    conversation_id,
    format: z.enum(['json', 'markdown']).default('json'),
    branch: branchName.default('main').describe('Of the Markdown; JSON has them all'),
  }),
  output: z.string().describe('Pieces of `throughline.conversation/1`, or of Markdown'),
  run: async function* (context, { conversation_id, format, branch }) {
    const found = await findConversation(context, conversation_id)
    const source = { store: context.store, workspace: context.workspace, conversation: found.id }
    if (format === 'json') yield* inJson(source, found)
    else yield* inMarkdown(source, found, await findHead(context, found.id, branch))
  },
})

interface Source {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
}

async function* inJson(source: Source, conversation: Conversation): AsyncGenerator<string> {
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

async function* inMarkdown({ store, workspace }: Source, { id, title }: Conversation, head: string | null) {
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
