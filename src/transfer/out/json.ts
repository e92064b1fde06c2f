/** Our own form: everything a conversation holds (`throughline.conversation/1`), or a workspace (`throughline.archive/1`). */
import { blobsIn, entriesIn, receiptsIn } from '../../engine/export.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Store } from '../../store/contract/store.js'
import { type Exporting, sourceOf } from './source.js'

export async function* inJson(exporting: Exporting): AsyncGenerator<string> {
  const opening = { schema: 'throughline.conversation/1', ...(await openingOf(exporting)) }
  const source = sourceOf(exporting)
  yield `${JSON.stringify(opening).slice(0, -1)},"entries":[`
  const named = new Map<string, string>()
  yield* listed(entriesIn(source, named))
  yield '],"receipts":['
  yield* listed(receiptsIn(source))
  yield '],"blobs":['
  yield* listed(blobsIn(source, named))
  yield ']}'
}

/** One record a line. A conversation is whole with its `end`, and the archive with its last line. */
export async function* inArchive(store: Store, workspace: string): AsyncGenerator<string> {
  yield line({ schema: 'throughline.archive/1' })
  let conversations = 0
  for await (const conversation of conversationsIn(store, workspace)) {
    const source = { store, workspace, conversation: conversation.id }
    const named = new Map<string, string>()
    let entries = 0
    yield line(await openingOf({ store, workspace, conversation }))
    for await (const entry of entriesIn(source, named)) {
      entries++
      yield line({ entry })
    }
    for await (const receipt of receiptsIn(source)) yield line({ receipt })
    for await (const blob of blobsIn(source, named)) yield line({ blob })
    yield line({ end: { conversation: conversation.id, entries } })
    conversations++
  }
  yield line({ archive: { conversations } })
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

/** Archived ones too, the newest first. */
async function* conversationsIn(store: Store, workspace: string): AsyncGenerator<Conversation> {
  for (const archived of [false, true])
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await store.list(workspace, { limit: 100, archived, ...(cursor && { cursor }) })
      yield* page.items
      cursor = page.cursor
    }
}

/** Before the entries, so that every head is among them. */
async function openingOf({ store, workspace, conversation }: Omit<Exporting, 'head'>) {
  const branches = await store.branches(workspace, conversation.id)
  return { conversation, branches, drafts: await store.drafts(workspace, conversation.id) }
}

async function* listed(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let first = true
  for await (const value of values) {
    yield `${first ? '' : ','}${JSON.stringify(value)}`
    first = false
  }
}
