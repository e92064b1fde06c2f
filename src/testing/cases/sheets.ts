/** Sheets: what is worked out of the words of many entries stays as long as all of those words do. */
import assert from 'node:assert/strict'
import type { NewSheet } from '../../store/contract/sheet.js'
import { add, ask, begin, type Case, refused, type Stage, upTo } from './stage.js'

const kind = 'test'
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const sheet = (first: number, last: number, more: Partial<NewSheet> = {}): NewSheet => ({
  ...{ first, last, bare: 0, bytes: bytes(0, first, last, 255) },
  ...more,
})
const kept = async ({ store, workspace }: Stage, c: string, of = kind, firsts?: readonly number[]) =>
  (await store.sheets(workspace, c, of, firsts)).map(({ first, last, bytes }) => [first, last, ...bytes])

async function talk(stage: Stage, entries = 6): Promise<string> {
  const c = await begin(stage)
  await add(
    stage,
    c,
    upTo(entries).map((n) => ask(`word ${n}`, { id: `e${n}` })),
  )
  return c
}

export const sheets: readonly Case[] = [
  {
    name: 'keeps sheets of each kind in the order of their entries, and the one that goes furthest',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await talk(stage)
      const put: boolean[] = []
      for (const [first, last] of [
        [4, 5],
        [1, 2],
        [1, 3],
        [1, 2],
      ] as const)
        put.push(await store.putSheet(workspace, c, kind, sheet(first, last)))
      assert.deepEqual(put, [true, true, true, false])
      await store.putSheet(workspace, c, 'other', sheet(1, 6, { bytes: bytes() }))
      assert.deepEqual(await kept(stage, c), [
        [1, 3, 0, 1, 3, 255],
        [4, 5, 0, 4, 5, 255],
      ])
      assert.deepEqual(await kept(stage, c, kind, [4, 9]), [[4, 5, 0, 4, 5, 255]])
      assert.deepEqual(await kept(stage, c, kind, []), [])
      assert.deepEqual(await kept(stage, c, 'other'), [[1, 6]])
      assert.deepEqual(await kept(stage, 'none'), [])
    },
  },
  {
    name: 'takes the sheets that an entry is in with its words, and keeps none that was made before [A-15]',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await talk(stage)
      for (const [first, last] of [
        [1, 3],
        [4, 6],
      ] as const)
        await store.putSheet(workspace, c, kind, sheet(first, last))
      await store.redact(workspace, c, 'e2')
      assert.deepEqual(await kept(stage, c), [[4, 6, 0, 4, 6, 255]])
      assert.equal(await store.putSheet(workspace, c, kind, sheet(1, 3)), false)
      assert.deepEqual(await kept(stage, c), [[4, 6, 0, 4, 6, 255]])
      await store.putSheet(workspace, c, kind, sheet(1, 3, { bare: 1, bytes: bytes(7) }))
      assert.deepEqual(await kept(stage, c), [
        [1, 3, 7],
        [4, 6, 0, 4, 6, 255],
      ])
    },
  },
  {
    name: 'removes sheets with their conversation',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await talk(stage)
      await store.putSheet(workspace, c, kind, sheet(1, 6))
      await store.remove(workspace, c)
      assert.deepEqual(await kept(stage, c), [])
      await refused(store.putSheet(workspace, c, kind, sheet(1, 6)), 'gone')
      await refused(store.putSheet(workspace, 'none', kind, sheet(1, 6)), 'not_found')
      await refused(store.putSheet(workspace, c, kind, sheet(-1, 6)), 'invalid')
    },
  },
]
