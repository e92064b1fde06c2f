/** Drafts in memory. `now` is in seconds, and only grows. */
import type { Appended } from '../contract/append.js'
import type { Draft, DraftRenewal, DraftSave, NewDraft, Promotion } from '../contract/draft.js'
import { plain } from '../shared/gate.js'
import { compareText } from '../shared/page.js'
import { busy, refusal } from '../shared/refuse.js'
import { copy, placeOf, type Room, repeatedOf, write } from './room.js'

export type HeldDraft = Draft & { until: number }

export function openDraft(room: Room, draft: NewDraft, now: number): Draft {
  const { id, branch, parent, at, body = null, sole = false, leaseSeconds } = draft
  if (room.drafts.has(id))
    throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: id })
  const [other] = [...room.drafts.keys()].sort(compareText)
  if (sole && other !== undefined) throw busy(other)
  if (parent !== null && !room.byId.has(parent))
    throw refusal('unknown_parent', 'there is no such entry', { field: 'draft.parent', value: parent })
  const conversation = room.conversation.id
  return keep(room, { id, conversation, branch, parent, text: '', body: plain(body), epoch: 1, at }, now + leaseSeconds)
}

export function saveDraft(room: Room, save: DraftSave, now: number): Draft {
  const draft = { ...held(room, save), text: save.text, body: plain(save.body ?? null) }
  return keep(room, draft, now + save.leaseSeconds)
}

export const renewDraft = (room: Room, renewal: DraftRenewal, now: number): Draft =>
  keep(room, held(room, renewal), now + renewal.leaseSeconds)

export function dropDraft(room: Room, owner: Pick<Draft, 'id' | 'epoch'>): void {
  held(room, owner)
  room.drafts.delete(owner.id)
}

/** What it came to before, when the draft is no longer there because it was done. */
export function promotedBefore(room: Room, { id, entries }: Promotion): Appended | null {
  const known = repeatedOf(room, entries)
  return known && !room.drafts.has(id) ? known : null
}

export function promoteDraft(room: Room, promotion: Promotion): Appended {
  const draft = held(room, promotion)
  const written = write(room, promotion.entries, { ...placeOf(room, draft), at: promotion.at })
  room.drafts.delete(promotion.id)
  return copy(written)
}

/** Those whose lease has run out, with a new owner. */
export function claimDrafts(room: Room, now: number, leaseSeconds: number): Draft[] {
  const due = [...room.drafts.values()].filter(({ until }) => until <= now)
  return due.map((draft) => keep(room, { ...draft, epoch: draft.epoch + 1 }, now + leaseSeconds))
}

export const shown = ({ until: _, ...draft }: HeldDraft): Draft => copy(draft)

function keep(room: Room, draft: Draft, until: number): Draft {
  const kept = { ...draft, until }
  room.drafts.set(draft.id, kept)
  return shown(kept)
}

function held(room: Room, owner: { readonly id: string; readonly epoch: number }): HeldDraft {
  const draft = room.drafts.get(owner.id)
  if (!draft) throw refusal('not_found', 'there is no such draft', { field: 'draft.id', value: owner.id })
  if (draft.epoch !== owner.epoch)
    throw refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: draft.epoch })
  return draft
}
