/** Puts the gate before a store: every argument is checked here, so that what one store refuses, all refuse. */
import type { PageQuery } from '../contract/page.js'
import type { Store } from '../contract/store.js'
import { checkLeads, checkSearch, checkSpots, checkVectors } from '../search/query.js'
import {
  bounds,
  checkBatch,
  checkConversation,
  checkKeys,
  checkLease,
  checkName,
  checkPatch,
  checkSheet,
  checkText,
  checkWhole,
  checkWorkspace,
} from '../shared/gate.js'
import { limitOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import {
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
} from '../shared/sane.js'

export function gated(store: Store): Store {
  const behind = Object.entries(checks).map(([name, check]) => [name, gate(store, name as Checked, check as Check)])
  return {
    ...(Object.fromEntries(behind) as Pick<Store, Checked>),
    watch(workspace, id, wake) {
      checkWorkspace(workspace)
      return store.watch(workspace, sought(id), wake)
    },
    close: () => store.close(),
  }
}

type Checked = Exclude<keyof Store, 'watch' | 'close'>

/** What stands behind the workspace. */
type Given<K extends Checked> = Store[K] extends (workspace: string, ...given: infer G) => unknown ? G : never

type Check = (...given: readonly unknown[]) => readonly unknown[] | typeof nothing

/** The answer to a question about what no store can keep. */
const nothing = { items: [], cursor: null } as const

function gate(store: Store, name: Checked, check: Check) {
  const behind = store[name].bind(store) as (workspace: string, ...given: readonly unknown[]) => unknown
  return async (workspace: string, ...given: readonly unknown[]) => {
    checkWorkspace(workspace)
    const sane = check(...given)
    return sane === nothing ? nothing : behind(workspace, ...(sane as readonly unknown[]))
  }
}

const pageFields = ['limit', 'cursor'] as const
const listFields = [...pageFields, 'archived', 'pinned', 'folder', 'tag'] as const
const recordQueryFields = [...pageFields, 'kind', 'conversation'] as const
const reachFields = ['tokens', 'entries', 'turns'] as const

/** What a store gets for what it was given. */
const checks: { readonly [K in Checked]: (...given: Given<K>) => Given<K> | typeof nothing } = {
  create(input) {
    checkConversation(input)
    return [input.steps ? { ...input, steps: saneSteps(input.id, input.steps) } : input]
  },
  get: (id) => [sought(id)],
  list(query) {
    checkPage(query, listFields)
    return isKeepable(query.folder ?? '') && isKeepable(query.tag ?? '') ? [query] : nothing
  },
  update(id, patch) {
    checkPatch(patch)
    return [sought(id), patch]
  },
  remove: (id) => [sought(id)],

  commit: (id, steps) => [sought(id), saneSteps(id, steps)],
  append: (id, batch, options) => [sought(id), checkBatch(batch), saneAppend(options)],
  entry: (id, entry) => [sought(id), sought(entry)],
  path(id, head, limit) {
    if (limit !== undefined) limitOf(limit)
    return [sought(id), sought(head), limit]
  },
  window(id, branch, reach) {
    checkKeys(reach, reachFields, 'reach')
    for (const field of reachFields) if (reach[field] !== undefined) checkWhole(reach[field], `reach.${field}`)
    return [sought(id), sought(branch), reach]
  },
  feed: after,
  children: (id, parent) => [sought(id), soughtOrNone(parent)],

  branches: (id) => [sought(id)],
  setBranch: (id, move) => [sought(id), saneMove(move)],
  removeBranch: (id, name) => [sought(id), sought(name)],

  openDraft: (id, draft) => [sought(id), saneDraft(draft)],
  saveDraft: (id, draft) => [sought(id), saneSave(draft)],
  drafts: (id) => [sought(id)],
  promoteDraft: (id, promotion) => [sought(id), sanePromotion(promotion)],
  claimDrafts(leaseSeconds) {
    checkLease(leaseSeconds)
    return [leaseSeconds]
  },

  putBlob(id, blob) {
    if (!(blob.bytes instanceof Uint8Array)) throw refusal('invalid', 'bytes must be bytes', { field: 'bytes' })
    checkText(blob.mediaType, 'mediaType', bounds.name)
    return [sought(id), blob]
  },
  getBlob: (sha256) => [sought(sha256)],

  putReceipt: (receipt) => [saneReceipt(receipt)],
  getReceipt: (id) => [sought(id)],
  receipts(id, query) {
    checkPage(query, pageFields)
    return [sought(id), query]
  },

  events: after,
  trimEvents(id, upTo) {
    checkWhole(upTo, 'upTo')
    return [sought(id), upTo]
  },

  putRecord: (record) => [saneRecord(record)],
  getRecord: (kind, id) => [sought(kind), sought(id)],
  removeRecord: (kind, id) => [sought(kind), sought(id)],
  records(query) {
    checkPage(query, recordQueryFields)
    return isKeepable(query.kind) && isKeepable(query.conversation ?? '') ? [query] : nothing
  },

  search(query) {
    checkSearch(query)
    const names = [query.conversation, query.branch, query.tag]
    return names.every((name = '') => isKeepable(name)) ? [query] : nothing
  },
  locate(leads, limit) {
    checkLeads(leads)
    return [leads, limitOf(limit)]
  },
  pick(spots) {
    checkSpots(spots)
    return [spots.map(({ conversation, seq }) => ({ conversation: sought(conversation), seq }))]
  },
  unembedded(model, limit) {
    checkName(model, 'model')
    return [model, limitOf(limit)]
  },
  putVectors(model, vectors) {
    checkName(model, 'model')
    checkVectors(vectors)
    return [model, vectors.map((one) => ({ ...one, conversation: sought(one.conversation) }))]
  },
  removeVectors: () => [],
  reindex(query) {
    checkPage(query, pageFields)
    return [query]
  },

  putSheet(id, kind, sheet) {
    checkSheet(kind, sheet)
    return [sought(id), kind, sheet]
  },
  sheets: (id, kind, firsts) => [sought(id), sought(kind), firsts],

  redact: (id, entry) => [sought(id), sought(entry)],
  verify: (id) => [sought(id)],
}

function after(id: string, number: number, limit: number): Given<'feed'> {
  checkWhole(number, 'after')
  limitOf(limit)
  return [sought(id), number, limit]
}

function checkPage(query: PageQuery, fields: readonly string[]): void {
  checkKeys(query, fields, 'query')
  limitOf(query.limit)
}
