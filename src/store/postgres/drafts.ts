/** Branches and drafts: what moves and what is not yet part of the log. */
import type { Store } from '../contract.js'
import { bounds, checkBatch, checkJson, checkName, checkText, checkWorkspace } from '../gate.js'
import { moved } from '../memory/room.js'
import { refusal } from '../refuse.js'
import { grown, known, type Target, whereabouts } from './append.js'
import type { Call, Driver } from './driver.js'
import { checkState, missing, name, stateOf, within } from './find.js'
import { toBranch, toDraft } from './rows.js'
import * as sql from './statements.js'

type Drafts = Pick<Store, 'openDraft' | 'saveDraft' | 'drafts' | 'promoteDraft' | 'claimDrafts'>

export function branches(driver: Driver): Pick<Store, 'branches' | 'setBranch' | 'removeBranch'> {
  return {
    async branches(workspace, id) {
      checkWorkspace(workspace)
      const [found] = await within(driver, workspace, id, [sql.listBranches, [workspace, name(id)]])
      return found?.rows.map(toBranch) ?? []
    },

    async setBranch(workspace, id, move) {
      checkName(move.name, 'branch')
      checkWorkspace(workspace)
      const conversation = [workspace, name(id)]
      const first: Call[] = [
        [sql.lock, conversation],
        [sql.getBranch, [...conversation, move.name]],
        [sql.entryExists, [...conversation, name(move.head ?? '')]],
      ]
      return driver.write(workspace, first, async ([locked, branch, entry], ask) => {
        if (!locked?.rows.length) checkState((await ask(stateOf(workspace, id)))[0], id)
        const head = (branch?.rows[0]?.head ?? null) as string | null
        if (head !== move.expect) throw moved(head)
        if (move.head !== null && !entry?.rows.length) throw unknownParent('head', move.head)
        return {
          calls: [[sql.putBranch, [...conversation, move.name, move.head, move.at]]],
          answer: { name: move.name, head: move.head, updatedAt: move.at },
        }
      })
    },

    async removeBranch(workspace, id, branch) {
      checkWorkspace(workspace)
      const values = [workspace, name(id), name(branch)]
      const [removed, state] = await driver.once(workspace, [sql.removeBranch, values], stateOf(workspace, id))
      checkState(state, id)
      if (removed?.rowCount === 0) throw missing('branch', 'branch', branch)
    },
  }
}

export function drafts(driver: Driver): Drafts {
  return {
    async openDraft(workspace, id, draft) {
      checkName(draft.id, 'draft.id')
      checkName(draft.branch, 'draft.branch')
      checkWorkspace(workspace)
      const conversation = [workspace, name(id)]
      const first: Call[] = [
        [sql.hold, conversation],
        [
          sql.openDraft,
          [...conversation, draft.id, draft.branch, draft.parent, draft.at, secondsOf(draft.leaseSeconds)],
        ],
        [sql.entryExists, [...conversation, name(draft.parent ?? '')]],
      ]
      return driver.write(workspace, first, async ([held, opened, parent], ask) => {
        if (!held?.rows.length) checkState((await ask(stateOf(workspace, id)))[0], id)
        const row = opened?.rows[0]
        if (!row) throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: draft.id })
        if (draft.parent !== null && !parent?.rows.length) throw unknownParent('draft.parent', draft.parent)
        return { calls: [], answer: toDraft(row) }
      })
    },

    async saveDraft(workspace, id, save) {
      checkText(save.text, 'draft.text', bounds.entry)
      checkJson(save.body ?? null, 'draft.body')
      checkWorkspace(workspace)
      const draft = [workspace, name(id), name(save.id)]
      const body = JSON.stringify(save.body ?? null)
      const [saved, state, found] = await driver.once(
        workspace,
        [sql.saveDraft, [...draft, save.epoch, save.text, body, secondsOf(save.leaseSeconds)]],
        stateOf(workspace, id),
        [sql.getDraft, draft],
      )
      const row = saved?.rows[0]
      if (row) return toDraft(row)
      checkState(state, id)
      throw lost(save.id, found?.rows[0]?.epoch)
    },

    async drafts(workspace, id) {
      checkWorkspace(workspace)
      const [found] = await within(driver, workspace, id, [sql.listDrafts, [workspace, name(id)]])
      return found?.rows.map(toDraft) ?? []
    },

    async promoteDraft(workspace, id, promotion) {
      const batch = promotion.entries
      checkBatch(batch)
      checkWorkspace(workspace)
      const conversation = name(id)
      const own: Call = [sql.removeDraft, [workspace, conversation, name(promotion.id)]]
      const first: Call[] = [
        [sql.lock, [workspace, conversation]],
        [sql.getEntries, [workspace, conversation, batch.map((entry) => entry.id)]],
        [sql.lockDraft, [workspace, conversation, name(promotion.id)]],
      ]
      return driver.write(workspace, first, async ([locked, found, drafted], ask) => {
        const row = locked?.rows[0]
        if (!row) checkState((await ask(stateOf(workspace, id)))[0], id)
        const repeated = known(found?.rows ?? [], batch)
        const draft = drafted?.rows[0] && toDraft(drafted.rows[0])
        if (repeated && !draft) return { calls: [], answer: repeated }
        if (draft?.epoch !== promotion.epoch || !draft) throw lost(promotion.id, draft?.epoch)
        if (repeated) return { calls: [own], answer: repeated }
        const options = { branch: draft.branch, from: draft.parent, at: promotion.at }
        const target: Target = { workspace, conversation, options, moves: true }
        const place = await ask(...whereabouts(target, batch))
        const { calls, answer } = grown(target, batch, row?.entries as number, place)
        return { calls: [...calls, own], answer }
      })
    },

    async claimDrafts(workspace, leaseSeconds) {
      checkWorkspace(workspace)
      const [claimed] = await driver.once(workspace, [sql.claimDrafts, [workspace, secondsOf(leaseSeconds)]])
      return claimed?.rows.map(toDraft) ?? []
    },
  }
}

const unknownParent = (field: string, value: string) =>
  refusal('unknown_parent', 'there is no such entry', { field, value })

function lost(id: string, epoch: unknown) {
  if (epoch === undefined) return missing('draft', 'draft.id', id)
  return refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: epoch })
}

/** A century is as good as for ever, and an interval can hold it. */
const century = 3_155_760_000
const secondsOf = (lease: number): number => Math.max(-century, Math.min(century, Number.isNaN(lease) ? 0 : lease))
