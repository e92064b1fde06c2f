import type { Reach, Stretch } from '../contract/append.js'
import type { Entry } from '../contract/entry.js'
import type { Spot } from '../contract/search.js'
import type { Store } from '../contract/store.js'
import { limitOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { nextTurn } from '../shared/turn.js'
import { verdictOf } from '../shared/verify.js'
import { growthBy, ready, write, writtenBefore } from './append.js'
import { checkConversation } from './check.js'
import { find, type Key, keyOf, type Sqlite } from './desk.js'
import type { Row } from './driver.js'
import { toEntry } from './rows.js'
import { writeTo } from './standing.js'
import * as sql from './statements.js'

type Reads = 'entry' | 'pick' | 'path' | 'window' | 'feed' | 'children' | 'verify'

export const entries = (desk: Sqlite): Pick<Store, 'append' | Reads> => ({
  async append(workspace, conversation, batch, options) {
    const key = keyOf(workspace, conversation)
    const [given, where] = [ready(batch, options), { ...options }]
    return writeTo(desk, key, growthBy([{ batch: given, at: where.at }]), (held) => write(desk, held, given, where), {
      before: () => writtenBefore(desk.db, key, given, where.key),
      careful: where.key !== undefined,
      remember: ({ entries }, revision) => desk.recent.keep(key, revision, entries),
    })
  },

  async entry(workspace, conversation, id) {
    const key = keyOf(workspace, conversation)
    return desk.group.look(() => {
      const revision = desk.db.get(sql.revisionOf, key)?.revision as number | undefined
      return revision === undefined ? null : (desk.recent.entry(key, revision, id) ?? byId(desk, key, id))
    })
  },

  async pick(workspace, spots) {
    const rows = await desk.group.look(() => desk.db.all(sql.entriesAt, { workspace, spots: spotsOf(spots) }))
    const found = new Map(rows.map((row) => [row.at as number, toEntry(row)]))
    return spots.map((_, at) => found.get(at) ?? null)
  },

  async path(workspace, conversation, head, limit = Number.POSITIVE_INFINITY) {
    const key = keyOf(workspace, conversation)
    const page = (from: string, most: number): readonly Entry[] => {
      const rows = desk.db.all(sql.path, { ...key, head: from, limit: most })
      if (rows.length > 0) return inOrder(rows)
      find(desk, key)
      if (!byId(desk, key, from)) throw refusal('not_found', 'there is no such entry', { field: 'head', value: head })
      return []
    }
    const pages: (readonly Entry[])[] = []
    let left = limit
    for (let from: string | null = head; from !== null; ) {
      if (pages.length > 0) await nextTurn()
      const [at, most]: [string, number] = [from, Math.min(left, stride)]
      const read: readonly Entry[] = await desk.group.read(() => page(at, most))
      pages.unshift(read)
      left -= read.length
      from = left > 0 ? (read[0]?.parent ?? null) : null
    }
    return pages.flat()
  },

  async window(workspace, conversation, branch, reach) {
    const key = keyOf(workspace, conversation)
    const found = await desk.group.look(() => stretch(desk, key, branch, reach))
    if (found) return found
    return desk.group.read(() => {
      find(desk, key)
      return { head: null, entries: [], opener: null, summary: null }
    })
  },

  async feed(workspace, conversation, after, limit) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      find(desk, key)
      const rows = desk.db.all(sql.entriesAfter, { ...key, after, limit: limitOf(limit, 10_000) })
      return rows.map(toEntry)
    })
  },

  async children(workspace, conversation, parent) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      find(desk, key)
      if (parent === null) return desk.db.all(sql.roots, key).map(toEntry)
      const seq = desk.db.get(sql.seqById, { ...key, id: parent })?.seq
      return seq === undefined ? [] : inOrder(desk.db.all(sql.childrenOf, { ...key, parent: seq }))
    })
  },

  async verify(workspace, conversation) {
    const key = keyOf(workspace, conversation)
    let steps = checkConversation(desk.db, key)
    for (;;) {
      const step = await desk.group.read(() => {
        find(desk, key)
        try {
          return steps.next()
        } catch (error) {
          // whoever waits for a lock and asks again begins anew
          steps = checkConversation(desk.db, key)
          throw error
        }
      })
      if (step.done) return verdictOf(step.value)
      await nextTurn()
    }
  },
})

const { POSITIVE_INFINITY: all } = Number

/** A long path is read so many entries at a time, and others have their turn: none of them changes under its id. */
const stride = 250

const spotsOf = (spots: readonly Spot[]): string =>
  JSON.stringify(spots.map(({ conversation, seq }) => [conversation, seq]))

function stretch({ db, recent }: Sqlite, key: Key, branch: string, reach: Reach): Stretch | null {
  const at = db.get(sql.headAndRevision, { ...key, branch })
  if (!at?.head_id) return null
  const revision = at.revision as number
  const known = recent.stretch(key, revision, at.head_id as string, reach)
  if (known) return known
  const { tokens = all, entries = all, turns: back = all } = reach
  const rows = db.all(sql.window, { ...key, branch, tokens, entries, back })
  const read = inOrder(rows.filter(({ aside }) => aside === 0))
  const head = read.at(-1)
  if (!head) return null
  const isRead = new Set(read.map(({ id }) => id))
  const others = rows.filter(({ aside }) => aside === 1).map(toEntry)
  recent.keep(key, revision, [...read, ...others])
  const outside = (id: string | null): Entry | null =>
    id === null || isRead.has(id) ? null : (others.find((other) => other.id === id) ?? null)
  return { head, entries: read, opener: outside(head.opener), summary: outside(head.summary) }
}

function byId({ db }: Sqlite, key: Key, id: string): Entry | null {
  const row = db.get(sql.entryById, { ...key, id })
  return row ? toEntry(row) : null
}

/** Along a path, too, `seq` grows. */
const inOrder = (rows: readonly Row[]): Entry[] => rows.map(toEntry).sort((one, other) => one.seq - other.seq)
