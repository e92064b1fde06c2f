/** Puts the gate before a store: every argument is checked here, so that what one store refuses, all refuse. */
import { isWellFormed } from '../core/text.js'
import type { Store } from './contract.js'
import {
  bounds,
  checkBatch,
  checkConversation,
  checkJson,
  checkKeys,
  checkLease,
  checkName,
  checkPatch,
  checkText,
  checkTime,
  checkWhole,
  checkWorkspace,
} from './gate.js'
import { limitOf } from './page.js'
import { refusal } from './refuse.js'

export function gated(store: Store): Store {
  return {
    async create(workspace, input) {
      checkWorkspace(workspace)
      checkConversation(input)
      return store.create(workspace, input)
    },
    async get(workspace, id) {
      checkWorkspace(workspace)
      return store.get(workspace, sought(id))
    },
    async list(workspace, query) {
      checkWorkspace(workspace)
      checkKeys(query, listFields, 'query')
      limitOf(query.limit)
      if (!holds(query.folder ?? '') || !holds(query.tag ?? '')) return { items: [], cursor: null }
      return store.list(workspace, query)
    },
    async update(workspace, id, patch) {
      checkWorkspace(workspace)
      checkPatch(patch)
      return store.update(workspace, sought(id), patch)
    },
    async remove(workspace, id) {
      checkWorkspace(workspace)
      return store.remove(workspace, sought(id))
    },

    async append(workspace, id, batch, options) {
      checkWorkspace(workspace)
      checkBatch(batch)
      checkName(options.branch, 'branch')
      if (options.key !== undefined) checkName(options.key, 'key')
      checkTime(options.at, 'at')
      const { from, expect } = options
      return store.append(workspace, sought(id), batch, {
        ...options,
        ...(from === undefined ? null : { from: soughtOrNone(from) }),
        ...(expect === undefined ? null : { expect: soughtOrNone(expect) }),
      })
    },
    async entry(workspace, id, entry) {
      checkWorkspace(workspace)
      return store.entry(workspace, sought(id), sought(entry))
    },
    async path(workspace, id, head, limit) {
      checkWorkspace(workspace)
      if (limit !== undefined) limitOf(limit)
      return store.path(workspace, sought(id), sought(head), limit)
    },
    async window(workspace, id, branch, reach) {
      checkWorkspace(workspace)
      checkKeys(reach, reachFields, 'reach')
      for (const field of reachFields) if (reach[field] !== undefined) checkWhole(reach[field], `reach.${field}`)
      return store.window(workspace, sought(id), sought(branch), reach)
    },
    async feed(workspace, id, after, limit) {
      checkWorkspace(workspace)
      checkWhole(after, 'after')
      limitOf(limit)
      return store.feed(workspace, sought(id), after, limit)
    },
    async children(workspace, id, parent) {
      checkWorkspace(workspace)
      return store.children(workspace, sought(id), soughtOrNone(parent))
    },

    async branches(workspace, id) {
      checkWorkspace(workspace)
      return store.branches(workspace, sought(id))
    },
    async setBranch(workspace, id, move) {
      checkWorkspace(workspace)
      checkName(move.name, 'branch')
      checkTime(move.at, 'at')
      const sane = { ...move, head: soughtOrNone(move.head), expect: soughtOrNone(move.expect) }
      return store.setBranch(workspace, sought(id), sane)
    },
    async removeBranch(workspace, id, name) {
      checkWorkspace(workspace)
      return store.removeBranch(workspace, sought(id), sought(name))
    },

    async openDraft(workspace, id, draft) {
      checkWorkspace(workspace)
      checkName(draft.id, 'draft.id')
      checkName(draft.branch, 'draft.branch')
      checkLease(draft.leaseSeconds)
      checkTime(draft.at, 'draft.at')
      return store.openDraft(workspace, sought(id), { ...draft, parent: soughtOrNone(draft.parent) })
    },
    async saveDraft(workspace, id, draft) {
      checkWorkspace(workspace)
      checkWhole(draft.epoch, 'draft.epoch')
      checkText(draft.text, 'draft.text', bounds.entry)
      checkJson(draft.body ?? null, 'draft.body')
      checkLease(draft.leaseSeconds)
      return store.saveDraft(workspace, sought(id), { ...draft, id: sought(draft.id) })
    },
    async drafts(workspace, id) {
      checkWorkspace(workspace)
      return store.drafts(workspace, sought(id))
    },
    async promoteDraft(workspace, id, promotion) {
      checkWorkspace(workspace)
      checkWhole(promotion.epoch, 'draft.epoch')
      checkBatch(promotion.entries)
      checkTime(promotion.at, 'at')
      return store.promoteDraft(workspace, sought(id), { ...promotion, id: sought(promotion.id) })
    },
    async claimDrafts(workspace, leaseSeconds) {
      checkWorkspace(workspace)
      checkLease(leaseSeconds)
      return store.claimDrafts(workspace, leaseSeconds)
    },

    async putBlob(workspace, id, blob) {
      checkWorkspace(workspace)
      if (!(blob.bytes instanceof Uint8Array)) throw refusal('invalid', 'bytes must be bytes', { field: 'bytes' })
      checkText(blob.mediaType, 'mediaType', bounds.name)
      return store.putBlob(workspace, sought(id), blob)
    },
    async getBlob(workspace, sha256) {
      checkWorkspace(workspace)
      return store.getBlob(workspace, sought(sha256))
    },

    async putReceipt(workspace, receipt) {
      checkWorkspace(workspace)
      checkName(receipt.id, 'receipt.id')
      if (receipt.entry !== null) checkName(receipt.entry, 'receipt.entry')
      checkTime(receipt.at, 'receipt.at')
      checkJson(receipt.body, 'receipt.body')
      return store.putReceipt(workspace, { ...receipt, conversation: sought(receipt.conversation) })
    },
    async getReceipt(workspace, id) {
      checkWorkspace(workspace)
      return store.getReceipt(workspace, sought(id))
    },
    async receipts(workspace, id, query) {
      checkWorkspace(workspace)
      checkKeys(query, pageFields, 'query')
      limitOf(query.limit)
      return store.receipts(workspace, sought(id), query)
    },

    async redact(workspace, id, entry) {
      checkWorkspace(workspace)
      return store.redact(workspace, sought(id), sought(entry))
    },
    async verify(workspace, id) {
      checkWorkspace(workspace)
      return store.verify(workspace, sought(id))
    },
    close: () => store.close(),
  }
}

const pageFields = ['limit', 'cursor'] as const
const listFields = [...pageFields, 'archived', 'pinned', 'folder', 'tag'] as const
const reachFields = ['tokens', 'entries', 'turns'] as const

const holds = (text: string): boolean => typeof text === 'string' && !text.includes('\0') && isWellFormed(text)

/** Nothing has an empty name: it stands for every name that no store can hold, so that none is found. */
const sought = (name: string): string => (holds(name) ? name : '')
const soughtOrNone = (name: string | null): string | null => (name === null ? null : sought(name))
