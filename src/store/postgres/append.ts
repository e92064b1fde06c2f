/** What an append asks first, and what it writes. */
import type { Appended, AppendOptions } from '../contract.js'
import type { Body, Entry, NewEntry } from '../entry.js'
import { checkJson, requestHash } from '../gate.js'
import { checkAnswer, type Link, link } from '../link.js'
import { moved, repeatedOf } from '../memory/room.js'
import { refusal } from '../refuse.js'
import type { Call, Outcome, Result, Row } from './driver.js'
import { fromEntry, plain, toEntry } from './rows.js'
import * as sql from './statements.js'

/** Whose log, and where in it. */
export interface Target {
  readonly workspace: string
  readonly conversation: string
  readonly options: AppendOptions
  /** The entries begin at `options.from`, not at the head. */
  readonly moves: boolean
}

/** The stored entries among those to be written: an exact retry finds all of them. */
export function known(rows: readonly Row[], batch: readonly NewEntry[]): Appended | null {
  if (rows.length === 0) return null
  return repeatedOf({ byId: new Map(rows.map(toEntry).map((entry) => [entry.id, entry])) }, batch)
}

export const requestOf = (batch: readonly NewEntry[], { branch, expect, from }: AppendOptions): string =>
  requestHash(batch, branch, expect ?? null, from ?? null)

/** An answer that was given before under the same key. */
export function answered(rows: readonly Row[], request: string, key: string): Appended | null {
  const last = rows.at(-1)
  if (!last) return null
  if (last.request !== request)
    throw refusal('key_reused', 'this key was used for another request', { field: 'key', value: key })
  return { entries: rows.map(toEntry), head: last.id as string, repeated: true }
}

/** Where the entries go, and what the path there knows of the calls they answer. */
export function whereabouts(target: Target, batch: readonly NewEntry[]): readonly Call[] {
  const { workspace, conversation, options, moves } = target
  const start = [workspace, conversation, options.branch, moves, options.from ?? null]
  const asked = new Set(batch.flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : [])))
  return [[sql.place, start], ...(asked.size > 0 ? [[sql.nearest, [...start, [...asked]]] as Call] : [])]
}

/** `count` entries stand in the conversation; the results are those of `whereabouts`. */
export function grown(
  target: Target,
  batch: readonly NewEntry[],
  count: number,
  [place, nearest]: readonly Result[],
): Outcome<Appended> {
  const { workspace, conversation, options, moves } = target
  const found = place?.rows[0] as Row
  const head = found.head as string | null
  if (options.expect !== undefined && options.expect !== head) throw moved(head)
  const from = moves ? (options.from ?? null) : head
  if (from !== null && found.id === null)
    throw refusal('unknown_parent', 'there is no such entry', { field: 'from', value: from })

  const added = linked(batch, from === null ? null : (found as unknown as Link), count, hitsOf(nearest?.rows ?? []))
  const last = added.at(-1) as Entry
  const bytes = added.reduce((sum, entry) => sum + Buffer.byteLength(entry.text) + checkJson(entry.body, 'body'), 0)
  const calls: Call[] = added.map((entry) => [sql.insertEntry, [workspace, conversation, ...fromEntry(entry)]])
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
    checkAnswer(entry.body, [...added.toReversed(), ...hits.map((body) => ({ body }))])
    const next = link(plain(entry), parent, count + added.length + 1)
    added.push(next)
    parent = next
  }
  return added
}

/** The nearest entry for each call, as far as it matters here. */
function hitsOf(rows: readonly Row[]): readonly Body[] {
  return rows.map(({ call, answered }) =>
    answered
      ? { kind: 'result', callId: call as string, state: 'ok', output: [] }
      : { kind: 'message', role: 'assistant', status: 'complete', parts: [{ type: 'call', id: call } as never] },
  )
}
