import type { Branch, BranchMove } from '../contract/branch.js'
import type { Store } from '../contract/store.js'
import { moved } from '../memory/room.js'
import { refusal } from '../shared/refuse.js'
import { find, type Key, keyOf, type Sqlite } from './desk.js'
import type { Database } from './driver.js'
import { toBranch } from './rows.js'
import { branchSeal } from './seal.js'
import { type Held, headOf, nothingNew, writeTo } from './standing.js'
import * as sql from './statements.js'

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
