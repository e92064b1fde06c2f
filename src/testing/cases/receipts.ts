/** Receipts: written once, read by id or newest first. */
import assert from 'node:assert/strict'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import { at, begin, type Case, ids, later, refused } from './stage.js'

export const receipts: readonly Case[] = [
  {
    name: 'gives a receipt back as it was, and refuses another with its id',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      const body = { z: 1, a: [{ kept: '\u{1f600}' }], none: null }
      const receipt: StoredReceipt = { id: 'r', conversation: c, entry: null, at, body }
      await store.putReceipt(workspace, receipt)
      await store.putReceipt(workspace, structuredClone(receipt))
      assert.deepEqual(await store.getReceipt(workspace, 'r'), receipt)
      assert.equal(JSON.stringify((await store.getReceipt(workspace, 'r'))?.body), JSON.stringify(body))
      for (const more of [{ body: {} }, { entry: 'e' }, { at: later(1) }, { conversation: other }])
        await refused(store.putReceipt(workspace, { ...receipt, ...more }), 'id_conflict')
      assert.deepEqual(await store.getReceipt(workspace, 'r'), receipt)
      assert.equal(await store.getReceipt(workspace, 'nowhere'), null)
      await refused(store.putReceipt(workspace, { ...receipt, id: 's', conversation: 'nowhere' }), 'not_found')
      for (const wrong of [undefined, 1n])
        await refused(store.putReceipt(workspace, { ...receipt, id: 's', body: wrong }), 'invalid')
      for (const plain of [null, 'text', 0, false, []]) {
        const id = JSON.stringify(plain)
        await store.putReceipt(workspace, { ...receipt, id, body: plain })
        assert.deepEqual((await store.getReceipt(workspace, id))?.body, plain)
      }
    },
  },
  {
    name: 'pages over the receipts of one conversation, newest first',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      for (let i = 0; i < 25; i++)
        await store.putReceipt(workspace, { id: `r${i}`, conversation: c, entry: null, at: later(i % 4), body: i })
      await store.putReceipt(workspace, { id: 'other', conversation: other, entry: null, at, body: 0 })
      const whole = await store.receipts(workspace, c, { limit: 100 })
      assert.deepEqual([whole.items.length, whole.cursor], [25, null])
      const sorted = [...whole.items].sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? 1 : -1))
      assert.deepEqual(ids(whole.items), ids(sorted))
      const read: string[] = []
      let cursor: string | null = null
      do {
        const page = await store.receipts(workspace, c, cursor === null ? { limit: 4 } : { limit: 4, cursor })
        read.push(...ids(page.items))
        assert.ok(read.length <= 25, 'the pages do not end')
        cursor = page.cursor
      } while (cursor !== null)
      assert.deepEqual(read, ids(whole.items))
      await refused(store.receipts(workspace, c, { limit: 0 }), 'invalid')
      await refused(store.receipts(workspace, c, { limit: 9, cursor: 'x' }), 'invalid')
      await refused(store.receipts(workspace, 'nowhere', { limit: 9 }), 'not_found')
    },
  },
]
