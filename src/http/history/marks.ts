/** What people think of messages: marks and ratings are records beside the log, which itself never changes. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RecordPut, StoredRecord } from '../../store/contract.js'
import type { Context } from '../context.js'
import { type Marks, unmarked } from '../schemas/message.js'

type At = Pick<Context, 'frame' | 'workspace'>

const markBody = z.object({ entry: z.string(), pinned: z.boolean(), excluded: z.boolean() })
const ratingBody = z.object({ entry: z.string(), value: z.int(), note: z.string().nullable() })

const idOf = (conversation: string, entry: string): string =>
  createHash('sha256').update(`${conversation}\n${entry}`).digest('hex')

const put = (kind: 'mark' | 'rating', conversation: string, entry: string, body: object, at: string): RecordPut => ({
  kind,
  id: idOf(conversation, entry),
  conversation,
  body: { entry, ...body },
  at,
})

export async function mark(
  { frame, workspace }: At,
  conversation: string,
  entry: string,
  change: { readonly pinned?: boolean | undefined; readonly excluded?: boolean | undefined },
): Promise<void> {
  const found = await frame.store.getRecord(workspace, 'mark', idOf(conversation, entry))
  const before = found ? markBody.parse(found.body) : unmarked
  const body = { pinned: change.pinned ?? before.pinned, excluded: change.excluded ?? before.excluded }
  await frame.store.putRecord(workspace, put('mark', conversation, entry, body, frame.env.now()))
}

export async function rate(
  { frame, workspace }: At,
  conversation: string,
  entry: string,
  body: { readonly value: number; readonly note: string | null },
): Promise<void> {
  await frame.store.putRecord(workspace, put('rating', conversation, entry, body, frame.env.now()))
}

/** With the words of an entry goes what was said about it. */
export async function unmark({ frame, workspace }: At, conversation: string, entry: string): Promise<void> {
  for (const kind of ['mark', 'rating']) await frame.store.removeRecord(workspace, kind, idOf(conversation, entry))
}

export async function marksOf({ frame, workspace }: At, conversation: string, entry: string): Promise<Marks> {
  const id = idOf(conversation, entry)
  const [mark, rating] = await Promise.all([
    frame.store.getRecord(workspace, 'mark', id),
    frame.store.getRecord(workspace, 'rating', id),
  ])
  return { ...(mark ? flagsIn(mark) : unmarked), rating: rating ? ratingIn(rating) : null }
}

/** All of a conversation, by entry. */
export async function allMarks(at: At, conversation: string): Promise<(entry: string) => Marks> {
  const found = new Map<string, Marks>()
  for (const record of await every(at, 'mark', conversation))
    found.set(entryIn(record), { ...flagsIn(record), rating: null })
  for (const record of await every(at, 'rating', conversation)) {
    const entry = entryIn(record)
    found.set(entry, { ...(found.get(entry) ?? unmarked), rating: ratingIn(record) })
  }
  return (entry) => found.get(entry) ?? unmarked
}

async function every({ frame, workspace }: At, kind: string, conversation: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = []
  let cursor: string | null | undefined
  do {
    const page = await frame.store.records(workspace, {
      kind,
      conversation,
      limit: 100,
      ...(cursor ? { cursor } : null),
    })
    records.push(...page.items)
    cursor = page.cursor
  } while (cursor)
  return records
}

const entryIn = ({ body }: StoredRecord): string => z.object({ entry: z.string() }).parse(body).entry

function flagsIn({ body }: StoredRecord): Pick<Marks, 'pinned' | 'excluded'> & { readonly rating: null } {
  const { pinned, excluded } = markBody.parse(body)
  return { pinned, excluded, rating: null }
}

function ratingIn({ body, updatedAt }: StoredRecord): NonNullable<Marks['rating']> {
  const { value, note } = ratingBody.parse(body)
  return { value, note, at: updatedAt }
}
