import type { AppendOptions, Draft, Store } from '../contract.js'
import { asideOf } from '../link.js'
import { compareText } from '../page.js'
import { refusal } from '../refuse.js'
import { append, ready, repeatedOf } from './append.js'
import { type Desk, find, type Key, keyOf } from './desk.js'
import { toDraft } from './rows.js'
import * as sql from './statements.js'

type Methods = 'openDraft' | 'saveDraft' | 'drafts' | 'promoteDraft' | 'claimDrafts'

export const drafts = (desk: Desk): Pick<Store, Methods> => ({
  async openDraft(workspace, conversation, { id, branch, parent, leaseSeconds, at }) {
    const key = keyOf(workspace, conversation)
    return desk.group.write((): Draft => {
      find(desk, key)
      if (desk.db.get(sql.draftById, { ...key, id }))
        throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: id })
      if (parent !== null && !desk.db.get(sql.seqById, { ...key, id: parent }))
        throw refusal('unknown_parent', 'there is no such entry', { field: 'draft.parent', value: parent })
      desk.db.run(sql.addDraft, { ...key, id, branch, parent, until: desk.clock() + leaseSeconds, at })
      return { id, conversation, branch, parent, text: '', body: null, epoch: 1, at }
    })
  },

  async saveDraft(workspace, conversation, save) {
    const key = keyOf(workspace, conversation)
    const { id, epoch, text, leaseSeconds } = save
    const body = JSON.stringify(save.body ?? null)
    return desk.group.write((): Draft => {
      find(desk, key)
      const draft = held(desk, key, { id, epoch })
      desk.db.run(sql.saveDraft, { ...key, id, text, body, until: desk.clock() + leaseSeconds })
      return { ...draft, text, body: JSON.parse(body) }
    })
  },

  async drafts(workspace, conversation) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      find(desk, key)
      return desk.db.all(sql.drafts, key).map(toDraft)
    })
  },

  async promoteDraft(workspace, conversation, promotion) {
    const key = keyOf(workspace, conversation)
    const { id, epoch, at } = promotion
    const batch = ready(promotion.entries)
    return desk.group.write(() => {
      find(desk, key)
      const known = repeatedOf(desk.db, key, batch)
      if (known && !desk.db.get(sql.draftById, { ...key, id })) return known
      const draft = held(desk, key, { id, epoch })
      const appended = append(desk, key, batch, { ...placeOf(desk, key, draft), at })
      desk.db.run(sql.removeDraft, { ...key, id })
      return appended
    })
  },

  async claimDrafts(workspace, leaseSeconds) {
    return desk.group.write(() => {
      const now = desk.clock()
      const rows = desk.db.all(sql.claimDrafts, { workspace, now, until: now + leaseSeconds })
      return rows
        .map(toDraft)
        .sort((one, other) => compareText(one.conversation, other.conversation) || compareText(one.id, other.id))
    })
  },
})

/** Where a draft's entries go: behind what was written meanwhile, or aside. */
function placeOf({ db }: Desk, key: Key, draft: Draft): Pick<AppendOptions, 'branch' | 'from'> {
  const { branch, parent } = draft
  if (parent === null || db.get(sql.leadsOn, { ...key, branch, parent })) return { branch }
  return { branch: asideOf(draft), from: parent }
}

function held({ db }: Desk, key: Key, { id, epoch }: { readonly id: string; readonly epoch: number }): Draft {
  const row = db.get(sql.draftById, { ...key, id })
  if (!row) throw refusal('not_found', 'there is no such draft', { field: 'draft.id', value: id })
  const draft = toDraft(row)
  if (draft.epoch !== epoch)
    throw refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: draft.epoch })
  return draft
}
