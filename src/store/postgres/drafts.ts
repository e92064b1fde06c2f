/** Drafts: messages that are not yet part of the log. Their leases run on the clock of the database. */
import type { AppendOptions, Draft, Store } from '../contract.js'
import { asideOf } from '../link.js'
import { compareText } from '../page.js'
import { refusal } from '../refuse.js'
import { grown, known, type Target, whereabouts } from './append.js'
import type { Ask, Call, Driver } from './driver.js'
import { checkState, missing, readIn, stateOf, unknownParent, writeIn } from './find.js'
import { toDraft } from './rows.js'
import * as sql from './statements.js'

type Drafts = Pick<Store, 'openDraft' | 'saveDraft' | 'drafts' | 'promoteDraft' | 'claimDrafts'>

export function drafts(driver: Driver): Drafts {
  return {
    async openDraft(workspace, conversation, { id, branch, parent, at, leaseSeconds }) {
      const calls: Call[] = [
        [sql.openDraft, [workspace, conversation, id, branch, parent, at, leaseSeconds]],
        [sql.entryExists, [workspace, conversation, parent]],
      ]
      return writeIn(driver, workspace, conversation, sql.hold, calls, ([, opened, entry]) => {
        const row = opened?.rows[0]
        if (!row) throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: id })
        if (parent !== null && !entry?.rows.length) throw unknownParent('draft.parent', parent)
        return { calls: [], answer: toDraft(row) }
      })
    },

    async saveDraft(workspace, conversation, { id, epoch, text, body, leaseSeconds }) {
      const json = JSON.stringify(body ?? null)
      const [saved, state, found] = await driver.once(
        workspace,
        [sql.saveDraft, [workspace, conversation, id, epoch, text, json, leaseSeconds]],
        stateOf(workspace, conversation),
        [sql.getDraft, [workspace, conversation, id]],
      )
      const row = saved?.rows[0]
      if (row) return toDraft(row)
      checkState(state, conversation)
      throw lost(id, found?.rows[0]?.epoch)
    },

    async drafts(workspace, conversation) {
      const [found] = await readIn(driver, workspace, conversation, [sql.listDrafts, [workspace, conversation]])
      return found?.rows.map(toDraft) ?? []
    },

    async promoteDraft(workspace, conversation, { id, epoch, entries, at }) {
      const removal: Call = [sql.removeDraft, [workspace, conversation, id]]
      const calls: Call[] = [
        [sql.getEntries, [workspace, conversation, entries.map((entry) => entry.id)]],
        [sql.lockDraft, [workspace, conversation, id]],
      ]
      return writeIn(driver, workspace, conversation, sql.lock, calls, async ([locked, found, drafted], ask) => {
        const repeated = known(found?.rows ?? [], entries)
        const row = drafted?.rows[0]
        if (repeated && !row) return { calls: [], answer: repeated }
        if (row?.epoch !== epoch) throw lost(id, row?.epoch)
        if (repeated) return { calls: [removal], answer: repeated }
        const options = { ...(await placeOf(toDraft(row), workspace, ask)), at }
        const target: Target = { workspace, conversation, options }
        const place = await ask(...whereabouts(target, entries))
        const written = grown(target, entries, locked?.rows[0]?.entries as number, place)
        return { calls: [...written.calls, removal], answer: written.answer }
      })
    },

    async claimDrafts(workspace, leaseSeconds) {
      const [claimed] = await driver.once(workspace, [sql.claimDrafts, [workspace, leaseSeconds]])
      const taken = claimed?.rows.map(toDraft) ?? []
      return taken.sort(
        (one, other) => compareText(one.conversation, other.conversation) || compareText(one.id, other.id),
      )
    },
  }
}

/** Where a draft's entries go: behind what was written meanwhile, or aside. */
async function placeOf(draft: Draft, workspace: string, ask: Ask): Promise<Pick<AppendOptions, 'branch' | 'from'>> {
  const { conversation, branch, parent } = draft
  if (parent === null) return { branch }
  const [found] = await ask([sql.leadsOn, [workspace, conversation, branch, parent]])
  return found?.rows.length ? { branch } : { branch: asideOf(draft), from: parent }
}

function lost(id: string, epoch: unknown) {
  if (epoch === undefined) return missing('draft', 'draft.id', id)
  return refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: epoch })
}
