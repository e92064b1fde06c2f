/** A delete is final, takes everything the conversation owns, and nothing else. */
import assert from 'node:assert/strict'
import { append, emit } from './commits.js'
import { add, all, ask, at, begin, type Case, refused, rest, type Stage, say } from './stage.js'

/** A conversation with one of everything. */
async function furnish(stage: Stage, c: string) {
  const { store, workspace } = stage
  await add(stage, c, [ask('a', { id: 'a' }), say('b', { id: 'b' })], { key: 'k' })
  await add(stage, c, [say('c')], { branch: 'side', from: 'a', key: 'k2' })
  await store.openDraft(workspace, c, { id: 'd', branch: 'main', parent: 'b', leaseSeconds: 0, at })
  await store.putReceipt(workspace, { id: `receipt of ${c}`, conversation: c, entry: 'b', at, body: { c } })
  await store.commit(workspace, c, [emit('told', 'again')])
  await store.putRecord(workspace, { kind: 'run', id: `run of ${c}`, conversation: c, body: { c }, at })
  await store.putRecord(workspace, { kind: 'share', id: `share of ${c}`, conversation: c, body: { c }, at })
  await store.search(workspace, { text: 'anything', limit: 1 })
  const own = await store.putBlob(workspace, c, { bytes: Buffer.from(c), mediaType: 'text/plain' })
  const shared = await store.putBlob(workspace, c, { bytes: Buffer.from('shared'), mediaType: 'text/plain' })
  return { own: own.sha256, shared: shared.sha256 }
}

const counts = { conversation: 1, entry: 3, branch: 2, draft: 1, blob: 2, receipt: 1, idempotency: 2 }

const look = async (stage: Stage, c: string) => ({
  conversation: await stage.store.get(stage.workspace, c),
  entries: await all(stage, c),
  branches: await stage.store.branches(stage.workspace, c),
  drafts: await stage.store.drafts(stage.workspace, c),
  receipts: await stage.store.receipts(stage.workspace, c, { limit: 9 }),
  events: await stage.store.events(stage.workspace, c, 0, 9),
  run: await stage.store.getRecord(stage.workspace, 'run', `run of ${c}`),
  found: await stage.store.search(stage.workspace, { text: 'b', conversation: c, limit: 9 }),
  verified: await stage.store.verify(stage.workspace, c),
})

export const removal: readonly Case[] = [
  {
    name: 'removes one conversation with all it owns, and says what was removed',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const { own, shared } = await furnish(stage, c)
      assert.deepEqual(await store.remove(workspace, c), {
        conversation: c,
        entry: null,
        removed: { ...counts, event: 2, record: 2, search_entry: 3 },
      })
      assert.equal(await store.get(workspace, c), null)
      assert.equal(await store.entry(workspace, c, 'a'), null)
      assert.equal(await store.getRecord(workspace, 'run', `run of ${c}`), null)
      assert.deepEqual((await store.records(workspace, { kind: 'share', limit: 9 })).items, [])
      assert.deepEqual((await store.search(workspace, { text: 'b', limit: 9 })).items, [])
      assert.equal(await store.getReceipt(workspace, `receipt of ${c}`), null)
      assert.equal(await store.getBlob(workspace, own), null)
      assert.equal(await store.getBlob(workspace, shared), null)
      assert.deepEqual((await store.list(workspace, { limit: 9 })).items, [])
      await rest(5)
      assert.deepEqual(await store.claimDrafts(workspace, 9), [])
    },
  },
  {
    name: 'removes nothing of another conversation, nor what both have',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      const removed = await furnish(stage, c)
      const kept = await furnish(stage, other)
      const before = await look(stage, other)
      assert.equal((await store.remove(workspace, c)).removed.blob, 1)
      assert.deepEqual(await look(stage, other), before)
      assert.equal(await store.getBlob(workspace, removed.own), null)
      assert.equal((await store.getBlob(workspace, kept.own))?.size, other.length)
      assert.equal((await store.getBlob(workspace, kept.shared))?.size, 6)
      assert.equal(
        (await add(stage, other, [ask('a', { id: 'a' }), say('b', { id: 'b' })], { key: 'k' })).repeated,
        true,
      )
      assert.equal((await store.remove(workspace, other)).removed.blob, 2)
      assert.equal(await store.getBlob(workspace, kept.shared), null)
    },
  },
  {
    name: 'turns every late writer and reader away, and brings nothing back',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await furnish(stage, c)
      await store.remove(workspace, c)
      const late: Record<string, Promise<unknown>> = {
        create: store.create(workspace, { id: c, at }),
        append: add(stage, c, [ask('late')]),
        retry: add(stage, c, [ask('a', { id: 'a' }), say('b', { id: 'b' })], { key: 'k' }),
        update: store.update(workspace, c, { title: 'late', at }),
        setBranch: store.setBranch(workspace, c, { name: 'late', head: null, expect: null, at }),
        removeBranch: store.removeBranch(workspace, c, 'main'),
        openDraft: store.openDraft(workspace, c, { id: 'e', branch: 'main', parent: null, leaseSeconds: 9, at }),
        saveDraft: store.saveDraft(workspace, c, { id: 'd', epoch: 1, text: 'x', body: null, leaseSeconds: 9 }),
        promoteDraft: store.promoteDraft(workspace, c, { id: 'd', epoch: 1, entries: [say('x')], at }),
        putBlob: store.putBlob(workspace, c, { bytes: Buffer.from('late'), mediaType: 'text/plain' }),
        putReceipt: store.putReceipt(workspace, { id: 'late', conversation: c, entry: null, at, body: {} }),
        commit: store.commit(workspace, c, [emit('late')]),
        retriedCommit: store.commit(workspace, c, [append([ask('a', { id: 'a' })], { key: 'k' })]),
        events: store.events(workspace, c, 0, 9),
        trimEvents: store.trimEvents(workspace, c, 9),
        putRecord: store.putRecord(workspace, { kind: 'run', id: 'late', conversation: c, body: 1, at }),
        redact: store.redact(workspace, c, 'a'),
        remove: store.remove(workspace, c),
        path: store.path(workspace, c, 'a'),
        window: store.window(workspace, c, 'main', {}),
        feed: store.feed(workspace, c, 0, 9),
        children: store.children(workspace, c, null),
        branches: store.branches(workspace, c),
        drafts: store.drafts(workspace, c),
        receipts: store.receipts(workspace, c, { limit: 9 }),
        verify: store.verify(workspace, c),
      }
      await Promise.all(Object.values(late).map((attempt) => refused(attempt, 'gone')))
      assert.equal(await store.get(workspace, c), null)
      assert.equal(await store.getReceipt(workspace, 'late'), null)
      assert.deepEqual((await store.list(workspace, { limit: 9 })).items, [])
    },
  },
  {
    name: 'leaves no entry when an append and a delete race',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const appends = Array.from({ length: 12 }, (_, i) => add(stage, c, [ask(`${i}`)]))
      const removed = store.remove(workspace, c)
      const settled = await Promise.allSettled(appends)
      const written = settled.filter(({ status }) => status === 'fulfilled').length
      assert.equal((await removed).removed.entry, written)
      for (const one of settled) if (one.status === 'rejected') await refused(Promise.reject(one.reason), 'gone')
      await refused(store.feed(workspace, c, 0, 9), 'gone')
    },
  },
  {
    name: 'lets one of two deletes remove it',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const settled = await Promise.allSettled([store.remove(workspace, c), store.remove(workspace, c)])
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
      await refused(store.remove(workspace, 'nowhere'), 'not_found')
    },
  },
  {
    name: 'remembers a delete after a reopen',
    run: async (stage) => {
      if (!stage.reopen) return
      const c = await begin(stage)
      await furnish(stage, c)
      await stage.store.remove(stage.workspace, c)
      const store = await stage.reopen()
      try {
        await refused(add({ ...stage, store }, c, [ask('late')]), 'gone')
        await refused(store.create(stage.workspace, { id: c, at }), 'gone')
      } finally {
        await store.close()
      }
    },
  },
  {
    name: 'can be closed twice',
    run: async ({ store }) => {
      await store.close()
      await store.close()
    },
  },
]
