/** Another workspace sees nothing, not even that a thing exists: what is foreign answers as what is missing. */
import assert from 'node:assert/strict'
import type { Store } from '../../store/contract/store.js'
import { append, emit } from './commits.js'
import { add, all, ask, at, begin, type Case, refused, rest, type Stage, say } from './stage.js'

/** Every method that takes an id, asked for things that exist in another workspace. */
const attempts: Readonly<
  Record<string, (store: Store, workspace: string, c: string, sha: string) => Promise<unknown>>
> = {
  get: (store, w, c) => store.get(w, c),
  update: (store, w, c) => store.update(w, c, { title: 'stolen', at }),
  remove: (store, w, c) => store.remove(w, c),
  append: (store, w, c) => store.append(w, c, [ask('forged', { id: 'forged' })], { branch: 'main', at }),
  'append a retry': (store, w, c) => store.append(w, c, [ask('a', { id: 'a' })], { branch: 'main', key: 'k', at }),
  'append from': (store, w, c) => store.append(w, c, [say('x', { id: 'x' })], { branch: 'main', from: 'a', at }),
  entry: (store, w, c) => store.entry(w, c, 'a'),
  path: (store, w, c) => store.path(w, c, 'a'),
  window: (store, w, c) => store.window(w, c, 'main', {}),
  feed: (store, w, c) => store.feed(w, c, 0, 9),
  children: (store, w, c) => store.children(w, c, null),
  branches: (store, w, c) => store.branches(w, c),
  setBranch: (store, w, c) => store.setBranch(w, c, { name: 'main', head: null, expect: 'a', at }),
  removeBranch: (store, w, c) => store.removeBranch(w, c, 'main'),
  openDraft: (store, w, c) => store.openDraft(w, c, { id: 'd', branch: 'main', parent: null, leaseSeconds: 9, at }),
  saveDraft: (store, w, c) => store.saveDraft(w, c, { id: 'd', epoch: 1, text: 'x', body: null, leaseSeconds: 9 }),
  drafts: (store, w, c) => store.drafts(w, c),
  promoteDraft: (store, w, c) => store.promoteDraft(w, c, { id: 'd', epoch: 1, entries: [say('x', { id: 'x' })], at }),
  claimDrafts: (store, w) => store.claimDrafts(w, 9),
  putBlob: (store, w, c) => store.putBlob(w, c, { bytes: Buffer.from('secret'), mediaType: 'text/plain' }),
  getBlob: (store, w, _, sha) => store.getBlob(w, sha),
  putReceipt: (store, w, c) => store.putReceipt(w, { id: 'r', conversation: c, entry: 'a', at, body: {} }),
  getReceipt: (store, w) => store.getReceipt(w, 'r'),
  receipts: (store, w, c) => store.receipts(w, c, { limit: 9 }),
  commit: (store, w, c) => store.commit(w, c, [emit('forged')]),
  'commit a retry': (store, w, c) => store.commit(w, c, [append([ask('a', { id: 'a' })], { key: 'k' })]),
  'commit to a draft': (store, w, c) => store.commit(w, c, [{ do: 'drop-draft', id: 'd', epoch: 1 }]),
  events: (store, w, c) => store.events(w, c, 0, 9),
  trimEvents: (store, w, c) => store.trimEvents(w, c, 9),
  putRecord: (store, w, c) => store.putRecord(w, { kind: 'run', id: 'run', conversation: c, body: 'forged', at }),
  getRecord: (store, w) => store.getRecord(w, 'run', 'run'),
  removeRecord: (store, w) => store.removeRecord(w, 'run', 'run'),
  records: (store, w) => store.records(w, { kind: 'run', limit: 9 }),
  'records of a conversation': (store, w, c) => store.records(w, { kind: 'run', conversation: c, limit: 9 }),
  search: (store, w) => store.search(w, { text: 'a', limit: 9 }),
  'search in a conversation': (store, w, c) => store.search(w, { text: 'a', conversation: c, limit: 9 }),
  'search by meaning': (store, w, c) =>
    store.search(w, {
      text: 'a',
      conversation: c,
      limit: 9,
      near: { model: 'm', vector: Float32Array.of(1, 0), by: 'both', least: -1 },
    }),
  locate: (store, w) => store.locate(w, ['a', { model: 'm', vector: Float32Array.of(1, 0), least: -1 }], 9),
  pick: (store, w, c) => store.pick(w, [{ conversation: c, seq: 1 }]),
  unembedded: (store, w) => store.unembedded(w, 'other', 9),
  putVectors: (store, w, c) => store.putVectors(w, 'm', [{ conversation: c, seq: 1, vector: Float32Array.of(0, 1) }]),
  removeVectors: (store, w) => store.removeVectors(w),
  reindex: (store, w) => store.reindex(w, { limit: 9 }),
  putSheet: (store, w, c) => store.putSheet(w, c, 'k', { first: 1, last: 2, bare: 0, bytes: Buffer.from('forged') }),
  sheets: (store, w, c) => store.sheets(w, c, 'k'),
  redact: (store, w, c) => store.redact(w, c, 'a'),
  verify: (store, w, c) => store.verify(w, c),
  list: (store, w) => store.list(w, { limit: 9 }),
}

async function furnish(stage: Stage): Promise<{ c: string; sha: string }> {
  const { store, workspace } = stage
  const c = await begin(stage)
  await add(stage, c, [ask('a', { id: 'a' })], { key: 'k' })
  await store.openDraft(workspace, c, { id: 'd', branch: 'main', parent: 'a', leaseSeconds: 0, at })
  await store.putReceipt(workspace, { id: 'r', conversation: c, entry: 'a', at, body: { secret: 1 } })
  const { sha256 } = await store.putBlob(workspace, c, { bytes: Buffer.from('secret'), mediaType: 'text/plain' })
  await store.commit(workspace, c, [emit('told')])
  await store.putRecord(workspace, { kind: 'run', id: 'run', conversation: c, body: { secret: 1 }, at })
  await store.search(workspace, { text: 'a', limit: 1 })
  await store.putVectors(workspace, 'm', [{ conversation: c, seq: 1, vector: Float32Array.of(1, 0) }])
  await store.putSheet(workspace, c, 'k', { first: 1, last: 1, bare: 0, bytes: Buffer.from('secret') })
  await rest(5)
  return { c, sha: sha256 }
}

/** What came of it, with the id of the conversation taken out. */
const outcome = async (attempt: Promise<unknown>, c: string): Promise<string> =>
  attempt.then(
    (value) => `gives ${JSON.stringify(value)}`.replaceAll(c, 'it'),
    (error) => `${error.code}: ${error.message} ${JSON.stringify(error.issues)}`.replaceAll(c, 'it'),
  )

const look = async (stage: Stage, c: string, sha: string) => ({
  conversation: await stage.store.get(stage.workspace, c),
  entries: await all(stage, c),
  branches: await stage.store.branches(stage.workspace, c),
  drafts: await stage.store.drafts(stage.workspace, c),
  receipt: await stage.store.getReceipt(stage.workspace, 'r'),
  events: await stage.store.events(stage.workspace, c, 0, 9),
  record: await stage.store.getRecord(stage.workspace, 'run', 'run'),
  found: await stage.store.search(stage.workspace, { text: 'a', limit: 9 }),
  near: await stage.store.search(stage.workspace, {
    text: '',
    limit: 9,
    near: { model: 'm', vector: Float32Array.of(1, 0), by: 'meaning', least: -1 },
  }),
  sheets: await stage.store.sheets(stage.workspace, c, 'k'),
  blob: (await stage.store.getBlob(stage.workspace, sha))?.size,
})

/** What a reader that only looks is told; the others are told `not_found`. */
const nothing: Readonly<Record<string, unknown>> = {
  get: null,
  entry: null,
  claimDrafts: [],
  getBlob: null,
  getReceipt: null,
  list: { items: [], cursor: null },
  getRecord: null,
  removeRecord: undefined,
  records: { items: [], cursor: null },
  'records of a conversation': { items: [], cursor: null },
  search: { items: [], cursor: null },
  'search in a conversation': { items: [], cursor: null },
  'search by meaning': { items: [], cursor: null },
  locate: [[], []],
  pick: [null],
  sheets: [],
  unembedded: [],
  putVectors: undefined,
  removeVectors: 0,
  reindex: { entries: 0, cursor: null },
}

export const walls: readonly Case[] = [
  {
    name: 'finds nothing in a conversation that is not there, with every method',
    run: async ({ store, workspace }) => {
      for (const [method, attempt] of Object.entries(attempts)) {
        const asked = attempt(store, workspace, 'nowhere', '0'.repeat(64))
        if (method in nothing) assert.deepEqual(await asked, nothing[method], method)
        else await refused(asked, 'not_found')
      }
    },
  },
  ...Object.entries(attempts).map(
    ([method, attempt]): Case => ({
      name: `answers another workspace's ${method} as if the thing were not there`,
      run: async (stage) => {
        const { c, sha } = await furnish(stage)
        const before = await look(stage, c, sha)
        const foreign = `${stage.workspace} foreign`
        const missing = 'c-missing'
        assert.equal(
          await outcome(attempt(stage.store, foreign, c, sha), c),
          await outcome(attempt(stage.store, foreign, missing, '0'.repeat(64)), missing),
        )
        assert.deepEqual(await look(stage, c, sha), before)
      },
    }),
  ),
  {
    name: 'answers another workspace about a deleted conversation as about one that never was',
    run: async (stage) => {
      const { c, sha } = await furnish(stage)
      await stage.store.remove(stage.workspace, c)
      const foreign = `${stage.workspace} foreign`
      for (const [method, attempt] of Object.entries(attempts))
        assert.equal(
          await outcome(attempt(stage.store, foreign, c, sha), c),
          await outcome(attempt(stage.store, foreign, 'c-missing', '0'.repeat(64)), 'c-missing'),
          method,
        )
    },
  },
  {
    name: 'keeps the same ids in two workspaces apart, for good and ill',
    run: async (stage) => {
      const other = { ...stage, workspace: `${stage.workspace}2` }
      for (const { store, workspace } of [stage, other]) {
        await store.create(workspace, { id: 'c', at, title: workspace })
        await store.append(workspace, 'c', [ask(workspace, { id: 'a' })], { branch: 'main', key: 'k', at })
        await store.putReceipt(workspace, { id: 'r', conversation: 'c', entry: null, at, body: workspace })
        await store.putBlob(workspace, 'c', { bytes: Buffer.from('same'), mediaType: 'text/plain' })
      }
      await stage.store.redact(stage.workspace, 'c', 'a')
      await stage.store.remove(stage.workspace, 'c')
      const { store, workspace } = other
      assert.equal((await store.get(workspace, 'c'))?.title, workspace)
      assert.equal((await store.entry(workspace, 'c', 'a'))?.text, workspace)
      assert.equal((await store.getReceipt(workspace, 'r'))?.body, workspace)
      assert.equal((await add(other, 'c', [ask(workspace, { id: 'a' })], { key: 'k' })).repeated, true)
      const { sha256 } = await store.putBlob(workspace, 'c', { bytes: Buffer.from('same'), mediaType: 'text/plain' })
      assert.equal((await store.getBlob(workspace, sha256))?.size, 4)
    },
  },
]
