/** What goes in and what comes out is never the stored object itself. */
import assert from 'node:assert/strict'
import { add, all, ask, at, begin, type Case, note, say } from './stage.js'

export const copies: readonly Case[] = [
  {
    name: 'gives copies: changing what was read changes nothing',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await store.update(workspace, c, { tags: ['t'], meta: { a: { b: 1 } }, at })
      const batch = [ask('a', { id: 'a', meta: { x: [1] } }), note({ y: [2] }, { id: 'n' })]
      const written = await add(stage, c, batch, { key: 'k' })
      await store.openDraft(workspace, c, { id: 'd', branch: 'main', parent: null, leaseSeconds: 60, at })
      await store.saveDraft(workspace, c, { id: 'd', epoch: 1, text: 't', body: { z: [3] }, leaseSeconds: 60 })
      await store.putReceipt(workspace, { id: 'r', conversation: c, entry: null, at, body: { kept: [4] } })
      const { sha256 } = await store.putBlob(workspace, c, { bytes: Buffer.from('blob'), mediaType: 'text/plain' })
      const look = async () => ({
        get: await store.get(workspace, c),
        list: await store.list(workspace, { limit: 9 }),
        entry: await store.entry(workspace, c, 'a'),
        pick: await store.pick(workspace, [{ conversation: c, seq: 1 }]),
        path: await store.path(workspace, c, 'n'),
        window: await store.window(workspace, c, 'main', {}),
        feed: await store.feed(workspace, c, 0, 9),
        children: await store.children(workspace, c, null),
        branches: await store.branches(workspace, c),
        drafts: await store.drafts(workspace, c),
        receipt: await store.getReceipt(workspace, 'r'),
        receipts: await store.receipts(workspace, c, { limit: 9 }),
        blob: bytesOf(await store.getBlob(workspace, sha256)),
      })
      const before = structuredClone(await look())
      spoil(written)
      spoil(await look())
      const blob = await store.getBlob(workspace, sha256)
      blob?.bytes.fill(0)
      assert.deepEqual(await look(), before)
      spoil(await add(stage, c, batch, { key: 'k' }))
      spoil(await add(stage, c, batch))
      assert.deepEqual(await look(), before)
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 2 })
    },
  },
  {
    name: 'takes copies: changing what was given changes nothing',
    run: async (stage) => {
      const { store, workspace } = stage
      const conversation = { id: 'c', at, tags: ['t'], meta: { a: [1] } }
      await store.create(workspace, conversation)
      spoil(conversation)
      assert.deepEqual((await store.get(workspace, 'c'))?.tags, ['t'])
      assert.deepEqual((await store.get(workspace, 'c'))?.meta, { a: [1] })
      const patch = { at, tags: ['u'], meta: { b: [2] } }
      await store.update(workspace, 'c', patch)
      spoil(patch)
      assert.deepEqual((await store.get(workspace, 'c'))?.tags, ['u'])
      assert.deepEqual((await store.get(workspace, 'c'))?.meta, { b: [2] })
      const batch = [ask('a', { meta: { x: [1] } }), say('b')]
      await add(stage, 'c', batch)
      const before = await all(stage, 'c')
      spoil(batch)
      assert.deepEqual(await all(stage, 'c'), before)
      const receipt = { id: 'r', conversation: 'c', entry: null, at, body: { kept: [4] } }
      await store.putReceipt(workspace, receipt)
      spoil(receipt)
      assert.deepEqual((await store.getReceipt(workspace, 'r'))?.body, { kept: [4] })
      await store.openDraft(workspace, 'c', { id: 'd', branch: 'main', parent: null, leaseSeconds: 60, at })
      const save = { id: 'd', epoch: 1, text: 't', body: { z: [3] }, leaseSeconds: 60 }
      await store.saveDraft(workspace, 'c', save)
      spoil(save)
      assert.deepEqual((await store.drafts(workspace, 'c'))[0]?.body, { z: [3] })
      const bytes = Buffer.from('blob')
      const { sha256 } = await store.putBlob(workspace, 'c', { bytes, mediaType: 'text/plain' })
      bytes.fill(0)
      assert.equal(bytesOf(await store.getBlob(workspace, sha256)), Buffer.from('blob').toString('hex'))
    },
  },
]

const bytesOf = (blob: { readonly bytes: Uint8Array } | null): string | null =>
  blob && Buffer.from(blob.bytes).toString('hex')

/** Ruins a value all the way down, as far as it lets itself be ruined. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  for (const inner of Object.values(value)) spoil(inner)
  if (Array.isArray(value)) value.push('spoilt')
  else for (const key of Object.keys(value)) (value as Record<string, unknown>)[key] = 'spoilt'
}
