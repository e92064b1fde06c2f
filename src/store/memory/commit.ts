/** Several writes to one conversation in memory, all or none of them. */
import type { Appended } from '../contract/append.js'
import type { Committed, Step } from '../contract/commit.js'
import { alreadyThere } from '../shared/refuse.js'
import { dropDraft, openDraft, promoteDraft, renewDraft, saveDraft } from './drafts.js'
import { emit } from './events.js'
import { addRecord, fileName, putReceipt, putRecord, removeRecord } from './records.js'
import { copy, type Room, repeatedOf, setBranch, type Workspace, write, writtenBefore } from './room.js'

type Outcome = Committed['outcomes'][number]

export function commit(home: Workspace, room: Room, steps: readonly Step[], now: number): Committed {
  const before = steps.map((step) => doneBefore(room, step))
  if (before.some((known) => known !== null)) return { outcomes: copy(before), repeated: true }
  const undo = remember(home, room, steps)
  try {
    return { outcomes: steps.map((step) => take(home, room, step, now)), repeated: false }
  } catch (error) {
    undo()
    throw error
  }
}

/** What the step came to when it was done before; asked of all of them first, so that none refuses a retry. */
function doneBefore(room: Room, step: Step): Appended | null {
  if (step.do === 'append') return writtenBefore(room, step.entries, step.options)
  if (step.do !== 'promote-draft') return null
  const known = repeatedOf(room, step.promotion.entries)
  if (known && room.drafts.has(step.promotion.id)) throw alreadyThere()
  return known
}

function take(home: Workspace, room: Room, step: Step, now: number): Outcome {
  switch (step.do) {
    case 'append':
      return copy(write(room, step.entries, step.options))
    case 'set-branch':
      return setBranch(room, step.move)
    case 'open-draft':
      return openDraft(room, step.draft, now)
    case 'save-draft':
      return saveDraft(room, step.draft, now)
    case 'renew-draft':
      return renewDraft(room, step.draft, now)
    case 'promote-draft':
      return promoteDraft(room, step.promotion)
    case 'drop-draft':
      dropDraft(room, step)
      return null
    case 'put-receipt':
      putReceipt(home, step.receipt)
      return null
    case 'put-record':
      return putRecord(home, { ...step.record, conversation: room.conversation.id })
    case 'add-record':
      return addRecord(home, step.record)
    case 'remove-record':
      removeRecord(home, step.kind, step.id)
      return null
    case 'emit':
      return emit(room, step.events, step.at)
  }
}

/** Puts everything back that the steps can touch. The log only grows, so its length is enough. */
function remember(home: Workspace, room: Room, steps: readonly Step[]): () => void {
  const { conversation, newest } = room
  const [written, told] = [room.entries.length, room.events.length]
  const [branches, drafts] = [new Map(room.branches), new Map(room.drafts)]
  const records = steps.flatMap(namesOf).map((name) => [name, home.records.get(name)] as const)
  const receipts = steps.flatMap((step) => (step.do === 'put-receipt' ? [step.receipt.id] : []))
  const fresh = receipts.filter((id) => !home.receipts.has(id))
  return () => {
    for (const { id } of room.entries.splice(written)) room.byId.delete(id)
    room.events.length = told
    Object.assign(room, { conversation, newest })
    restore(room.branches, [...branches])
    restore(room.drafts, [...drafts])
    for (const step of steps) if (step.do === 'append') room.keys.delete(step.options.key ?? '')
    for (const [name, known] of records) known ? home.records.set(name, known) : home.records.delete(name)
    for (const id of fresh) home.receipts.delete(id)
  }
}

function namesOf(step: Step): readonly string[] {
  if (step.do === 'put-record' || step.do === 'add-record') return [fileName(step.record.kind, step.record.id)]
  return step.do === 'remove-record' ? [fileName(step.kind, step.id)] : []
}

function restore<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
