/** What the gate lets through of the writes that also stand in a commit: checked, and with names that no store can hold replaced. */
import { isWellFormed } from '../../core/message/text.js'
import type { AppendOptions } from '../contract/append.js'
import type { BranchMove } from '../contract/branch.js'
import type { Step } from '../contract/commit.js'
import type { DraftRenewal, DraftSave, NewDraft, Promotion } from '../contract/draft.js'
import type { NewEntry } from '../contract/entry.js'
import type { NewEvent } from '../contract/event.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { RecordAdd, RecordPut } from '../contract/record.js'
import {
  bounds,
  checkBatch,
  checkKeys,
  checkLease,
  checkName,
  checkText,
  checkTime,
  checkWhole,
  jsonOf,
  type Written,
} from './gate.js'
import { refusal } from './refuse.js'
import { byteLength } from './runtime.js'

export const isKeepable = (text: string): boolean =>
  typeof text === 'string' && !text.includes('\0') && isWellFormed(text)

/** Nothing has an empty name: it stands for every name that no store can hold, so that none is found. */
export const sought = (name: string): string => (isKeepable(name) ? name : '')
export const soughtOrNone = (name: string | null): string | null => (name === null ? null : sought(name))

export function saneAppend(options: AppendOptions): AppendOptions {
  checkName(options.branch, 'branch')
  if (options.key !== undefined) checkName(options.key, 'key')
  checkTime(options.at, 'at')
  const { from, expect } = options
  return {
    ...options,
    ...(from === undefined ? null : { from: soughtOrNone(from) }),
    ...(expect === undefined ? null : { expect: soughtOrNone(expect) }),
  }
}

export function saneMove(move: BranchMove): BranchMove {
  checkName(move.name, 'branch')
  checkTime(move.at, 'at')
  return { ...move, head: soughtOrNone(move.head), expect: soughtOrNone(move.expect) }
}

export function saneDraft(draft: NewDraft): Written<NewDraft> {
  checkName(draft.id, 'draft.id')
  checkName(draft.branch, 'draft.branch')
  const json = jsonOf(draft.body ?? null, 'draft.body')
  checkLease(draft.leaseSeconds)
  checkTime(draft.at, 'draft.at')
  return { ...draft, parent: soughtOrNone(draft.parent), json }
}

export function saneSave(draft: DraftSave): Written<DraftSave> {
  checkText(draft.text, 'draft.text', bounds.entry)
  const json = jsonOf(draft.body ?? null, 'draft.body')
  return { ...saneRenewal(draft), json }
}

export function saneRenewal<T extends DraftRenewal>(draft: T): T {
  checkWhole(draft.epoch, 'draft.epoch')
  checkLease(draft.leaseSeconds)
  return { ...draft, id: sought(draft.id) }
}

export function sanePromotion(promotion: Promotion): Promotion {
  checkWhole(promotion.epoch, 'draft.epoch')
  const entries = checkBatch(promotion.entries)
  checkTime(promotion.at, 'at')
  return { ...promotion, entries, id: sought(promotion.id) }
}

export function saneReceipt(receipt: StoredReceipt): Written<StoredReceipt> {
  checkName(receipt.id, 'receipt.id')
  if (receipt.entry !== null) checkName(receipt.entry, 'receipt.entry')
  checkTime(receipt.at, 'receipt.at')
  const json = jsonOf(receipt.body, 'receipt.body')
  return { ...receipt, conversation: sought(receipt.conversation), json }
}

const recordFields = ['kind', 'id', 'body', 'at', 'conversation', 'expect']

export function saneRecord(record: RecordPut): Written<RecordPut> {
  checkKeys(record, recordFields, 'record')
  checkName(record.kind, 'record.kind')
  checkName(record.id, 'record.id')
  const json = documentOf(record.body ?? null, 'record.body')
  checkTime(record.at, 'record.at')
  if (typeof record.expect === 'number') checkWhole(record.expect, 'record.expect')
  const owner = record.conversation === undefined ? null : { conversation: sought(record.conversation) }
  return { ...record, ...owner, json }
}

export function checkAddition({ kind, id, numbers, at }: RecordAdd): void {
  checkName(kind, 'record.kind')
  checkName(id, 'record.id')
  documentOf(numbers, 'record.numbers')
  checkTime(at, 'record.at')
  const strange = Object.entries(numbers).find(([, number]) => !Number.isFinite(number))
  if (strange) throw refusal('invalid', 'only numbers can be added', { field: `record.numbers.${strange[0]}` })
}

function saneEvents(events: readonly NewEvent[], at: string): readonly Written<NewEvent>[] {
  checkTime(at, 'event.at')
  return events.map(({ type, data = null }) => {
    checkName(type, 'event.type')
    return { type, data, json: documentOf(data, 'event.data') }
  })
}

function documentOf(value: unknown, field: string): string {
  const json = jsonOf(value, field)
  const size = byteLength(json)
  if (size > bounds.entry)
    throw refusal('too_large', `${field} has ${size} bytes; at most ${bounds.entry}`, { field, value: size })
  return json
}

/** The steps of one commit. None may depend on how a store would take the same entry or key twice. */
export function saneSteps(conversation: string, steps: readonly Step[]): readonly Step[] {
  if (steps.length === 0) throw refusal('invalid', 'there is nothing to commit', { field: 'steps' })
  const sane = steps.map((step) => saneStep(conversation, step))
  const size = sane.reduce((sum, step) => sum + (step.do === 'emit' ? step.events.length : stepEntries(step).length), 0)
  if (size + sane.length > bounds.commit)
    throw refusal('too_large', 'too many writes at once', { field: 'steps', value: size })
  checkOnce(
    sane.flatMap(stepEntries).map(({ id }) => id),
    'id',
  )
  checkOnce(
    sane.flatMap((step) => (step.do === 'append' ? (step.options.key ?? []) : [])),
    'key',
  )
  return sane
}

function checkOnce(names: readonly string[], field: string): void {
  if (new Set(names).size < names.length) throw refusal('invalid', `${field} stands twice in the commit`, { field })
}

export function stepEntries(step: Step): readonly NewEntry[] {
  if (step.do === 'append') return step.entries
  return step.do === 'promote-draft' ? step.promotion.entries : []
}

function saneStep(conversation: string, step: Step): Step {
  switch (step.do) {
    case 'append':
      return { ...step, entries: checkBatch(step.entries), options: saneAppend(step.options) }
    case 'set-branch':
      return { ...step, move: saneMove(step.move) }
    case 'open-draft':
      return { ...step, draft: saneDraft(step.draft) }
    case 'save-draft':
      return { ...step, draft: saneSave(step.draft) }
    case 'renew-draft':
      return { ...step, draft: saneRenewal(step.draft) }
    case 'promote-draft':
      return { ...step, promotion: sanePromotion(step.promotion) }
    case 'drop-draft':
      checkWhole(step.epoch, 'draft.epoch')
      return { ...step, id: sought(step.id) }
    case 'put-receipt':
      if (step.receipt.conversation !== conversation)
        throw refusal('invalid', 'the receipt is of another conversation', { field: 'receipt.conversation' })
      return { ...step, receipt: saneReceipt(step.receipt) }
    case 'put-record':
      return { ...step, record: saneRecord({ ...step.record, conversation }) }
    case 'add-record':
      checkAddition(step.record)
      return step
    case 'remove-record':
      return { ...step, kind: sought(step.kind), id: sought(step.id) }
    case 'emit':
      return { ...step, events: saneEvents(step.events, step.at) }
    default:
      throw refusal('invalid', 'there is no such step', { field: 'do', value: (step as { do?: unknown }).do })
  }
}
