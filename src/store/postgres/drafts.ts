/** Drafts: messages that are not yet part of the log. Their leases run on the clock of the database. */

import type { AppendOptions } from '../contract/append.js'
import type { Draft, DraftRenewal, DraftSave, NewDraft, Promotion } from '../contract/draft.js'
import type { Store } from '../contract/store.js'
import { jsonIn } from '../shared/gate.js'
import { asideOf } from '../shared/link.js'
import { compareText } from '../shared/page.js'
import { alreadyThere, busy, refusal } from '../shared/refuse.js'
import { appended, appending, placedWriting, reason, stored } from './append.js'
import type { Call, Row } from './batch.js'
import type { Driver } from './driver.js'
import { notThere, readIn, unknownParent, writeIn } from './find.js'
import { toDraft } from './rows.js'
import * as sql from './sql/drafts.js'
import { holdRow, lock } from './sql/frame.js'
import { entryExists, getEntries } from './sql/log.js'
import { type Key, only, rowAs, type Work, work } from './work.js'

type Drafts = Pick<Store, 'openDraft' | 'saveDraft' | 'drafts' | 'promoteDraft' | 'claimDrafts'>

export function postgresDrafts(driver: Driver): Drafts {
  return {
    async openDraft(workspace, conversation, draft) {
      const key = [workspace, conversation] as const
      // only one that must be alone has to know of the others
      return (await only(driver, draft.sole ? lock : holdRow, key, opening(key, draft))) as Draft
    },

    async saveDraft(workspace, conversation, save) {
      const key = [workspace, conversation] as const
      return (await only(driver, holdRow, key, saving(key, save))) as Draft
    },

    async drafts(workspace, conversation) {
      const rows = await readIn(driver, workspace, conversation, [sql.listDrafts, [workspace, conversation]])
      return rows.map(toDraft)
    },

    async promoteDraft(workspace, conversation, { id, epoch, entries, at }) {
      const removal: Call = [sql.removeDraft, [workspace, conversation, id]]
      const calls: Call[] = [
        [getEntries, [workspace, conversation, entries.map((entry) => entry.id)]],
        [sql.draftPlace, [workspace, conversation, id]],
      ]
      return writeIn(driver, workspace, conversation, lock, calls, async ([, found, drafted], ask) => {
        const repeated = stored(entries, found?.rows ?? [])
        const row = drafted?.rows[0]
        if (repeated && !row) return { calls: [], answer: repeated }
        if (row?.epoch !== epoch) throw lost(id, row?.epoch)
        if (repeated) return { calls: [removal], answer: repeated }
        const writing = placedWriting(workspace, conversation, entries, { ...placeOf(row), at })
        const answer = appended(writing, await ask(...appending(writing))) ?? (await reason(writing, ask))
        if (!answer) throw refusal('unavailable', 'the draft could not be written')
        return { calls: [removal], answer }
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
function placeOf(row: Row): Pick<AppendOptions, 'branch' | 'from'> {
  const draft = toDraft(row)
  return row.leads_on ? { branch: draft.branch } : { branch: asideOf(draft), from: draft.parent }
}

function lost(id: string, epoch: unknown) {
  if (epoch === undefined) return notThere('draft', 'draft.id', id)
  return refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: epoch })
}

const whyLost =
  (key: Key, id: string): Work['why'] =>
  async (ask) => {
    const [found] = await ask([sql.getDraft, [...key, id]])
    throw lost(id, found?.rows[0]?.epoch)
  }

export function opening(key: Key, draft: NewDraft): Work {
  const { id, branch, parent, at, leaseSeconds, body = null, sole = false } = draft
  const values = [...key, id, branch, parent, at, leaseSeconds, jsonIn(draft, body), sole]
  return work([sql.openDraft, values], rowAs(toDraft), async (ask) => {
    const [drafts, entry] = await ask([sql.listDrafts, key], [entryExists, [...key, parent]])
    const others = (drafts?.rows ?? []).map(toDraft)
    if (others.some((other) => other.id === id))
      throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: id })
    if (sole && others[0]) throw busy(others[0].id)
    if (parent !== null && !entry?.rows.length) throw unknownParent('draft.parent', parent)
  })
}

export function saving(key: Key, save: DraftSave): Work {
  const { id, epoch, text, body = null, leaseSeconds } = save
  const values = [...key, id, epoch, text, jsonIn(save, body), leaseSeconds]
  return work([sql.saveDraft, values], rowAs(toDraft), whyLost(key, id))
}

export const renewing = (key: Key, { id, epoch, leaseSeconds }: DraftRenewal): Work =>
  work([sql.renewDraft, [...key, id, epoch, leaseSeconds]], rowAs(toDraft), whyLost(key, id))

export const dropping = (key: Key, { id, epoch }: Pick<Draft, 'id' | 'epoch'>): Work =>
  work(
    [sql.dropDraft, [...key, id, epoch]],
    rowAs(() => null),
    whyLost(key, id),
  )

export function promoting(key: Key, { id, epoch, entries, at }: Promotion): Work {
  const question: Call = [sql.draftPlace, [...key, id]]
  const writingAt = (row: Row) => placedWriting(...key, entries, { ...placeOf(row), at })
  return {
    question,
    plan: (row) => {
      if (row?.epoch !== epoch) return { calls: [], outcome: () => undefined }
      const writing = writingAt(row)
      const calls: Call[] = [...appending(writing), [sql.removeDraft, [...key, id]]]
      return { calls, outcome: (results) => appended(writing, results) ?? undefined }
    },
    before: async (ask) => {
      const [found, drafted] = await ask([getEntries, [...key, entries.map((entry) => entry.id)]], question)
      const known = stored(entries, found?.rows ?? [])
      if (known && drafted?.rows.length) throw alreadyThere()
      return known
    },
    why: async (ask) => {
      const [drafted] = await ask(question)
      const row = drafted?.rows[0]
      if (row?.epoch !== epoch) throw lost(id, row?.epoch)
      await reason(writingAt(row), ask)
    },
  }
}
