/** Branches: names for heads that move by compare-and-swap. */
import type { Store } from '../contract.js'
import { moved } from '../memory/room.js'
import type { Call, Driver } from './driver.js'
import { checkState, missing, readIn, stateOf, unknownParent, writeIn } from './find.js'
import { toBranch } from './rows.js'
import * as sql from './statements.js'

export function branches(driver: Driver): Pick<Store, 'branches' | 'setBranch' | 'removeBranch'> {
  return {
    async branches(workspace, conversation) {
      const [found] = await readIn(driver, workspace, conversation, [sql.listBranches, [workspace, conversation]])
      return found?.rows.map(toBranch) ?? []
    },

    async setBranch(workspace, conversation, { name, head, expect, at }) {
      const calls: Call[] = [
        [sql.getBranch, [workspace, conversation, name]],
        [sql.entryExists, [workspace, conversation, head]],
      ]
      return writeIn(driver, workspace, conversation, sql.lock, calls, ([, branch, entry]) => {
        const current = (branch?.rows[0]?.head_id ?? null) as string | null
        if (current !== expect) throw moved(current)
        if (head !== null && !entry?.rows.length) throw unknownParent('head', head)
        return {
          calls: [[sql.putBranch, [workspace, conversation, name, head, at]]],
          answer: { name, head, updatedAt: at },
        }
      })
    },

    async removeBranch(workspace, conversation, name) {
      const [removed, state] = await driver.once(
        workspace,
        [sql.removeBranch, [workspace, conversation, name]],
        stateOf(workspace, conversation),
      )
      checkState(state, conversation)
      if (removed?.rowCount === 0) throw missing('branch', 'branch', name)
    },
  }
}
