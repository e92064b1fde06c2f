/** The log: writing to it, and every way of reading it. */
import type { Store } from '../contract.js'
import type { Entry } from '../entry.js'
import { bare, blobsOf } from '../link.js'
import { limitOf } from '../page.js'
import { faultsOf } from '../verify.js'
import { answered, grown, known, requestOf, type Target, whereabouts } from './append.js'
import type { Ask, Call, Driver } from './driver.js'
import { missing, readIn, writeIn } from './find.js'
import { toEntry } from './rows.js'
import * as sql from './statements.js'

type Log = Pick<Store, 'append' | 'entry' | 'path' | 'window' | 'feed' | 'children' | 'redact' | 'verify'>

/** Above every sum that can be stored. */
const endless = Number.MAX_SAFE_INTEGER

export function entries(driver: Driver): Log {
  return {
    async append(workspace, conversation, batch, options) {
      const { key } = options
      const target: Target = { workspace, conversation, options }
      const calls: Call[] = [
        [sql.getEntries, [workspace, conversation, batch.map(({ id }) => id)]],
        ...whereabouts(target, batch),
      ]
      if (key !== undefined) calls.push([sql.getKey, [workspace, conversation, key]])
      return writeIn(driver, workspace, conversation, sql.lock, calls, ([locked, found, ...rest]) => {
        const before = key === undefined ? null : answered(rest.at(-1)?.rows ?? [], requestOf(batch, options), key)
        const repeated = before ?? known(found?.rows ?? [], batch)
        if (repeated) return { calls: [], answer: repeated }
        return grown(target, batch, locked?.rows[0]?.entries as number, rest)
      })
    },

    async entry(workspace, conversation, id) {
      const [found] = await driver.read(workspace, [sql.getEntries, [workspace, conversation, [id]]])
      const row = found?.rows[0]
      return row ? toEntry(row) : null
    },

    async path(workspace, conversation, head, limit = endless) {
      const values = [workspace, conversation, head, limit]
      const [found] = await readIn(driver, workspace, conversation, [sql.path, values])
      if (!found?.rows.length) throw missing('entry', 'head', head)
      return found.rows.map(toEntry).reverse()
    },

    async window(workspace, conversation, branch, { tokens = endless, entries = endless, turns = endless }) {
      const values = [workspace, conversation, branch, tokens, entries, turns]
      const [found] = await readIn(driver, workspace, conversation, [sql.window, values])
      const rows = found?.rows ?? []
      const newest = rows.filter((row) => (row.place as number) >= 0).map(toEntry)
      const head = newest[0]
      if (!head) return { head: null, entries: [], opener: null, summary: null }
      const besides = new Map(rows.filter((row) => row.place === -1).map((row) => [row.id, toEntry(row)]))
      return {
        head,
        entries: newest.reverse(),
        opener: besides.get(head.opener) ?? null,
        summary: besides.get(head.summary) ?? null,
      }
    },

    async feed(workspace, conversation, after, limit) {
      const values = [workspace, conversation, after, after + limitOf(limit, 10_000)]
      const [found] = await readIn(driver, workspace, conversation, [sql.feed, values])
      return found?.rows.map(toEntry) ?? []
    },

    async children(workspace, conversation, parent) {
      const [found] = await readIn(
        driver,
        workspace,
        conversation,
        parent === null ? [sql.roots, [workspace, conversation]] : [sql.children, [workspace, conversation, parent]],
      )
      return found?.rows.map(toEntry) ?? []
    },

    async redact(workspace, conversation, entry) {
      const calls: Call[] = [
        [sql.getEntries, [workspace, conversation, [entry]]],
        [sql.removeReceipts, [workspace, conversation]],
      ]
      return writeIn(driver, workspace, conversation, sql.lock, calls, async ([, found, receipts], ask) => {
        const row = found?.rows[0]
        if (!row) throw missing('entry', 'entry', entry)
        const old = toEntry(row)
        const blob = await freeBlobs(workspace, conversation, old, ask)
        const body = JSON.stringify(bare(old.body))
        return {
          calls: [[sql.redactEntry, [workspace, conversation, entry, body]]],
          answer: { conversation, entry, removed: { entry: 1, receipt: receipts?.rowCount ?? 0, blob } },
        }
      })
    },

    async verify(workspace, conversation) {
      const [found] = await readIn(driver, workspace, conversation, [sql.feed, [workspace, conversation, 0, endless]])
      const log = found?.rows.map(toEntry) ?? []
      const faults = faultsOf(log)
      return faults.length === 0 ? { ok: true, entries: log.length } : { ok: false, entries: log.length, faults }
    },
  }
}

/** Gives up the blobs that no other entry of the conversation names; returns how many nobody needs any more. */
async function freeBlobs(workspace: string, conversation: string, entry: Entry, ask: Ask): Promise<number> {
  const named = blobsOf(entry)
  if (named.length === 0) return 0
  const [others] = await ask([sql.mentions, [workspace, conversation, entry.id, named]])
  const kept = new Set((others?.rows ?? []).map(toEntry).flatMap(blobsOf))
  const free = [workspace, conversation, named.filter((sha256) => !kept.has(sha256))]
  const [, removed] = await ask([sql.lockNamedBlobs, free], [sql.removeNamedBlobs, free])
  return removed?.rowCount ?? 0
}
