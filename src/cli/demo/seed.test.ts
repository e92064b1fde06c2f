import { describe, expect, test } from 'vitest'
import { builtinModels, startService } from '../../../test/http/host.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import { memoryStore } from '../../store/memory/store.js'
import { demoBranches, summary, turns } from './script.js'
import { demoId, seedDemo } from './seed.js'

const now = Date.parse('2026-11-16T12:00:00Z')

const seeded = async () => {
  const store = memoryStore()
  expect(await seedDemo(store, now)).toBe(true)
  return store
}

const receiptIn = ({ body }: StoredReceipt): Receipt => (body as { readonly receipt: Receipt }).receipt

describe('the demo', () => {
  test('has twenty turns, three branches, tool calls, a summary, and says that it is a demo', async () => {
    const store = await seeded()
    const conversation = await store.get('default', demoId)
    expect(conversation).toMatchObject({ tags: ['demo'], meta: { demo: true } })
    const all = await store.branches('default', demoId)
    expect(all.map(({ name }) => name).sort()).toEqual(
      ['main', demoBranches.edited.name, demoBranches.again.name].sort(),
    )
    const main = await store.path('default', demoId, all.find(({ name }) => name === 'main')?.head as string)
    expect(main.at(-1)?.turns).toBe(turns.length)
    expect(turns.length).toBe(20)
    expect(main.filter(({ body }) => body.kind === 'result').length).toBeGreaterThan(4)
    expect(main.filter(({ body }) => body.kind === 'summary').length).toBe(1)
    expect(main.filter(({ model }) => model !== undefined && model !== 'demo/script')).toEqual([])
    expect((await store.verify('default', demoId)).ok).toBe(true)
  })

  test('has a receipt for every answer, and the windows had to leave things out', async () => {
    const store = await seeded()
    const { items } = await store.receipts('default', demoId, { limit: 100 })
    const fates = new Set(items.flatMap((one) => receiptIn(one).lines.map(({ fate }) => fate)))
    expect([...fates].sort()).toEqual(expect.arrayContaining(['dropped', 'folded', 'kept', 'recalled', 'summarised']))
    expect(items.every(({ entry }) => entry !== null)).toBe(true)
  })

  test('the last answer says that it cannot see the booking, and its window proves that', async () => {
    const store = await seeded()
    const { items } = await store.receipts('default', demoId, { limit: 100 })
    const last = items.find(({ body }) => (body as { branch: string }).branch === 'main') as StoredReceipt
    const all = await store.branches('default', demoId)
    const main = await store.path('default', demoId, all.find(({ name }) => name === 'main')?.head as string)
    const booked = main.findIndex(({ text }) => text.includes('KY-20417'))
    const line = receiptIn(last).lines.find(({ from, to }) => from <= booked && booked <= to)
    expect(line?.fate).toBe('summarised')
    expect(summary.text).not.toMatch(/Sora|KY-/)
    expect(main.at(-1)?.text).toContain('can’t say')
  })

  test('its windows are made again to the byte', async () => {
    const store = await seeded()
    const host = await startService({ store, models: builtinModels })
    const { body } = await host.call('GET', `/api/v1/conversations/${demoId}/receipts?limit=100`)
    for (const { id } of body.items)
      expect((await host.call('POST', `/api/v1/receipts/${id}/replay`)).body).toMatchObject({ same: true })
    await host.stop()
  })

  test('is the same on every machine', async () => {
    const [one, other] = await Promise.all([seeded(), seeded()])
    const of = (store: typeof one) => store.feed('default', demoId, 0, 1_000)
    expect(await of(one)).toEqual(await of(other))
  })

  test('does not come back once it was removed, and never joins conversations that are there', async () => {
    const store = await seeded()
    await store.remove('default', demoId)
    expect(await seedDemo(store, now)).toBe(false)
    const used = memoryStore()
    await used.create('default', { id: 'mine', at: new Date(now).toISOString() })
    expect(await seedDemo(used, now)).toBe(false)
    expect((await used.list('default', { limit: 10 })).items.map(({ id }) => id)).toEqual(['mine'])
  })

  test('is not counted as usage', async () => {
    const store = await seeded()
    expect((await store.records('default', { kind: 'usage', limit: 10 })).items).toEqual([])
  })
})
