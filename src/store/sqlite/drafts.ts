import type { Appended, AppendOptions } from '../contract/append.js'
import type { Draft, DraftRenewal, DraftSave, NewDraft, Promotion } from '../contract/draft.js'
import type { Store } from '../contract/store.js'
import { type Written, written } from '../shared/gate.js'
import { asideOf } from '../shared/link.js'
import { compareText } from '../shared/page.js'
import { busy, refusal } from '../shared/refuse.js'
import { type Batch, growthBy, ready, repeatedOf, write } from './append.js'
import { find, type Key, keyOf, type Sqlite } from './desk.js'
import type { Database } from './driver.js'
import { toDraft } from './rows.js'
import * as side from './side.js'
import { draftsIn, type Held, type HeldDraft, headOf, nothingNew, writeTo } from './standing.js'
import * as sql from './statements.js'

type Methods = 'openDraft' | 'saveDraft' | 'drafts' | 'promoteDraft' | 'claimDrafts'

export const drafts = (desk: Sqlite): Pick<Store, Methods> => ({
  async openDraft(workspace, conversation, draft) {
    const key = keyOf(workspace, conversation)
    const given = written(draft)
    return writeTo(desk, key, nothingNew, (held) => openDraft(desk, held, given))
  },

  async saveDraft(workspace, conversation, save) {
    const key = keyOf(workspace, conversation)
    const given = written(save)
    return writeTo(desk, key, nothingNew, (held) => saveDraft(desk, held, given))
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
    const growth = growthBy([{ batch, at: given.at }])
    return writeTo(desk, key, growth, (held) => promoteDraft(desk, held, given, batch), {
      before: () => promotedBefore(desk.db, key, given, batch),
    })
  },

  async claimDrafts(workspace, leaseSeconds) {
    return desk.group.write(() => {
      const now = desk.clock.now()
      const rows = desk.db.all(sql.claimDrafts, { workspace, now, end: desk.clock.end, until: now + leaseSeconds })
      const conversations = JSON.stringify([...new Set(rows.map((row) => row.conversation_id))])
      if (rows.length > 0) desk.db.run(sql.claimed, { workspace, conversations })
      return rows
        .map(toDraft)
        .sort((one, other) => compareText(one.conversation, other.conversation) || compareText(one.id, other.id))
    })
  },
})

export function openDraft(desk: Sqlite, held: Held, draft: Written<NewDraft>): Draft {
  const { db, clock } = desk
  const { key } = held
  const { id, branch, parent, at, body, json, sole = false, leaseSeconds } = draft
  const others = draftsIn(desk, held)
  if (others.has(id)) throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: id })
  const [other] = sole ? others.keys() : []
  if (other !== undefined) throw busy(other)
  if (parent !== null && !isThere(desk, held, parent))
    throw refusal('unknown_parent', 'there is no such entry', { field: 'draft.parent', value: parent })
  const until = clock.now() + leaseSeconds
  db.run(sql.addDraft, { ...key, id, branch, parent, body: json, until, at })
  const made = { id, conversation: key.conversation, branch, parent, text: '', epoch: 1, at }
  others.set(id, { ...made, json })
  return { ...made, body }
}

const isThere = ({ db }: Sqlite, { key, heads }: Held, id: string): boolean =>
  [...heads.values()].some((head) => head?.id === id) || db.get(sql.seqById, { ...key, id }) !== undefined

export function saveDraft(desk: Sqlite, held: Held, save: Written<DraftSave>): Draft {
  const { json: _, ...draft } = owned(desk, held, save)
  const { id, text, body, json } = save
  const until = desk.clock.now() + save.leaseSeconds
  desk.db.run(sql.saveDraft, { ...held.key, id, text, body: json, until })
  held.drafts?.set(id, { ...draft, text, json })
  return { ...draft, text, body }
}

export function renewDraft(desk: Sqlite, held: Held, renewal: DraftRenewal): Draft {
  const { json, ...draft } = owned(desk, held, renewal)
  desk.db.run(side.renewDraft, { ...held.key, id: draft.id, until: desk.clock.now() + renewal.leaseSeconds })
  return { ...draft, body: JSON.parse(json) }
}

export function dropDraft(desk: Sqlite, held: Held, owner: Pick<Draft, 'id' | 'epoch'>): void {
  owned(desk, held, owner)
  desk.db.run(sql.removeDraft, { ...held.key, id: owner.id })
  held.drafts?.delete(owner.id)
}

/** What it came to before: the draft is no longer there, or goes now, because its entries are there already. */
function promotedBefore(db: Database, key: Key, { id, epoch }: Promotion, batch: Batch): Appended | null {
  const known = repeatedOf(db, key, batch)
  const row = known && db.get(sql.draftById, { ...key, id })
  if (!row) return known
  checkOwner(toDraft(row), epoch)
  db.run(sql.removeDraft, { ...key, id })
  db.run(sql.forgetStanding, key)
  return known
}

export function promoteDraft(desk: Sqlite, held: Held, { id, epoch, at }: Promotion, batch: Batch): Appended {
  const draft = owned(desk, held, { id, epoch })
  const appended = write(desk, held, batch, { ...placeOf(desk, held, draft), at })
  desk.db.run(sql.removeDraft, { ...held.key, id })
  held.drafts?.delete(id)
  return appended
}

/** Where a draft's entries go: behind what was written meanwhile, or aside. */
function placeOf(desk: Sqlite, held: Held, draft: HeldDraft): Pick<AppendOptions, 'branch' | 'from'> {
  const { branch, parent } = draft
  if (parent === null || headOf(desk, held, branch)?.id === parent) return { branch }
  if (desk.db.get(sql.leadsOn, { ...held.key, branch, parent })) return { branch }
  return { branch: asideOf(draft), from: parent }
}

function owned(desk: Sqlite, held: Held, { id, epoch }: { readonly id: string; readonly epoch: number }): HeldDraft {
  const draft = draftsIn(desk, held).get(id)
  if (!draft) throw refusal('not_found', 'there is no such draft', { field: 'draft.id', value: id })
  checkOwner(draft, epoch)
  return draft
}

function checkOwner(draft: Pick<Draft, 'epoch'>, epoch: number): void {
  if (draft.epoch !== epoch)
    throw refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: draft.epoch })
}
