/** Puts the gate before a store: every argument is checked here, so that what one store refuses, all refuse. */
import type { Store } from '../contract/store.js'
import { checkLeads, checkSearch, checkSpots, checkVectors } from '../search/query.js'
import {
  bounds,
  checkConversation,
  checkKeys,
  checkLease,
  checkName,
  checkPatch,
  checkText,
  checkWhole,
  checkWorkspace,
  isKeepable,
  saneAppend,
  saneDraft,
  saneMove,
  sanePromotion,
  saneReceipt,
  saneRecord,
  saneSave,
  saneSteps,
  sought,
  soughtOrNone,
} from '../shared/gate.js'
import { limitOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'

export function gated(store: Store): Store {
  return {
    async create(workspace, input) {
      checkWorkspace(workspace)
      checkConversation(input)
      return store.create(workspace, input.steps ? { ...input, steps: saneSteps(input.id, input.steps) } : input)
    },
    async get(workspace, id) {
      checkWorkspace(workspace)
      return store.get(workspace, sought(id))
    },
    async list(workspace, query) {
      checkWorkspace(workspace)
      checkKeys(query, listFields, 'query')
      limitOf(query.limit)
      if (!isKeepable(query.folder ?? '') || !isKeepable(query.tag ?? '')) return { items: [], cursor: null }
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

    async commit(workspace, id, steps) {
      checkWorkspace(workspace)
      return store.commit(workspace, sought(id), saneSteps(id, steps))
    },
    async append(workspace, id, batch, options) {
      checkWorkspace(workspace)
      return store.append(workspace, sought(id), batch, saneAppend(batch, options))
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
      return store.setBranch(workspace, sought(id), saneMove(move))
    },
    async removeBranch(workspace, id, name) {
      checkWorkspace(workspace)
      return store.removeBranch(workspace, sought(id), sought(name))
    },

    async openDraft(workspace, id, draft) {
      checkWorkspace(workspace)
      return store.openDraft(workspace, sought(id), saneDraft(draft))
    },
    async saveDraft(workspace, id, draft) {
      checkWorkspace(workspace)
      return store.saveDraft(workspace, sought(id), saneSave(draft))
    },
    async drafts(workspace, id) {
      checkWorkspace(workspace)
      return store.drafts(workspace, sought(id))
    },
    async promoteDraft(workspace, id, promotion) {
      checkWorkspace(workspace)
      return store.promoteDraft(workspace, sought(id), sanePromotion(promotion))
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
      return store.putReceipt(workspace, saneReceipt(receipt))
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

    async events(workspace, id, after, limit) {
      checkWorkspace(workspace)
      checkWhole(after, 'after')
      limitOf(limit)
      return store.events(workspace, sought(id), after, limit)
    },
    async trimEvents(workspace, id, upTo) {
      checkWorkspace(workspace)
      checkWhole(upTo, 'upTo')
      return store.trimEvents(workspace, sought(id), upTo)
    },
    watch(workspace, id, wake) {
      checkWorkspace(workspace)
      return store.watch(workspace, sought(id), wake)
    },

    async putRecord(workspace, record) {
      checkWorkspace(workspace)
      return store.putRecord(workspace, saneRecord(record))
    },
    async getRecord(workspace, kind, id) {
      checkWorkspace(workspace)
      return store.getRecord(workspace, sought(kind), sought(id))
    },
    async removeRecord(workspace, kind, id) {
      checkWorkspace(workspace)
      return store.removeRecord(workspace, sought(kind), sought(id))
    },
    async records(workspace, query) {
      checkWorkspace(workspace)
      checkKeys(query, recordQueryFields, 'query')
      limitOf(query.limit)
      if (!isKeepable(query.kind) || !isKeepable(query.conversation ?? '')) return { items: [], cursor: null }
      return store.records(workspace, query)
    },

    async search(workspace, query) {
      checkWorkspace(workspace)
      checkSearch(query)
      const names = [query.conversation, query.branch, query.tag]
      if (!names.every((name = '') => isKeepable(name))) return { items: [], cursor: null }
      return store.search(workspace, query)
    },
    async locate(workspace, leads, limit) {
      checkWorkspace(workspace)
      checkLeads(leads)
      return store.locate(workspace, leads, limitOf(limit))
    },
    async pick(workspace, spots) {
      checkWorkspace(workspace)
      checkSpots(spots)
      return store.pick(
        workspace,
        spots.map(({ conversation, seq }) => ({ conversation: sought(conversation), seq })),
      )
    },
    async unembedded(workspace, model, limit) {
      checkWorkspace(workspace)
      checkName(model, 'model')
      return store.unembedded(workspace, model, limitOf(limit))
    },
    async putVectors(workspace, model, vectors) {
      checkWorkspace(workspace)
      checkName(model, 'model')
      checkVectors(vectors)
      return store.putVectors(
        workspace,
        model,
        vectors.map((one) => ({ ...one, conversation: sought(one.conversation) })),
      )
    },
    async removeVectors(workspace) {
      checkWorkspace(workspace)
      return store.removeVectors(workspace)
    },
    async reindex(workspace, query) {
      checkWorkspace(workspace)
      checkKeys(query, pageFields, 'query')
      limitOf(query.limit)
      return store.reindex(workspace, query)
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
const recordQueryFields = [...pageFields, 'kind', 'conversation'] as const
const reachFields = ['tokens', 'entries', 'turns'] as const
