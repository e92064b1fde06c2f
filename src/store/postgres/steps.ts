/** The steps of a commit as work. Each is taken as it was when it was given. */
import type { Step } from '../contract/commit.js'
import { plainEntry, written } from '../shared/gate.js'
import { notNumbers } from '../shared/rows.js'
import { appended, appending, foundBefore, type LogWriting, placedWriting, reason } from './append.js'
import type { Call } from './batch.js'
import { moving } from './branches.js'
import { dropping, opening, promoting, renewing, saving } from './drafts.js'
import { emitting } from './events.js'
import { putting, unput } from './files.js'
import { receiving } from './records.js'
import { toRecord } from './rows.js'
import * as file from './sql/files.js'
import { type Key, rowAs, type Work, type WritePlan, work } from './work.js'

/** `channel` is what listeners are told on. */
export function workOf(key: Key, step: Step, channel: string): Work {
  const [workspace, conversation] = key
  switch (step.do) {
    case 'append':
      return appendingWork(placedWriting(...key, step.entries, step.options))
    case 'set-branch':
      return moving(key, { ...step.move })
    case 'open-draft':
      return opening(key, step.draft)
    case 'save-draft':
      return saving(key, step.draft)
    case 'renew-draft':
      return renewing(key, { ...step.draft })
    case 'drop-draft':
      return dropping(key, { ...step })
    case 'promote-draft':
      return promoting(key, { ...step.promotion, entries: step.promotion.entries.map(plainEntry) })
    case 'put-receipt':
      return receiving(key, step.receipt)
    case 'put-record': {
      const put = written({ ...step.record, conversation })
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
      const outcome: WritePlan['outcome'] = ([, added]) => rowAs(toRecord)(added ? [added] : [])
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

const appendingWork = (writing: LogWriting): Work => ({
  plan: () => ({ calls: appending(writing), outcome: (results) => appended(writing, results) ?? undefined }),
  before: (ask) => foundBefore(writing, ask),
  why: (ask) => reason(writing, ask),
})
