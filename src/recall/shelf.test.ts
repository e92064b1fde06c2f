import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { openHistory } from '../engine/history.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import type { Catalogue } from './catalogue.js'
import { createShelf } from './shelf.js'
import { tableEmbedder } from './table.js'

const long = 'The harbour office keeps a ledger of every ship that came in, and of what it carried. '.repeat(100)

const same = (catalogue: Catalogue) => catalogue

const cardsIn = (catalogue: Catalogue) => Array.from({ length: catalogue.size }, (_, at) => catalogue.card(at))

test('a long conversation is taken in piece by piece, others have their turn, and each message is there once', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships' })
  await history.append(Array.from({ length: 60 }, (_, at) => ({ role: 'user', content: `${at}: ${long}` })))
  const shelf = createShelf(() => tableEmbedder())
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  const place = { store, workspace: 'default', conversation: 'ships', head, current: '', pairs: [] }
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const [one, other] = await Promise.all([shelf(place, same), shelf(place, same)])
  clearInterval(others)
  expect(turns).toBeGreaterThan(3)
  expect(other).toBe(one)
  expect(cardsIn(one).map(({ depth }) => depth)).toEqual(Array.from({ length: 60 }, (_, at) => at))
})

test('whoever asks while another asks for a later head gets none of what is behind its own', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships' })
  await history.append(said(0, 5))
  const shelf = createShelf(async () => null)
  const early = await placeIn(store)
  await history.append(said(5, 9))
  const sizes = await Promise.all(
    [early, await placeIn(store)].map((place) =>
      shelf(place, async ({ size, ...catalogue }) => {
        await new Promise((wake) => setTimeout(wake, 5))
        return [size, catalogue.at.length]
      }),
    ),
  )
  expect(sizes).toEqual([
    [5, 5],
    [9, 9],
  ])
})

test('what could not be taken in is taken in the next time', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships' })
  await history.append(Array.from({ length: 30 }, (_, at) => ({ role: 'user', content: `${at}: ${long}` })))
  const table = await tableEmbedder()
  let asked = 0
  const shelf = createShelf(async () => {
    if (++asked === 3) throw new Error('the embedder is away')
    return table
  })
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  const place = { store, workspace: 'default', conversation: 'ships', head, current: '', pairs: [] }
  await expect(shelf(place, same)).rejects.toThrow('the embedder is away')
  expect(cardsIn(await shelf(place, same)).map(({ depth }) => depth)).toEqual(Array.from({ length: 30 }, (_, at) => at))
})

const placeIn = async (store: Store) => {
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  return { store, workspace: 'default', conversation: 'ships', head, current: '', pairs: [] }
}
const kept = async (store: Store, kind: string) => (await store.records('default', { kind, limit: 99 })).items
/** Each in two records, which come and go together. */
const sheets = async (store: Store) => {
  const [cards, pairs] = [await kept(store, 'recall'), await kept(store, 'recall-pairs')]
  expect(pairs.length).toBeGreaterThanOrEqual(cards.length)
  return cards.length === 0 ? pairs : cards
}
const said = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    role: 'user',
    content: `${from + at}: the ship of harbour ${(from + at) % 7}`,
  }))

test('what was worked out is kept, and whoever asks next reads that and what is new', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  await history.append(said(0, 600))
  const first = await createShelf(() => tableEmbedder())(await placeIn(store), same)
  await vi.waitFor(async () => expect(await sheets(store)).toHaveLength(3))
  await history.append(said(600, 610))
  let read = 0
  const counting: Store = {
    ...store,
    path: async (...asked) => {
      const path = await store.path(...asked)
      read += path.length
      return path
    },
  }
  const second = await createShelf(() => tableEmbedder())({ ...(await placeIn(store)), store: counting }, same)
  expect(read).toBeLessThan(100)
  expect(cardsIn(second).map(({ depth }) => depth)).toEqual(Array.from({ length: 610 }, (_, at) => at))
  const plain = async (catalogue: Catalogue) => {
    await catalogue.pair(Array(catalogue.size).keys())
    return cardsIn(catalogue).map((card) => ({ ...card, pairs: [...card.pairs], vector: [...(card.vector ?? [])] }))
  }
  expect((await plain(second)).slice(0, 600)).toEqual(await plain(first))
  expect(second.find('harbour').filter((_, at) => at % 2 === 0)).toEqual(Uint32Array.from(Array(second.size).keys()))
  // with other vectors it is worked out anew
  const bare = await createShelf(async () => null)({ ...(await placeIn(store)), store: counting }, same)
  expect(bare.size).toBe(610)
  expect(read).toBeGreaterThan(610)
})

test('another branch takes of it only what is on its path', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  const { entries } = await history.append(said(0, 400))
  await createShelf(() => tableEmbedder())(await placeIn(store), same)
  await vi.waitFor(async () => expect(await sheets(store)).toHaveLength(2))
  await history.fork(entries[299]?.id as string, 'other')
  await history.append(said(900, 905), { branch: 'other' })
  const head = (await store.branches('default', 'ships')).find(({ name }) => name === 'other')?.head as string
  const cards = cardsIn(await createShelf(() => tableEmbedder())({ ...(await placeIn(store)), head }, same))
  expect(cards).toHaveLength(305)
  expect(cards.slice(0, 300).map(({ id }) => id)).toEqual(entries.slice(0, 300).map(({ id }) => id))
})

test('it goes with any of the words it was made of, also when they go while it is written [A-15]', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  const { entries } = await history.append(said(0, 300))
  await createShelf(() => tableEmbedder())(await placeIn(store), same)
  await vi.waitFor(async () => expect(await sheets(store)).toHaveLength(1))
  await history.redact(entries[5]?.id as string)
  expect(await sheets(store)).toHaveLength(0)
  let [put, removed] = [0, 0]
  const late: Store = {
    ...store,
    putRecord: async (workspace, record) => {
      if (put++ === 0) await history.redact(entries[7]?.id as string)
      return store.putRecord(workspace, record)
    },
    removeRecord: async (...asked) => {
      await store.removeRecord(...asked)
      removed++
    },
  }
  const { size } = await createShelf(() => tableEmbedder())({ ...(await placeIn(store)), store: late }, same)
  expect(size).toBe(299)
  await vi.waitFor(() => expect(removed).toBe(2))
  expect(await sheets(store)).toHaveLength(0)
  const { size: again } = await createShelf(() => tableEmbedder())(await placeIn(store), same)
  expect(again).toBe(298)
})

test('nothing of the window that asked stays with what is remembered: the soak had 143 of them', async () => {
  setFlagsFromString('--expose-gc')
  const tidy: () => void = runInNewContext('gc')
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  await history.append(said(0, 600))
  const ask = async () => {
    const window = { messages: said(0, 9) }
    const shelf = createShelf(() => tableEmbedder())
    const remembered = await shelf(Object.assign(await placeIn(store), { window }), (all) => window && all)
    return [remembered, new WeakRef(window)] as const
  }
  const [one, made] = await ask()
  await vi.waitFor(async () => expect(await sheets(store)).toHaveLength(3))
  const [two, read] = await ask()
  await vi.waitFor(() => {
    tidy()
    expect([made, read].filter((one) => one.deref() !== undefined).length).toBe(0)
  })
  expect([one.size, two.size]).toEqual([600, 600])
})
