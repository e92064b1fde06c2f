/** What an append asks first, and what it writes. */
import type { Appended, AppendOptions } from '../contract.js'
import type { Body, Entry, NewEntry } from '../entry.js'
import { checkJson, plainEntry, requestHash } from '../gate.js'
import { checkAnswer, type Link, link } from '../link.js'
import { moved, repeatedOf } from '../memory/room.js'
import { refusal } from '../refuse.js'
import type { Call, Outcome, Result, Row } from './driver.js'
import { fromEntry, toEntry, toLink } from './rows.js'
import * as sql from './statements.js'

/** Whose log, and where in it. */
export interface Target {
  readonly workspace: string
  readonly conversation: string
  readonly options: AppendOptions
}

/** The stored entries among those to be written: an exact retry finds all of them. */
export function known(rows: readonly Row[], batch: readonly NewEntry[]): Appended | null {
  if (rows.length === 0) return null
  return repeatedOf({ byId: new Map(rows.map(toEntry).map((entry) => [entry.id, entry])) }, batch)
}

export const requestOf = (batch: readonly NewEntry[], { branch, expect, from }: AppendOptions): string =>
  requestHash(batch, branch, expect ?? null, from ?? null)

/** What was answered before under the same key. */
export function answered(rows: readonly Row[], request: string, key: string): Appended | null {
  const last = rows.at(-1)
  if (!last) return null
  if (last.request !== request)
    throw refusal('key_reused', 'this key was used for another request', { field: 'key', value: key })
  return { entries: rows.map(toEntry), head: last.id as string, repeated: true }
}

/** Where the entries go, and what the path there knows of the calls they answer. */
export function whereabouts(target: Target, batch: readonly NewEntry[]): readonly Call[] {
  const { workspace, conversation, options } = target
  const start = [workspace, conversation, options.branch, options.from !== undefined, options.from ?? null]
  const asked = new Set(batch.flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : [])))
  return asked.size === 0
    ? [[sql.place, start]]
    : [
        [sql.place, start],
        [sql.nearest, [...start, [...asked]]],
      ]
}

/** `count` entries stand in the conversation; the results are those of `whereabouts`. */
export function grown(
  target: Target,
  batch: readonly NewEntry[],
  count: number,
  [place, nearest]: readonly Result[],
): Outcome<Appended> {
  const { workspace, conversation, options } = target
  const found = place?.rows[0] as Row
  const head = found.head_id as string | null
  if (options.expect !== undefined && options.expect !== head) throw moved(head)
  const from = options.from === undefined ? head : options.from
  if (from !== null && found.id === null)
    throw refusal('unknown_parent', 'there is no such entry', { field: 'from', value: from })

  const start = from === null ? null : toLink(found)
  const added = linked(batch, start, count, (nearest?.rows ?? []).map(hitOf))
  const last = added.at(-1) as Entry
  const bytes = added.reduce((sum, entry) => sum + Buffer.byteLength(entry.text) + checkJson(entry.body, 'body'), 0)
  const calls: Call[] = added.map((entry, i) => {
    const parentSeq = i === 0 ? (start?.seq ?? null) : entry.seq - 1
    return [sql.insertEntry, [workspace, conversation, ...fromEntry(entry, parentSeq)]]
  })
  calls.push([sql.putBranch, [workspace, conversation, options.branch, last.id, options.at]])
  calls.push([sql.grow, [workspace, conversation, last.seq, bytes, options.at]])
  if (options.key !== undefined) {
    const range = [count + 1, last.seq]
    calls.push([sql.putKey, [workspace, conversation, options.key, requestOf(batch, options), ...range]])
  }
  return { calls, answer: { entries: added, head: last.id, repeated: false } }
}

function linked(batch: readonly NewEntry[], start: Link | null, count: number, hits: readonly Body[]): Entry[] {
  const added: Entry[] = []
  let parent = start
  for (const entry of batch) {
    checkAnswer(entry.body, newestFirst(added, hits))
    const next = link(plainEntry(entry), parent, count + added.length + 1)
    added.push(next)
    parent = next
  }
  return added
}

function* newestFirst(added: readonly Entry[], hits: readonly Body[]): Generator<Pick<Entry, 'body'>> {
  for (let i = added.length - 1; i >= 0; i--) yield added[i] as Entry
  for (const body of hits) yield { body }
}

/** The nearest entry that has to do with a call, as far as it matters here. */
function hitOf(row: Row): Body {
  const id = row.call_id as string
  if (row.answered) return { kind: 'result', callId: id, state: 'ok', output: [] }
  const call = { type: 'call', id, name: '', input: {}, outcome: { state: 'pending' } } as const
  return { kind: 'message', role: 'assistant', parts: [call], status: 'complete' }
}
