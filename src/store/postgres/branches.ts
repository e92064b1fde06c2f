/** Branches: names for heads that move by compare-and-swap. */

import type { Branch, BranchMove } from '../contract/branch.js'
import type { Store } from '../contract/store.js'
import { moved } from '../memory/room.js'
import { type Call, countOf } from './batch.js'
import type { Driver } from './driver.js'
import { checkState, notThere, readIn, stateOf, unknownParent } from './find.js'
import { toBranch } from './rows.js'
import * as sql from './sql/branches.js'
import { lock } from './sql/frame.js'
import { entryExists } from './sql/log.js'
import { type Key, only, rowAs, type Work, work } from './work.js'

export function postgresBranches(driver: Driver): Pick<Store, 'branches' | 'setBranch' | 'removeBranch'> {
  return {
    async branches(workspace, conversation) {
      const rows = await readIn(driver, workspace, conversation, [sql.branchRows, [workspace, conversation]])
      return rows.map(toBranch)
    },

    async setBranch(workspace, conversation, move) {
      return (await only(driver, lock, [workspace, conversation], moving([workspace, conversation], move))) as Branch
    },

    async removeBranch(workspace, conversation, name) {
      const [, removed, state] = await driver.once(
        workspace,
        [lock, [workspace, conversation]],
        [sql.removeBranch, [workspace, conversation, name]],
        stateOf(workspace, conversation),
      )
      checkState(state, conversation)
      if (countOf(removed) === 0) throw notThere('branch', 'branch', name)
    },
  }
}

export function moving(key: Key, { name, head, expect, at }: BranchMove): Work {
  const call: Call = [sql.moveBranch, [...key, name, head, at, expect]]
  return work(call, rowAs(toBranch), async (ask) => {
    const [branch, entry] = await ask([sql.getBranch, [...key, name]], [entryExists, [...key, head]])
    const current = (branch?.rows[0]?.head_id ?? null) as string | null
    if (current !== expect) throw moved(current)
    if (head !== null && !entry?.rows.length) throw unknownParent('head', head)
  })
}
