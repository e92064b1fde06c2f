/** The log: writing to it, and every way of reading it. */
import type { Reach, Store, Stretch } from '../contract.js'
import type { Entry } from '../entry.js'
import { checkBatch, checkName, checkWorkspace } from '../gate.js'
import { bare } from '../link.js'
import { limitOf } from '../page.js'
import { faultsOf } from '../verify.js'
import { answered, grown, known, requestOf, type Target, whereabouts } from './append.js'
import type { Call, Driver } from './driver.js'
import { checkState, missing, name, stateOf, within } from './find.js'
import { toEntry } from './rows.js'
import * as sql from './statements.js'

type Log = Pick<Store, 'append' | 'entry' | 'path' | 'window' | 'feed' | 'children' | 'redact' | 'verify'>

export function entries(driver: Driver): Log {
  return {
    async append(workspace, id, batch, options) {
      checkBatch(batch)
      checkName(options.branch, 'branch')
      checkWorkspace(workspace)
      const { key } = options
      const conversation = name(id)
      const target: Target = { workspace, conversation, options, moves: options.from !== undefined }
      const first: Call[] = [
        [sql.lock, [workspace, conversation]],
        [sql.getEntries, [workspace, conversation, batch.map((entry) => entry.id)]],
        ...whereabouts(target, batch),
      ]
      if (key !== undefined) first.push([sql.getKey, [workspace, conversation, key]])
      return driver.write(workspace, first, async ([locked, found, ...rest], ask) => {
        const row = locked?.rows[0]
        if (!row) checkState((await ask(stateOf(workspace, id)))[0], id)
        const before = key === undefined ? null : answered(rest.at(-1)?.rows ?? [], requestOf(batch, options), key)
        const repeated = before ?? known(found?.rows ?? [], batch)
        if (repeated) return { calls: [], answer: repeated }
        return grown(target, batch, row?.entries as number, rest)
      })
    },

    async entry(workspace, id, entry) {
      checkWorkspace(workspace)
      const [found] = await driver.read(workspace, [sql.getEntries, [workspace, name(id), [name(entry)]]])
      const row = found?.rows[0]
      return row ? toEntry(row) : null
    },

    async path(workspace, id, head, limit = Number.POSITIVE_INFINITY) {
      checkWorkspace(workspace)
      const some = limit > 0
      const values = [workspace, name(id), name(head), some ? limit : 1]
      const [found] = await within(driver, workspace, id, [sql.path, values])
      if (!found?.rows.length) throw missing('entry', 'head', head)
      return some ? found.rows.map(toEntry).reverse() : []
    },

    async window(workspace, id, branch, reach) {
      checkWorkspace(workspace)
      const values = [workspace, name(id), name(branch), ...limitsOf(reach)]
      const [found] = await within(driver, workspace, id, [sql.window, values])
      const rows = found?.rows ?? []
      return stretchOf(
        rows.filter((row) => (row.place as number) >= 0).map(toEntry),
        rows.filter((row) => (row.place as number) < 0).map(toEntry),
      )
    },

    async feed(workspace, id, after, limit) {
      checkWorkspace(workspace)
      const from = Math.trunc(Math.min(Math.max(0, after), Number.MAX_SAFE_INTEGER)) || 0
      const most = Number.isSafeInteger(limit) && limit > 0 ? limitOf(limit, 10_000) : 0
      const [found] = await within(driver, workspace, id, [sql.feed, [workspace, name(id), from, from + most]])
      limitOf(limit)
      return found?.rows.map(toEntry) ?? []
    },

    async children(workspace, id, parent) {
      checkWorkspace(workspace)
      const conversation = [workspace, name(id)]
      const [found] = await within(
        driver,
        workspace,
        id,
        parent === null ? [sql.roots, conversation] : [sql.children, [...conversation, name(parent)]],
      )
      return found?.rows.map(toEntry) ?? []
    },

    async redact(workspace, id, entry) {
      checkWorkspace(workspace)
      const conversation = [workspace, name(id)]
      const first: Call[] = [
        [sql.lock, conversation],
        [sql.getEntries, [...conversation, [name(entry)]]],
        [sql.removeReceipts, conversation],
        [sql.removeKeys, conversation],
      ]
      return driver.write(workspace, first, async ([locked, found, receipts], ask) => {
        if (!locked?.rows.length) checkState((await ask(stateOf(workspace, id)))[0], id)
        const row = found?.rows[0]
        if (!row) throw missing('entry', 'entry', entry)
        return {
          calls: [[sql.redactEntry, [...conversation, entry, JSON.stringify(bare(toEntry(row).body))]]],
          answer: { conversation: id, entry, removed: { entry: 1, receipt: receipts?.rowCount ?? 0 } },
        }
      })
    },

    async verify(workspace, id) {
      checkWorkspace(workspace)
      const every = [workspace, name(id), 0, Number.MAX_SAFE_INTEGER]
      const [found] = await within(driver, workspace, id, [sql.feed, every])
      const log = found?.rows.map(toEntry) ?? []
      const faults = faultsOf(log)
      return faults.length === 0 ? { ok: true, entries: log.length } : { ok: false, entries: log.length, faults }
    },
  }
}

/** What is left out has no limit; what is no number allows nothing. */
const limitsOf = ({ tokens, entries, turns }: Reach): readonly number[] =>
  [tokens, entries, turns].map((limit = Number.POSITIVE_INFINITY) => (Number.isNaN(limit) ? -1 : limit))

function stretchOf(newestFirst: readonly Entry[], besides: readonly Entry[]): Stretch {
  const named = (id: string | null) => besides.find((entry) => entry.id === id) ?? null
  const head = newestFirst[0] ?? besides.reduce((one, other) => (other.depth > one.depth ? other : one), besides[0]!)
  if (!head) return { head: null, entries: [], opener: null, summary: null }
  return { head, entries: newestFirst.toReversed(), opener: named(head.opener), summary: named(head.summary) }
}
