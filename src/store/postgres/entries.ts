/** The log: writing to it, and every way of reading it. */

import type { Reach } from '../contract/append.js'
import type { Entry } from '../contract/entry.js'
import type { Store } from '../contract/store.js'
import { isFindable } from '../search/found.js'
import { bare, blobsOf } from '../shared/link.js'
import { limitOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { type Fault, faultsBeside, openChain, verdictOf } from '../shared/verify.js'
import { appended, appending, placedWriting, reason } from './append.js'
import { type Call, countOf } from './batch.js'
import type { Driver, More } from './driver.js'
import { eraseBeside } from './erase.js'
import { checkHere, checkState, notThere, readIn, stateOf, writeIn } from './find.js'
import { rowToEntry, toBranch } from './rows.js'
import { branchRows } from './sql/branches.js'
import { conversationRow, removeReceipts } from './sql/conversations.js'
import { lock } from './sql/frame.js'
import * as sql from './sql/log.js'
import { lockNamedBlobs, removeNamedBlobs, wholeBlobs } from './sql/records.js'
import { unsealed } from './sql/seal.js'
import { indexed, listed } from './sql/search.js'

type Log = Pick<Store, 'append' | 'entry' | 'pick' | 'path' | 'window' | 'feed' | 'children' | 'redact' | 'verify'>

/** Above every sum that can be stored. */
const endless = Number.MAX_SAFE_INTEGER
/** Entries that are verified at once. */
const lot = 250
/** How often a write is tried whose obstacle was gone when it was looked for. */
const attempts = 5

export function postgresEntries(driver: Driver): Log {
  return {
    async append(workspace, conversation, batch, options) {
      const writing = placedWriting(workspace, conversation, batch, options)
      const locked: Call = [lock, [workspace, conversation]]
      for (let attempt = 0; attempt < attempts; attempt++) {
        const [, ...results] = await driver.once(workspace, locked, ...appending(writing))
        const done = appended(writing, results) ?? (await reason(writing, inConversation))
        if (done) return done
      }
      throw refusal('unavailable', 'others were faster each time; the same call can be made again')

      async function inConversation(...calls: readonly Call[]) {
        const [state, ...results] = await driver.read(workspace, stateOf(workspace, conversation), ...calls)
        checkState(state, conversation)
        return results
      }
    },

    async entry(workspace, conversation, id) {
      const [found] = await driver.read(workspace, [sql.getEntries, [workspace, conversation, [id]]])
      const row = found?.rows[0]
      return row ? rowToEntry(row) : null
    },

    async pick(workspace, spots) {
      const columns = [spots.map(({ conversation }) => conversation), spots.map(({ seq }) => seq)]
      const [read] = await driver.read(workspace, [sql.entriesAt, [workspace, ...columns]])
      const found = new Map((read?.rows ?? []).map((row) => [row.n as number, rowToEntry(row)]))
      return spots.map((_, at) => found.get(at + 1) ?? null)
    },

    async path(workspace, conversation, head, limit = endless) {
      const rows = await readIn(driver, workspace, conversation, [sql.path, [workspace, conversation, head, limit]])
      if (rows.length === 0) throw notThere('entry', 'head', head)
      return follow(head, rows.map(rowToEntry)).reverse()
    },

    async window(workspace, conversation, branch, { tokens = endless, entries = endless, turns = endless }) {
      const reach = [tokens, entries, turns] as const
      const [found] = await driver.read(workspace, [sql.window, [workspace, conversation, branch, ...reach]])
      const rows = found?.rows ?? []
      if (rows.length === 0) await checkHere(driver, workspace, conversation)
      const near = rows.filter(({ beside }) => !beside).map(rowToEntry)
      const newest = near.reduce((seq, entry) => Math.max(seq, entry.seq), 0)
      const path = follow(near.find(({ seq }) => seq === newest)?.id, near)
      const [head = null] = path
      const next = head && nextInReach(head, path.at(-1) as Entry, { tokens, entries, turns })
      if (head && next !== null) {
        const values = [workspace, conversation, head.id, ...reach, next]
        const [more] = await driver.read(workspace, [sql.windowBehind, values])
        path.push(...follow(next, (more?.rows ?? []).map(rowToEntry)))
      }
      const besides = rows.filter(({ beside }) => beside).map(rowToEntry)
      return {
        head,
        entries: path.reverse(),
        opener: besides.find(({ id }) => id === head?.opener) ?? null,
        summary: besides.find(({ id }) => id === head?.summary) ?? null,
      }
    },

    async feed(workspace, conversation, after, limit) {
      const values = [workspace, conversation, after, after + limitOf(limit, 10_000)]
      const rows = await readIn(driver, workspace, conversation, [sql.feed, values])
      return rows.map(rowToEntry)
    },

    async children(workspace, conversation, parent) {
      const rows = await readIn(
        driver,
        workspace,
        conversation,
        parent === null ? [sql.roots, [workspace, conversation]] : [sql.children, [workspace, conversation, parent]],
      )
      return rows.map(rowToEntry)
    },

    async redact(workspace, conversation, entry) {
      const calls: Call[] = [
        [sql.getEntries, [workspace, conversation, [entry]]],
        [removeReceipts, [workspace, conversation]],
      ]
      return writeIn(driver, workspace, conversation, lock, calls, async ([, found, receipts], ask) => {
        const row = found?.rows[0]
        if (!row) throw notThere('entry', 'entry', entry)
        const old = rowToEntry(row)
        const blob = await freeBlobs(workspace, conversation, old, ask)
        const beside = await eraseBeside(workspace, conversation, old, ask)
        const body = JSON.stringify(bare(old.body))
        return {
          calls: [[sql.redactRow, [workspace, conversation, entry, body]]],
          answer: { conversation, entry, removed: { entry: 1, receipt: countOf(receipts), blob, ...beside } },
        }
      })
    },

    async verify(workspace, conversation) {
      const key = [workspace, conversation] as const
      // in this order: what others write meanwhile is never missed, for it comes after what is looked at
      const [state, branches, facts, blobs, found, changed] = await driver.read(
        workspace,
        ...[stateOf(...key), [branchRows, key] as const, [conversationRow, key] as const, [wholeBlobs, key] as const],
        ...[[indexed, key] as const, [unsealed, key] as const],
      )
      checkState(state, conversation)
      const known = Number(facts?.rows[0]?.entries)
      const taken = Number(found?.rows[0]?.indexed)
      const chain = openChain()
      const faults = (changed?.rows ?? []).map(({ seq, fault }): Fault => ({ seq: Number(seq), fault: String(fault) }))
      for (let after = 0; after < known; after += lot) {
        const upTo = Math.min(after + lot, known)
        const stretch = [...key, after, upTo]
        // before and after them, so that what others redact meanwhile is neither missed nor left over
        const calls: Call[] = [[listed, stretch], [sql.feed, stretch], [listed, stretch], stateOf(...key)]
        const [before, rows, later, still] = await driver.read(workspace, ...calls)
        checkState(still, conversation)
        const [early, late] = [before, later].map((one) => new Set((one?.rows ?? []).map(({ seq }) => seq as number)))
        for (const entry of (rows?.rows ?? []).map(rowToEntry)) {
          faults.push(...chain.take(entry))
          if (entry.seq <= taken && !early?.has(entry.seq) && isFindable(entry))
            faults.push({ seq: entry.seq, fault: 'it cannot be found' })
          if (entry.redacted && late?.has(entry.seq))
            faults.push({ seq: entry.seq, fault: 'it is redacted and can be found' })
        }
      }
      const beside = {
        entries: known,
        branches: (branches?.rows ?? []).map(toBranch),
        blobs: new Set((blobs?.rows ?? []).map(({ sha256 }) => sha256 as string)),
      }
      return verdictOf({ entries: chain.length, faults: [...faults, ...faultsBeside(chain, beside)] })
    },
  }
}

/** From an entry back, as far as the entries are among those that were read; newest first. */
function follow(id: string | null | undefined, read: readonly Entry[]): Entry[] {
  const byId = new Map(read.map((entry) => [entry.id, entry]))
  const path: Entry[] = []
  for (let next = byId.get(id ?? ''); next; next = byId.get(next.parent ?? '')) path.push(next)
  return path
}

/** The parent of the oldest entry that was read, if it is in reach from the head. */
function nextInReach(head: Entry, oldest: Entry, reach: Required<Reach>): string | null {
  const { body, total, tokens, depth, turns, parent } = oldest
  const asks = body.kind === 'message' && body.role === 'user'
  const isNear =
    head.total - (total - tokens) <= reach.tokens &&
    head.depth - (depth - 1) <= reach.entries &&
    head.turns - (turns - (asks ? 1 : 0)) <= reach.turns
  return isNear ? parent : null
}

/** Gives up the blobs that no other entry of the conversation names; returns how many nobody needs any more. */
async function freeBlobs(workspace: string, conversation: string, entry: Entry, ask: More): Promise<number> {
  const named = blobsOf(entry)
  if (named.length === 0) return 0
  const [others] = await ask([sql.mentions, [workspace, conversation, entry.id, named]])
  const kept = new Set((others?.rows ?? []).map(rowToEntry).flatMap(blobsOf))
  const free = [workspace, conversation, named.filter((sha256) => !kept.has(sha256))] as const
  const [, removed] = await ask([lockNamedBlobs, free], [removeNamedBlobs, free])
  return countOf(removed)
}
