/** The store to read first: everything in memory, nothing clever. The other stores behave exactly like it. */
import { createHash } from 'node:crypto'
import type { Branch, Conversation, Draft, Store } from '../contract.js'
import type { Entry } from '../entry.js'
import { plain, requestHash } from '../gate.js'
import { gated } from '../gated.js'
import { bare } from '../link.js'
import { compareText, decodeCursor, limitOf } from '../page.js'
import { refusal } from '../refuse.js'
import { faultsOf } from '../verify.js'
import { compareKeys, compareListed, listKey, matches, page, receiptKey } from './list.js'
import { copy, moved, placeOf, type Room, repeatedOf, soleBlobs, stretch, type Workspace, walk, write } from './room.js'

/** `clock` gives seconds that only grow; leases are measured with it. `workspaces` is all the store holds. */
export function memoryStore(
  clock: () => number = () => performance.now() / 1_000,
  workspaces: Map<string, Workspace> = new Map(),
): Store {
  const home = (workspace: string): Workspace => {
    const known = workspaces.get(workspace)
    if (known) return known
    const made: Workspace = { rooms: new Map(), tombstones: new Set(), blobs: new Map(), receipts: new Map() }
    workspaces.set(workspace, made)
    return made
  }
  const find = (workspace: string, id: string): Room => {
    const { rooms, tombstones } = home(workspace)
    const room = rooms.get(id)
    if (room) return room
    if (tombstones.has(id)) throw refusal('gone', 'the conversation was deleted', { field: 'conversation', value: id })
    throw refusal('not_found', 'there is no such conversation', { field: 'conversation', value: id })
  }
  const peek = (workspace: string, id: string): Room | undefined => home(workspace).rooms.get(id)

  /** No conversation refers to it. */
  const isUnused = (workspace: string, sha: string): boolean =>
    ![...home(workspace).rooms.values()].some((room) => room.blobs.has(sha))

  return gated({
    async create(workspace, input) {
      const { rooms, tombstones } = home(workspace)
      if (tombstones.has(input.id))
        throw refusal('gone', 'the conversation was deleted', { field: 'conversation', value: input.id })
      if (rooms.has(input.id))
        throw refusal('id_conflict', 'there is a conversation with this id', {
          field: 'conversation.id',
          value: input.id,
        })
      const conversation: Conversation = {
        id: input.id,
        title: input.title ?? '',
        folder: input.folder ?? null,
        tags: plain(input.tags ?? []),
        pinned: false,
        archived: false,
        meta: plain(input.meta ?? {}),
        createdAt: input.at,
        updatedAt: input.at,
        entries: 0,
        bytes: 0,
      }
      rooms.set(input.id, {
        conversation,
        entries: [],
        byId: new Map(),
        branches: new Map(),
        drafts: new Map(),
        keys: new Map(),
        blobs: new Set(),
      })
      return copy(conversation)
    },

    async get(workspace, id) {
      const room = peek(workspace, id)
      return room ? copy(room.conversation) : null
    },

    async list(workspace, query) {
      const all = [...home(workspace).rooms.values()]
        .map((room) => room.conversation)
        .filter((one) => matches(one, query))
      all.sort((one, other) => compareListed(one, other))
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor, 3)
      const rest = after ? all.filter((one) => compareKeys(listKey(one), after) > 0) : all
      return page(rest, limitOf(query.limit), listKey)
    },

    async update(workspace, id, patch) {
      const room = find(workspace, id)
      const { at, ...given } = patch
      // what is undefined is not given, and JSON leaves it out
      room.conversation = { ...room.conversation, ...plain(given), updatedAt: at }
      return copy(room.conversation)
    },

    async remove(workspace, id) {
      const room = find(workspace, id)
      const { rooms, tombstones, receipts, blobs } = home(workspace)
      rooms.delete(id)
      tombstones.add(id)
      const owned = [...receipts.values()].filter((receipt) => receipt.conversation === id)
      for (const receipt of owned) receipts.delete(receipt.id)
      const orphaned = [...room.blobs].filter((sha) => isUnused(workspace, sha))
      for (const sha of orphaned) blobs.delete(sha)
      const removed = {
        conversation: 1,
        entry: room.entries.length,
        branch: room.branches.size,
        draft: room.drafts.size,
        blob: orphaned.length,
        receipt: owned.length,
        idempotency: room.keys.size,
      }
      return { conversation: id, entry: null, removed }
    },

    async append(workspace, id, batch, options) {
      const room = find(workspace, id)
      return copy(write(room, batch, options))
    },

    async entry(workspace, id, entry) {
      return copy(peek(workspace, id)?.byId.get(entry) ?? null)
    },

    async path(workspace, id, head, limit = Number.POSITIVE_INFINITY) {
      const room = find(workspace, id)
      const last = room.byId.get(head)
      if (!last) throw refusal('not_found', 'there is no such entry', { field: 'head', value: head })
      return copy(walk(room, last, (_, taken) => taken < limit))
    },

    async window(workspace, id, branch, reach) {
      const room = find(workspace, id)
      const head = room.branches.get(branch)?.head
      const last = head ? room.byId.get(head) : undefined
      return copy(last ? stretch(room, last, reach) : { head: null, entries: [], opener: null, summary: null })
    },

    async feed(workspace, id, after, limit) {
      const room = find(workspace, id)
      return copy(room.entries.slice(after, after + limitOf(limit, 10_000)))
    },

    async children(workspace, id, parent) {
      return copy(find(workspace, id).entries.filter((entry) => entry.parent === parent))
    },

    async branches(workspace, id) {
      return copy([...find(workspace, id).branches.values()].sort((one, other) => compareText(one.name, other.name)))
    },

    async setBranch(workspace, id, move) {
      const room = find(workspace, id)
      const current = room.branches.get(move.name)
      if ((current?.head ?? null) !== move.expect) throw moved(current?.head ?? null)
      if (move.head !== null && !room.byId.has(move.head))
        throw refusal('unknown_parent', 'there is no such entry', { field: 'head', value: move.head })
      const branch: Branch = { name: move.name, head: move.head, updatedAt: move.at }
      room.branches.set(move.name, branch)
      return copy(branch)
    },

    async removeBranch(workspace, id, name) {
      if (!find(workspace, id).branches.delete(name))
        throw refusal('not_found', 'there is no such branch', { field: 'branch', value: name })
    },

    async openDraft(workspace, id, draft) {
      const room = find(workspace, id)
      if (room.drafts.has(draft.id))
        throw refusal('id_conflict', 'there is a draft with this id', { field: 'draft.id', value: draft.id })
      if (draft.parent !== null && !room.byId.has(draft.parent))
        throw refusal('unknown_parent', 'there is no such entry', { field: 'draft.parent', value: draft.parent })
      const { leaseSeconds, ...rest } = draft
      const made = { ...rest, conversation: id, text: '', body: null, epoch: 1, until: clock() + leaseSeconds }
      room.drafts.set(draft.id, made)
      return shown(made)
    },

    async saveDraft(workspace, id, save) {
      const room = find(workspace, id)
      const draft = held(room, save)
      const made = { ...draft, text: save.text, body: plain(save.body ?? null), until: clock() + save.leaseSeconds }
      room.drafts.set(save.id, made)
      return shown(made)
    },

    async drafts(workspace, id) {
      return [...find(workspace, id).drafts.values()].sort((one, other) => compareText(one.id, other.id)).map(shown)
    },

    async promoteDraft(workspace, id, promotion) {
      const room = find(workspace, id)
      const known = repeatedOf(room, promotion.entries)
      if (known && !room.drafts.has(promotion.id)) return copy(known)
      const draft = held(room, promotion)
      const written = write(room, promotion.entries, { ...placeOf(room, draft), at: promotion.at })
      room.drafts.delete(promotion.id)
      return copy(written)
    },

    async claimDrafts(workspace, leaseSeconds) {
      const claimed: Draft[] = []
      for (const room of home(workspace).rooms.values()) {
        for (const [name, draft] of room.drafts) {
          if (draft.until > clock()) continue
          const made = { ...draft, epoch: draft.epoch + 1, until: clock() + leaseSeconds }
          room.drafts.set(name, made)
          claimed.push(shown(made))
        }
      }
      return claimed.sort(
        (one, other) => compareText(one.conversation, other.conversation) || compareText(one.id, other.id),
      )
    },

    async putBlob(workspace, id, { bytes, mediaType }) {
      const room = find(workspace, id)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const { blobs } = home(workspace)
      const known = blobs.get(sha256) ?? { sha256, mediaType, size: bytes.length, bytes: new Uint8Array(bytes) }
      blobs.set(sha256, known)
      room.blobs.add(sha256)
      return { sha256, mediaType: known.mediaType, size: known.size }
    },

    async getBlob(workspace, sha256) {
      const blob = home(workspace).blobs.get(sha256)
      return blob ? { ...blob, bytes: new Uint8Array(blob.bytes) } : null
    },

    async putReceipt(workspace, receipt) {
      find(workspace, receipt.conversation)
      const { receipts } = home(workspace)
      const known = receipts.get(receipt.id)
      if (known && requestHash(known) !== requestHash(receipt))
        throw refusal('id_conflict', 'there is another receipt with this id', {
          field: 'receipt.id',
          value: receipt.id,
        })
      receipts.set(receipt.id, plain(receipt))
    },

    async getReceipt(workspace, id) {
      return copy(home(workspace).receipts.get(id) ?? null)
    },

    async receipts(workspace, id, query) {
      find(workspace, id)
      const all = [...home(workspace).receipts.values()].filter((receipt) => receipt.conversation === id)
      all.sort((one, other) => compareKeys(receiptKey(one), receiptKey(other)))
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor, 2)
      const rest = after ? all.filter((one) => compareKeys(receiptKey(one), after) > 0) : all
      return page(rest, limitOf(query.limit), receiptKey)
    },

    async redact(workspace, id, entry) {
      const room = find(workspace, id)
      const known = room.byId.get(entry)
      if (!known) throw refusal('not_found', 'there is no such entry', { field: 'entry', value: entry })
      const { receipts, blobs } = home(workspace)
      const freed = soleBlobs(room, known)
      for (const sha of freed) room.blobs.delete(sha)
      const orphaned = freed.filter((sha) => isUnused(workspace, sha))
      for (const sha of orphaned) blobs.delete(sha)
      const emptied = redacted(known)
      room.byId.set(entry, emptied)
      room.entries[known.seq - 1] = emptied
      const owned = [...receipts.values()].filter((receipt) => receipt.conversation === id)
      for (const receipt of owned) receipts.delete(receipt.id)
      return { conversation: id, entry, removed: { entry: 1, receipt: owned.length, blob: orphaned.length } }
    },

    async verify(workspace, id) {
      const { entries } = find(workspace, id)
      const faults = faultsOf(entries)
      return faults.length === 0
        ? { ok: true, entries: entries.length }
        : { ok: false, entries: entries.length, faults }
    },

    async close() {
      workspaces.clear()
    },
  })
}

function held(room: Room, owner: { readonly id: string; readonly epoch: number }): Draft & { until: number } {
  const draft = room.drafts.get(owner.id)
  if (!draft) throw refusal('not_found', 'there is no such draft', { field: 'draft.id', value: owner.id })
  if (draft.epoch !== owner.epoch)
    throw refusal('fenced', 'someone else has taken the draft over', { field: 'draft.epoch', value: draft.epoch })
  return draft
}

const shown = ({ until: _, ...draft }: Draft & { until: number }): Draft => copy(draft)

function redacted(entry: Entry): Entry {
  const { meta: _, ...rest } = entry
  return { ...rest, body: bare(entry.body), text: '', redacted: true }
}
