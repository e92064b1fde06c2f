/** The store to read first: everything in memory, nothing clever. The other stores behave exactly like it. */

import { gated } from '../around/gated.js'
import type { Conversation, ListQuery } from '../contract/conversation.js'
import type { Store } from '../contract/store.js'
import { plain } from '../shared/gate.js'
import { compareText, decodeCursor, limitOf, listKey, pageOf, receiptKey } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { digest } from '../shared/runtime.js'
import { bellName, newBell } from '../shared/turn.js'
import { faultsOf, verdictOf } from '../shared/verify.js'
import { commit } from './commit.js'
import { claimDrafts, openDraft, promoteDraft, promotedBefore, saveDraft, shown } from './drafts.js'
import { redact, remove } from './erase.js'
import { eventsAfter, trimEvents } from './events.js'
import { fileName, listRecords, putReceipt, putRecord, removeRecord } from './records.js'
import { reindex } from './reindex.js'
import { copy, newRoom, newWorkspace, type Room, setBranch, stretch, type Workspace, walk, write } from './room.js'
import { locate, search } from './search.js'
import { listSheets, putSheet } from './sheets.js'
import { putVectors, removeVectors, unembedded } from './vectors.js'

/**
 * `clock` gives seconds that only grow; leases are measured with it. `workspaces` is all the store holds.
 * @example const history = await openHistory({ store: memoryStore() })
 */
export function memoryStore(
  clock: () => number = () => performance.now() / 1_000,
  workspaces: Map<string, Workspace> = new Map(),
): Store {
  const home = (workspace: string): Workspace => {
    const known = workspaces.get(workspace)
    if (known) return known
    const made = newWorkspace()
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
  const bell = newBell()
  const peek = (workspace: string, id: string): Room | undefined => home(workspace).rooms.get(id)

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
      const room = newRoom(conversation)
      if (input.steps) commit(home(workspace), room, input.steps, clock())
      rooms.set(input.id, room)
      return copy(room.conversation)
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
      return copy(pageOf(rest, limitOf(query.limit), listKey))
    },

    async update(workspace, id, patch) {
      const room = find(workspace, id)
      const { at, ...given } = patch
      // what is undefined is not given, and JSON leaves it out
      room.conversation = { ...room.conversation, ...plain(given), updatedAt: at }
      return copy(room.conversation)
    },

    async remove(workspace, id) {
      return remove(home(workspace), find(workspace, id))
    },

    async commit(workspace, id, steps) {
      const done = commit(home(workspace), find(workspace, id), steps, clock())
      if (!done.repeated && steps.some((step) => step.do === 'emit' && step.events.length > 0))
        bell.ring(bellName(workspace, id))
      return done
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
      return setBranch(find(workspace, id), move)
    },

    async removeBranch(workspace, id, name) {
      if (!find(workspace, id).branches.delete(name))
        throw refusal('not_found', 'there is no such branch', { field: 'branch', value: name })
    },

    async openDraft(workspace, id, draft) {
      return openDraft(find(workspace, id), draft, clock())
    },

    async saveDraft(workspace, id, save) {
      return saveDraft(find(workspace, id), save, clock())
    },

    async drafts(workspace, id) {
      return [...find(workspace, id).drafts.values()].sort((one, other) => compareText(one.id, other.id)).map(shown)
    },

    async promoteDraft(workspace, id, promotion) {
      const room = find(workspace, id)
      return copy(promotedBefore(room, promotion) ?? promoteDraft(room, promotion))
    },

    async claimDrafts(workspace, leaseSeconds) {
      const rooms = [...home(workspace).rooms.values()]
      return rooms
        .flatMap((room) => claimDrafts(room, clock(), leaseSeconds))
        .sort((one, other) => compareText(one.conversation, other.conversation) || compareText(one.id, other.id))
    },

    async putBlob(workspace, id, { bytes, mediaType }) {
      const room = find(workspace, id)
      const sha256 = digest(bytes)
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
      putReceipt(home(workspace), receipt)
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
      return copy(pageOf(rest, limitOf(query.limit), receiptKey))
    },

    async events(workspace, id, after, limit) {
      return eventsAfter(find(workspace, id), after, limit)
    },

    async trimEvents(workspace, id, upTo) {
      trimEvents(find(workspace, id), upTo)
    },

    watch: (workspace, id, wake) => bell.watch(bellName(workspace, id), wake),

    async putRecord(workspace, record) {
      if (record.conversation !== undefined) find(workspace, record.conversation)
      return putRecord(home(workspace), record)
    },

    async getRecord(workspace, kind, id) {
      return copy(home(workspace).records.get(fileName(kind, id))?.record ?? null)
    },

    async removeRecord(workspace, kind, id) {
      removeRecord(home(workspace), kind, id)
    },

    async records(workspace, query) {
      return listRecords(home(workspace), query)
    },

    async search(workspace, query) {
      return search(home(workspace), query)
    },

    async locate(workspace, leads, limit) {
      return locate(home(workspace), leads, limit)
    },

    async pick(workspace, spots) {
      return copy(spots.map(({ conversation, seq }) => peek(workspace, conversation)?.entries[seq - 1] ?? null))
    },

    async unembedded(workspace, model, limit) {
      return unembedded(home(workspace), model, limit)
    },

    async putVectors(workspace, model, vectors) {
      putVectors(home(workspace), model, vectors)
    },

    async removeVectors(workspace) {
      return removeVectors(home(workspace))
    },

    async reindex(workspace, query) {
      return reindex(home(workspace), query)
    },

    async putSheet(workspace, id, kind, sheet) {
      return putSheet(find(workspace, id), kind, sheet)
    },

    async sheets(workspace, id, kind, firsts) {
      return listSheets(peek(workspace, id), kind, firsts)
    },

    async redact(workspace, id, entry) {
      const room = find(workspace, id)
      const known = room.byId.get(entry)
      if (!known) throw refusal('not_found', 'there is no such entry', { field: 'entry', value: entry })
      return redact(home(workspace), room, known)
    },

    async verify(workspace, id) {
      const { entries } = find(workspace, id)
      return verdictOf({ entries: entries.length, faults: faultsOf(entries) })
    },

    async close() {
      bell.close()
      workspaces.clear()
    },
  })
}

// the order of lists, and their pages

function matches(one: Conversation, query: ListQuery): boolean {
  if (query.archived !== undefined && one.archived !== query.archived) return false
  if (query.pinned !== undefined && one.pinned !== query.pinned) return false
  if (query.folder !== undefined && one.folder !== query.folder) return false
  return query.tag === undefined || one.tags.includes(query.tag)
}

/** Pinned first, then newest first, then by id. */
const compareListed = (one: Conversation, other: Conversation): number => compareKeys(listKey(one), listKey(other))

function compareKeys(one: readonly string[], other: readonly string[]): number {
  for (let i = 0; i < one.length; i++) {
    const order = compareText(one[i] as string, other[i] as string)
    // times run backwards: the newest comes first
    if (order !== 0) return i === one.length - 2 ? -order : order
  }
  return 0
}
