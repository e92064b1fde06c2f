import type { Branch, BranchMove } from '../contract/branch.js'
import type { Conversation, ListQuery } from '../contract/conversation.js'
import type { Page } from '../contract/page.js'
import type { Store } from '../contract/store.js'
import { moved } from '../memory/room.js'
import { plain } from '../shared/gate.js'
import { decodeCursor, limitOf, listKey, pageOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { prepared, takeAll } from './commit.js'
import { find, type Key, keyOf, missing, type Sqlite } from './desk.js'
import type { Database } from './driver.js'
import { branchSeal, conversationSeal, stampOf, toBranch, toConversation } from './rows.js'
import { type Held, headOf, nothingNew, writeTo } from './standing.js'
import * as sql from './statements.js'

export const conversations = (desk: Sqlite): Pick<Store, 'create' | 'get' | 'list' | 'update'> => ({
  async create(workspace, input) {
    const key = keyOf(workspace, input.id)
    const { title = '', folder = null, tags = [], meta = {}, at } = input
    const steps = prepared(input.steps ?? [])
    const facts = factsOf({ title, folder, tags, pinned: false, archived: false, meta })
    const row = { ...key, ...facts, at, seal: conversationSeal({ ...facts, created_at: at }), stamp: stampOf(at) }
    return desk.group.write(() => {
      if (desk.db.get(sql.tombstone, key)) throw missing(desk.db, key)
      if (desk.db.get(sql.hasConversation, key))
        throw refusal('id_conflict', 'there is a conversation with this id', {
          field: 'conversation.id',
          value: input.id,
        })
      desk.db.run(sql.addConversation, row)
      if (steps.length > 0) takeAll(desk, key, steps)
      return read(desk, key)
    })
  },

  async get(workspace, conversation) {
    const key = keyOf(workspace, conversation)
    return desk.group.look(() => {
      const row = desk.db.get(sql.conversation, key)
      return row ? toConversation(row) : null
    })
  },

  async list(workspace, query) {
    return desk.group.read(() => list(desk, workspace, query))
  },

  async update(workspace, conversation, patch) {
    const key = keyOf(workspace, conversation)
    const { at, ...given } = plain(patch)
    return desk.group.write(() => {
      const next = { ...read(desk, key), ...given }
      const facts = factsOf(next)
      const seal = conversationSeal({ ...facts, created_at: next.createdAt })
      desk.db.run(sql.setConversation, { ...key, ...facts, at, seal, stamp: stampOf(at) })
      return read(desk, key)
    })
  },
})

type Facts = Pick<Conversation, 'title' | 'folder' | 'tags' | 'pinned' | 'archived' | 'meta'>

const factsOf = ({ title, folder, tags, pinned, archived, meta }: Facts) => ({
  ...{ title, folder, pinned: Number(pinned), archived: Number(archived) },
  ...{ tags: JSON.stringify(tags), meta: JSON.stringify(meta) },
})

function read({ db }: Sqlite, key: Key): Conversation {
  const row = db.get(sql.conversation, key)
  if (!row) throw missing(db, key)
  return toConversation(row)
}

/** The pinned ones, then the others: each a stretch of one index. */
function list({ db }: Sqlite, workspace: string, query: ListQuery): Page<Conversation> {
  const [group, at = '', after = ''] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 3)
  const limit = limitOf(query.limit)
  const filter = {
    workspace,
    archived: query.archived === undefined ? null : Number(query.archived),
    folder: query.folder === undefined ? null : query.folder,
    tag: query.tag === undefined ? null : query.tag,
  }
  const found: Conversation[] = []
  for (const pinned of ['0', '1']) {
    if (query.pinned !== undefined && query.pinned !== (pinned === '0')) continue
    if (group !== undefined && pinned < group) continue
    const values = { ...filter, pinned: pinned === '0' ? 1 : 0, limit: limit + 1 - found.length }
    const rows = pinned === group ? db.all(sql.listAfter, { ...values, at, after }) : db.all(sql.listFirst, values)
    found.push(...rows.map(toConversation))
  }
  return pageOf(found, limit, listKey)
}

export const branches = (desk: Sqlite): Pick<Store, 'branches' | 'setBranch' | 'removeBranch'> => ({
  async branches(workspace, conversation) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      find(desk, key)
      return desk.db.all(sql.allBranches, key).map(toBranch)
    })
  },

  async setBranch(workspace, conversation, move) {
    const key = keyOf(workspace, conversation)
    const given = { ...move }
    return writeTo(desk, key, nothingNew, (held) => setBranch(desk, held, given))
  },

  async removeBranch(workspace, conversation, name) {
    const key = keyOf(workspace, conversation)
    return writeTo(desk, key, nothingNew, ({ heads }) => {
      heads.delete(name)
      if (desk.db.run(sql.removeBranch, { ...key, branch: name }) === 0)
        throw refusal('not_found', 'there is no such branch', { field: 'branch', value: name })
      desk.db.run(sql.countBranch, { ...key, more: -1 })
    })
  },
})

/** The only writer of a branch: the conversation knows how many it has, so that one that is gone is missed. */
export function putBranch(
  db: Database,
  key: Key,
  { name, head, at }: Omit<BranchMove, 'expect'>,
  mayBeNew: boolean,
): void {
  if (mayBeNew && !db.get(sql.branchByName, { ...key, branch: name })) db.run(sql.countBranch, { ...key, more: 1 })
  db.run(sql.moveBranch, { ...key, branch: name, head, at, seal: branchSeal(name, head, at) })
}

export function setBranch(desk: Sqlite, held: Held, { name, head, expect, at }: BranchMove): Branch {
  const { db } = desk
  const { key, heads } = held
  const current = headOf(desk, held, name)?.id ?? null
  if (current !== expect) throw moved(current)
  if (head !== null && !db.get(sql.seqById, { ...key, id: head }))
    throw refusal('unknown_parent', 'there is no such entry', { field: 'head', value: head })
  putBranch(db, key, { name, head, at }, current === null)
  heads.delete(name)
  return { name, head, updatedAt: at }
}
