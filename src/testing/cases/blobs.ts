/** Bytes, stored once by what they are. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { begin, type Case, refused } from './stage.js'

export const blobs: readonly Case[] = [
  {
    name: 'gives bytes back by their hash, whatever they are',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const every = Uint8Array.from({ length: 256 }, (_, i) => i)
      for (const bytes of [new Uint8Array(0), every, Buffer.alloc(3_000_000, every)]) {
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        const facts = { sha256, mediaType: 'image/png', size: bytes.length }
        assert.deepEqual(await store.putBlob(workspace, c, { bytes, mediaType: 'image/png' }), facts)
        const { bytes: back, ...rest } = (await store.getBlob(workspace, sha256)) ?? {}
        assert.deepEqual(rest, facts)
        assert.ok(back instanceof Uint8Array && Buffer.compare(back, bytes) === 0, 'the bytes have changed')
      }
      assert.equal(await store.getBlob(workspace, '0'.repeat(64)), null)
    },
  },
  {
    name: 'stores the same bytes once and keeps what was said of them first',
    run: async (stage) => {
      const { store, workspace } = stage
      const [one, two] = [await begin(stage), await begin(stage)]
      const bytes = Buffer.from('same')
      const first = await store.putBlob(workspace, one, { bytes, mediaType: 'text/plain' })
      const again = await Promise.all(
        [one, two, one].map((c) => store.putBlob(workspace, c, { bytes, mediaType: 'image/png' })),
      )
      assert.deepEqual(again, [first, first, first])
      assert.equal((await store.remove(workspace, one)).removed.blob, 0)
      assert.equal((await store.remove(workspace, two)).removed.blob, 1)
      assert.equal(await store.getBlob(workspace, first.sha256), null)
    },
  },
  {
    name: 'takes no blob for a conversation that is not there',
    run: async ({ store, workspace }) => {
      const bytes = Buffer.from('x')
      await refused(store.putBlob(workspace, 'nowhere', { bytes, mediaType: 'text/plain' }), 'not_found')
      assert.equal(await store.getBlob(workspace, createHash('sha256').update(bytes).digest('hex')), null)
    },
  },
]
