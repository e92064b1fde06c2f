import type { Reach, Store, Stretch } from '../contract.js'
import type { Entry } from '../entry.js'
import { limitOf } from '../page.js'
import { refusal } from '../refuse.js'
import { faultsOf } from '../verify.js'
import { append, ready } from './append.js'
import { type Desk, find, type Key, keyOf } from './desk.js'
import type { Row } from './driver.js'
import { toEntry } from './rows.js'
import * as sql from './statements.js'

type Reads = 'entry' | 'path' | 'window' | 'feed' | 'children' | 'verify'

export const entries = (desk: Desk): Pick<Store, 'append' | Reads> => ({
  async append(workspace, conversation, batch, options) {
    const key = keyOf(workspace, conversation)
    const [given, where] = [ready(batch, options), { ...options }]
    return desk.group.write(() => append(desk, key, given, where))
  },

  async entry(workspace, conversation, id) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => byId(desk, key, id))
  },

  async path(workspace, conversation, head, limit = Number.POSITIVE_INFINITY) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      const rows = desk.db.all(sql.path, { ...key, head, limit })
      if (rows.length > 0) return inOrder(rows)
      find(desk, key)
      if (!byId(desk, key, head)) throw refusal('not_found', 'there is no such entry', { field: 'head', value: head })
      return []
    })
  },

  async window(workspace, conversation, branch, reach) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      const row = desk.db.get(sql.headOf, { ...key, branch })
      if (row) return stretch(desk, key, row, reach)
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
    return desk.group.read(() => {
      find(desk, key)
      const all = desk.db.all(sql.entriesAfter, { ...key, after: 0, limit: -1 }).map(toEntry)
      const faults = faultsOf(all)
      return faults.length === 0 ? { ok: true, entries: all.length } : { ok: false, entries: all.length, faults }
    })
  },
})

function stretch(desk: Desk, key: Key, row: Row, reach: Reach): Stretch {
  const {
    tokens = Number.POSITIVE_INFINITY,
    entries = Number.POSITIVE_INFINITY,
    turns = Number.POSITIVE_INFINITY,
  } = reach
  const head = toEntry(row)
  const back = desk.db.all(sql.reach, {
    ...key,
    parent: row.parent_seq as number | null,
    total: head.total,
    turns: head.turns,
    tokens,
    entries,
    back: turns,
  })
  const read = [...inOrder(back), head]
  const isRead = new Set(read.map((entry) => entry.id))
  const outside = (id: string | null): Entry | null => (id === null || isRead.has(id) ? null : byId(desk, key, id))
  return { head, entries: read, opener: outside(head.opener), summary: outside(head.summary) }
}

function byId({ db }: Desk, key: Key, id: string): Entry | null {
  const row = db.get(sql.entryById, { ...key, id })
  return row ? toEntry(row) : null
}

/** Along a path, too, `seq` grows. */
const inOrder = (rows: readonly Row[]): Entry[] => rows.map(toEntry).sort((one, other) => one.seq - other.seq)
