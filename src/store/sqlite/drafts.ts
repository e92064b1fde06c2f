import type { Appended, AppendOptions } from '../contract/append.js'
import type { Draft, DraftRenewal, DraftSave, NewDraft, Promotion } from '../contract/draft.js'
import type { Store } from '../contract.js'
import { plain } from '../gate.js'
import { asideOf } from '../link.js'
import { compareText } from '../page.js'
import { busy, refusal } from '../refuse.js'
import { append, type Batch, ready, repeatedOf } from './append.js'
import { type Desk, find, type Key, keyOf } from './desk.js'
import type { Database } from './driver.js'
import { toDraft } from './rows.js'
import * as side from './side.js'
import * as sql from './statements.js'

type Methods = 'openDraft' | 'saveDraft' | 'drafts' | 'promoteDraft' | 'claimDrafts'

export const drafts = (desk: Desk): Pick<Store, Methods> => ({
  async openDraft(workspace, conversation, draft) {
    const key = keyOf(workspace, conversation)
    const given = plain(draft)
    return desk.group.write(() => {
      find(desk, key)
      return openDraft(desk, key, given)
    })
  },

  async saveDraft(workspace, conversation, save) {
    const key = keyOf(workspace, conversation)
    const given = plain(save)
    return desk.group.write(() => {
      find(desk, key)
      return saveDraft(desk, key, given)
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
    const [given, batch] = [{ ...promotion }, ready(promotion.entries)]
    return desk.group.write(() => {
      find(desk, key)
      return promotedBefore(desk.db, key, given.id, batch) ?? promoteDraft(desk, key, given, batch)
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

export function openDraft({ db, clock }: Desk, key: Key, draft: NewDraft): Draft {
  const { id, branch, parent, at, body = null, sole = false, leaseSeconds } = draft
  if (db.get(sql.draftById, { ...key, id }))
    throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: id })
  const other = sole ? db.get(side.otherDraft, key) : undefined
  if (other) throw busy(other.id as string)
  if (parent !== null && !db.get(sql.seqById, { ...key, id: parent }))
    throw refusal('unknown_parent', 'there is no such entry', { field: 'draft.parent', value: parent })
  const until = clock() + leaseSeconds
  db.run(sql.addDraft, { ...key, id, branch, parent, body: JSON.stringify(body), until, at })
  return { id, conversation: key.conversation, branch, parent, text: '', body, epoch: 1, at }
}

export function saveDraft(desk: Desk, key: Key, save: DraftSave): Draft {
  const draft = held(desk, key, save)
  const { id, text, body = null } = save
  const until = desk.clock() + save.leaseSeconds
  desk.db.run(sql.saveDraft, { ...key, id, text, body: JSON.stringify(body), until })
  return { ...draft, text, body }
}

export function renewDraft(desk: Desk, key: Key, renewal: DraftRenewal): Draft {
  const draft = held(desk, key, renewal)
  desk.db.run(side.renewDraft, { ...key, id: draft.id, until: desk.clock() + renewal.leaseSeconds })
  return draft
}

export function dropDraft(desk: Desk, key: Key, owner: Pick<Draft, 'id' | 'epoch'>): void {
  held(desk, key, owner)
  desk.db.run(sql.removeDraft, { ...key, id: owner.id })
}

/** What it came to before, when the draft is no longer there because it was done. */
export function promotedBefore(db: Database, key: Key, id: string, batch: Batch): Appended | null {
  const known = repeatedOf(db, key, batch)
  return known && !db.get(sql.draftById, { ...key, id }) ? known : null
}

export function promoteDraft(
  desk: Desk,
  key: Key,
  { id, epoch, at }: Promotion,
  batch: Batch,
  put: typeof append = append,
): Appended {
  const draft = held(desk, key, { id, epoch })
  const appended = put(desk, key, batch, { ...placeOf(desk, key, draft), at })
  desk.db.run(sql.removeDraft, { ...key, id })
  return appended
}

/** Where a draft's entries go: behind what was written meanwhile, or aside. */
function placeOf({ db }: Desk, key: Key, draft: Draft): Pick<AppendOptions, 'branch' | 'from'> {
  const { branch, parent } = draft
  if (parent === null || db.get(sql.headOf, { ...key, branch })?.head_id === parent) return { branch }
  if (db.get(sql.leadsOn, { ...key, branch, parent })) return { branch }
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
