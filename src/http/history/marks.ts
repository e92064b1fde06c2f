/** What people think of messages: marks and ratings are records beside the log, which itself never changes. */
import { z } from 'zod'
import { aboutEntry, markEntry, markIn, markOf, recordsOf } from '../../engine/marks.js'
import { entryMarked } from '../../engine/news.js'
import { type Marks, unmarked } from '../../operations/shapes/message.js'
import type { StoredRecord } from '../../store/contract/record.js'
import type { Context } from '../context.js'

type At = Pick<Context, 'frame' | 'workspace'>

const ratingBody = z.object({ entry: z.string(), value: z.int(), note: z.string().nullable() })

export async function mark(
  { frame, workspace }: At,
  conversation: string,
  entry: string,
  change: { readonly pinned?: boolean | undefined; readonly excluded?: boolean | undefined },
): Promise<void> {
  await markEntry(frame.sources(workspace, conversation), entry, change, frame.env.now())
}

export async function rate(
  { frame, workspace }: At,
  conversation: string,
  entry: string,
  body: { readonly value: number; readonly note: string | null },
): Promise<void> {
  const at = frame.env.now()
  const id = aboutEntry(conversation, entry)
  await frame.store.commit(workspace, conversation, [
    { do: 'put-record', record: { kind: 'rating', id, body: { entry, ...body }, at } },
    { do: 'emit', events: [entryMarked(entry)], at },
  ])
}

/** With the words of an entry goes what was said about it. */
export async function unmark({ frame, workspace }: At, conversation: string, entry: string): Promise<void> {
  const id = aboutEntry(conversation, entry)
  for (const kind of ['mark', 'rating']) await frame.store.removeRecord(workspace, kind, id)
}

export async function marksOf({ frame, workspace }: At, conversation: string, entry: string): Promise<Marks> {
  const [{ pinned, excluded }, rating] = await Promise.all([
    markOf(frame.sources(workspace, conversation), entry),
    frame.store.getRecord(workspace, 'rating', aboutEntry(conversation, entry)),
  ])
  return { pinned, excluded, rating: rating ? ratingIn(rating) : null }
}

/** All of a conversation, by entry. */
export async function allMarks({ frame, workspace }: At, conversation: string): Promise<(entry: string) => Marks> {
  const source = frame.sources(workspace, conversation)
  const found = new Map<string, Marks>()
  for (const record of await recordsOf(source, 'mark')) {
    const { entry, pinned, excluded } = markIn(record)
    found.set(entry, { pinned, excluded, rating: null })
  }
  for (const record of await recordsOf(source, 'rating')) {
    const { entry } = ratingBody.parse(record.body)
    found.set(entry, { ...(found.get(entry) ?? unmarked), rating: ratingIn(record) })
  }
  return (entry) => found.get(entry) ?? unmarked
}

function ratingIn({ body, updatedAt }: StoredRecord): NonNullable<Marks['rating']> {
  const { value, note } = ratingBody.parse(body)
  return { value, note, at: updatedAt }
}
