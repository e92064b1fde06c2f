/** The steps of a commit as work. Each is taken as it was when it was given. */
import type { Step } from '../contract/commit.js'
import type { StoredReceipt } from '../contract/keeping.js'
import { plain, requestHash } from '../shared/gate.js'
import { notNumbers } from '../shared/record.js'
import { refusal } from '../shared/refuse.js'
import { toRecord } from '../shared/rows.js'
import { appended, appending, reason, type Writing, writingOf, writtenBefore } from './append.js'
import type { Call, Row } from './batch.js'
import { moving } from './branches.js'
import { dropping, opening, promoting, renewing, saving } from './drafts.js'
import { emitting } from './events.js'
import { putting, unput } from './files.js'
import { toReceipt } from './rows.js'
import * as file from './sql/files.js'
import { getReceipt, putReceipt } from './sql/records.js'
import { type Key, type Plan, rowAs, type Work, work } from './work.js'

/** `channel` is what listeners are told on. */
export function workOf(key: Key, step: Step, channel: string): Work {
  const [workspace, conversation] = key
  switch (step.do) {
    case 'append':
      return appendingWork(writingOf(...key, step.entries, step.options))
    case 'set-branch':
      return moving(key, { ...step.move })
    case 'open-draft':
      return opening(key, plain(step.draft))
    case 'save-draft':
      return saving(key, plain(step.draft))
    case 'renew-draft':
      return renewing(key, { ...step.draft })
    case 'drop-draft':
      return dropping(key, { ...step })
    case 'promote-draft':
      return promoting(key, plain(step.promotion))
    case 'put-receipt':
      return receiving(key, plain(step.receipt))
    case 'put-record': {
      const put = plain({ ...step.record, conversation })
      return work(putting(workspace, put), rowAs(toRecord), async (ask) => {
        const [found] = await ask([file.getRecord, [workspace, put.kind, put.id]])
        unput(found?.rows[0], put)
      })
    }
    case 'add-record': {
      const { kind, id, numbers, at } = step.record
      const calls: Call[] = [
        [file.openRecord, [workspace, kind, id, at]],
        [file.addRecord, [workspace, kind, id, JSON.stringify(numbers), at]],
      ]
      const outcome: Plan['outcome'] = ([, added]) => rowAs(toRecord)(added ? [added] : [])
      return {
        plan: () => ({ calls, outcome }),
        why: async () => {
          throw notNumbers(id)
        },
      }
    }
    case 'remove-record':
      return work([file.removeRecord, [workspace, step.kind, step.id]], () => null)
    case 'emit':
      return emitting(key, step.events, step.at, channel)
  }
}

const appendingWork = (writing: Writing): Work => ({
  plan: () => ({ calls: appending(writing), outcome: (results) => appended(writing, results) ?? undefined }),
  before: (ask) => writtenBefore(writing, ask),
  why: (ask) => reason(writing, ask),
})

function receiving([workspace, conversation]: Key, receipt: StoredReceipt): Work {
  const { id, entry, at, body } = receipt
  const calls: Call[] = [
    [putReceipt, [workspace, conversation, id, entry, at, JSON.stringify(body)]],
    [getReceipt, [workspace, id]],
  ]
  return {
    plan: () => ({
      calls,
      outcome: ([, found]) =>
        requestHash(toReceipt(found?.rows[0] as Row)) === requestHash(receipt) ? null : undefined,
    }),
    why: async () => {
      throw refusal('id_conflict', 'there is another receipt with this id', { field: 'receipt.id', value: id })
    },
  }
}
