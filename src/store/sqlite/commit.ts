/** Several writes to one conversation in one transaction. */

import type { Appended } from '../contract/append.js'
import type { Committed, Step } from '../contract/commit.js'
import type { DraftSave, NewDraft } from '../contract/draft.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { RecordPut } from '../contract/record.js'
import type { Store } from '../contract/store.js'
import { jsonIn, plain, receiptOf, type Written, written } from '../shared/gate.js'
import { alreadyThere } from '../shared/refuse.js'
import { bellName } from '../shared/turn.js'
import { type Batch, growthBy, ready, repeatedOf, write, writtenBefore } from './append.js'
import { setBranch } from './conversations.js'
import { type Key, keyOf, type Sqlite } from './desk.js'
import { dropDraft, openDraft, promoteDraft, renewDraft, saveDraft } from './drafts.js'
import { emit, type Told, toldOf } from './events.js'
import { addRecord, putReceipt, setRecord } from './files.js'
import * as side from './side.js'
import { type Growth, type Held, hold, putRecords, writeTo } from './standing.js'
import * as sql from './statements.js'

type Outcome = Committed['outcomes'][number]

/** Steps that are kept in another form until they are taken. */
type Changed = 'append' | 'open-draft' | 'save-draft' | 'promote-draft' | 'put-receipt' | 'put-record' | 'emit'

/** A step as it was when it was given. */
type Prepared =
  | Exclude<Step, { readonly do: Changed }>
  | { readonly do: 'open-draft'; readonly draft: Written<NewDraft> }
  | { readonly do: 'save-draft'; readonly draft: Written<DraftSave> }
  | { readonly do: 'put-record'; readonly record: Written<RecordPut> }
  | { readonly do: 'put-receipt'; readonly receipt: Omit<StoredReceipt, 'body'>; readonly body: string }
  | { readonly do: 'emit'; readonly events: readonly Told[]; readonly at: string }
  | (Extract<Step, { readonly do: 'append' | 'promote-draft' }> & { readonly batch: Batch })

export const commits = (desk: Sqlite): Pick<Store, 'commit'> => ({
  async commit(workspace, conversation, steps) {
    const key = keyOf(workspace, conversation)
    const all = prepared(steps)
    const done = await writeTo(
      desk,
      key,
      growthOf(all),
      (held): Committed => ({ outcomes: all.map((step) => take(desk, held, step)), repeated: false }),
      {
        before: () => {
          const before = all.map((step) => doneBefore(desk, key, step))
          return before.some((known) => known !== null) ? { outcomes: before, repeated: true } : null
        },
        // a key says that it may have been done before
        careful: all.some((step) => step.do === 'append' && step.options.key !== undefined),
        remember: ({ outcomes }, revision) => {
          for (const [i, { do: what }] of all.entries())
            if (what === 'append' || what === 'promote-draft')
              desk.recent.keep(key, revision, (outcomes[i] as Appended).entries)
        },
      },
    )
    const isTold = all.some((step) => step.do === 'emit' && step.events.length > 0)
    if (isTold && !done.repeated) desk.ring(bellName(workspace, conversation))
    return done
  },
})

export const prepared = (steps: readonly Step[]): readonly Prepared[] => steps.map(prepare)

/** The first writes to a conversation that was made in this very transaction. */
export const takeAll = (desk: Sqlite, key: Key, steps: readonly Prepared[]): void => {
  hold(desk, key, growthOf(steps), true, (held) => steps.map((step) => take(desk, held, step)))
}

function growthOf(steps: readonly Prepared[]): Growth {
  const batches = steps.flatMap((step) => {
    if (step.do === 'append') return [{ batch: step.batch, at: step.options.at }]
    return step.do === 'promote-draft' ? [{ batch: step.batch, at: step.promotion.at }] : []
  })
  const events = steps.reduce((sum, step) => sum + (step.do === 'emit' ? step.events.length : 0), 0)
  return growthBy(batches, events)
}

function prepare(step: Step): Prepared {
  if (step.do === 'append') return { ...step, options: { ...step.options }, batch: ready(step.entries, step.options) }
  if (step.do === 'promote-draft')
    return { ...step, promotion: { ...step.promotion }, batch: ready(step.promotion.entries) }
  if (step.do === 'put-receipt') {
    const { body, ...receipt } = receiptOf(step.receipt)
    return { do: step.do, receipt, body: jsonIn(step.receipt, body) }
  }
  if (step.do === 'emit') return { do: step.do, events: step.events.map(toldOf), at: step.at }
  if (step.do === 'open-draft') return { do: step.do, draft: written(step.draft) }
  if (step.do === 'save-draft') return { do: step.do, draft: written(step.draft) }
  if (step.do === 'put-record') return { do: step.do, record: written(step.record) }
  return plain(step)
}

/** What the step came to when it was done before; asked of all of them first, so that none refuses a retry. */
function doneBefore({ db }: Sqlite, key: Key, step: Prepared): Appended | null {
  if (step.do === 'append') return writtenBefore(db, key, step.batch, step.options.key)
  if (step.do !== 'promote-draft') return null
  const known = repeatedOf(db, key, step.batch)
  if (known && db.get(sql.draftById, { ...key, id: step.promotion.id })) throw alreadyThere()
  return known
}

function take(desk: Sqlite, held: Held, step: Prepared): Outcome {
  const { workspace, conversation } = held.key
  switch (step.do) {
    case 'append':
      return write(desk, held, step.batch, step.options)
    case 'set-branch':
      return setBranch(desk, held, step.move)
    case 'open-draft':
      return openDraft(desk, held, step.draft)
    case 'save-draft':
      return saveDraft(desk, held, step.draft)
    case 'renew-draft':
      return renewDraft(desk, held, step.draft)
    case 'promote-draft':
      return promoteDraft(desk, held, step.promotion, step.batch)
    case 'drop-draft':
      dropDraft(desk, held, step)
      return null
    case 'put-receipt':
      putReceipt(desk, workspace, step.receipt, step.body)
      return null
    case 'put-record':
      return setRecord(desk, held, { ...step.record, conversation })
    case 'add-record':
      return addRecord(desk, held, step.record)
    case 'remove-record':
      putRecords(desk, held)
      desk.db.run(side.removeRecord, { workspace, kind: step.kind, id: step.id })
      return null
    case 'emit':
      return emit(held, step.events, step.at)
  }
}
