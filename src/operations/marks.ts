/** What people think of messages: marks and ratings are records beside the log, which itself never changes. */
import { z } from 'zod'
import { aboutEntry, markIn, markOf, markRecords } from '../engine/window/entries.js'
import { entryMarked } from '../engine/window/news.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { OperationContext } from './context.js'
import { type Marks, unmarked } from './shapes/message.js'

type In = Pick<OperationContext, 'store' | 'sources' | 'workspace' | 'env'>

const ratingBody = z.object({ entry: z.string(), value: z.int(), note: z.string().nullable() })

export async function rate(
  { store, workspace, env }: In,
  conversation: string,
  entry: string,
  body: { readonly value: number; readonly note: string | null },
): Promise<void> {
  const at = env.now()
  const id = aboutEntry(conversation, entry)
  await store.commit(workspace, conversation, [
    { do: 'put-record', record: { kind: 'rating', id, body: { entry, ...body }, at } },
    { do: 'emit', events: [entryMarked(entry)], at },
  ])
}

/** With the words of an entry goes what was said about it. */
export async function unmark({ store, workspace }: In, conversation: string, entry: string): Promise<void> {
  const id = aboutEntry(conversation, entry)
  for (const kind of ['mark', 'rating']) await store.removeRecord(workspace, kind, id)
}

export async function marksOn({ store, sources, workspace }: In, conversation: string, entry: string): Promise<Marks> {
  const [{ pinned, excluded }, rating] = await Promise.all([
    markOf(sources(workspace, conversation), entry),
    store.getRecord(workspace, 'rating', aboutEntry(conversation, entry)),
  ])
  return { pinned, excluded, rating: rating ? ratingIn(rating) : null }
}

/** All of a conversation, by entry. */
export async function allMarks({ sources, workspace }: In, conversation: string): Promise<(entry: string) => Marks> {
  const source = sources(workspace, conversation)
  const found = new Map<string, Marks>()
  for (const record of await markRecords(source, 'mark')) {
    const { entry, pinned, excluded } = markIn(record)
    found.set(entry, { pinned, excluded, rating: null })
  }
  for (const record of await markRecords(source, 'rating')) {
    const { entry } = ratingBody.parse(record.body)
    found.set(entry, { ...(found.get(entry) ?? unmarked), rating: ratingIn(record) })
  }
  return (entry) => found.get(entry) ?? unmarked
}

function ratingIn({ body, updatedAt }: StoredRecord): NonNullable<Marks['rating']> {
  const { value, note } = ratingBody.parse(body)
  return { value, note, at: updatedAt }
}
