import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { type History, openHistory } from '../engine/history.js'
import type { Entry } from '../store/contract/entry.js'
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
  const shelf = createShelf(() => tableEmbedder()).find
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  const place = { store, workspace: 'default', conversation: 'ships', head, current: '', pairs: [] }
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const [one, other] = await Promise.all([shelf(place, same), shelf(place, same)])
  clearInterval(others)
  expect(turns).toBeGreaterThan(3)
  expect(cardsIn(other)).toEqual(cardsIn(one))
  expect(cardsIn(one).map(({ depth }) => depth)).toEqual(Array.from({ length: 60 }, (_, at) => at))
})

test('whoever asks while another asks for a later head gets none of what is behind its own', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships' })
  await fill(history, 5)
  const shelf = createShelf(async () => null).find
  const early = await placeIn(store)
  await history.append(said(5, 9))
  const sizes = await Promise.all(
    [early, await placeIn(store)].map((place) =>
      shelf(place, async (catalogue) => {
        const { size } = catalogue
        await new Promise((wake) => setTimeout(wake, 5))
        return [size, catalogue.columns().at.length]
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
  const embed = async (texts: readonly string[]) => {
    if (++asked === 3) throw new Error('the embedder is away')
    return table.embed(texts)
  }
  const shelf = createShelf(async () => ({ ...table, embed })).find
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  const place = { store, workspace: 'default', conversation: 'ships', head, current: '', pairs: [] }
  await expect(shelf(place, same)).rejects.toThrow('the embedder is away')
  expect(cardsIn(await shelf(place, same)).map(({ depth }) => depth)).toEqual(Array.from({ length: 30 }, (_, at) => at))
})

const placeIn = async (store: Store) => {
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  return { store, workspace: 'default', conversation: 'ships', head, current: '', pairs: [] }
}
/** Up to which entry each of the sheets that are kept goes; those of the words that stand side by side go as far. */
const sheets = async (store: Store) => {
  const [cards, pairs] = await Promise.all(
    ['recall 3', 'recall pairs 3'].map((kind) =>
      store.sheets('default', 'ships', `${kind} minilm-l6-v2-words-128/128`),
    ),
  )
  expect(pairs?.map(({ last }) => last)).toEqual(cards?.map(({ last }) => last))
  return cards?.map(({ last }) => last)
}
const said = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({
    role: 'user',
    content: `${from + at}: the ship of harbour ${(from + at) % 7}`,
  }))

const fill = async (history: History, count: number) => {
  const entries: Entry[] = []
  for (let from = 0; from < count; from += 500)
    entries.push(...(await history.append(said(from, Math.min(count, from + 500)))).entries)
  return entries
}

/** Counts the entries that are read. */
const counting = (store: Store) => {
  const read = { count: 0 }
  const noted = async <T>(entries: Promise<readonly T[]>): Promise<readonly T[]> => {
    read.count += (await entries).length
    return entries
  }
  const counted: Store = {
    ...store,
    path: (...asked) => noted(store.path(...asked)),
    feed: (...asked) => noted(store.feed(...asked)),
  }
  return [counted, read] as const
}

const plain = async (store: Store, embedder = () => tableEmbedder(), head?: string) => {
  const pairs = [['ship', 'harbour']] as const
  const catalogue = await createShelf(embedder).find({ ...(await placeIn(store)), pairs, ...(head && { head }) }, same)
  return cardsIn(catalogue).map((card) => ({ ...card, pairs: [...card.pairs], vector: [...(card.vector ?? [])] }))
}

test('what was worked out is kept, and whoever asks next reads that and what is new', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  await fill(history, 2_200)
  const first = await plain(store)
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([1_024, 2_048, 2_200]))
  await history.append(said(2_200, 2_210))
  const [counted, read] = counting(store)
  const second = await plain(counted)
  expect(read.count).toBeLessThan(100)
  expect(second.map(({ depth }) => depth)).toEqual(Array.from({ length: 2_210 }, (_, at) => at))
  expect(second.slice(0, 2_200)).toEqual(first)
  const catalogue = await createShelf(() => tableEmbedder()).find(await placeIn(counted), same)
  expect(catalogue.find('harbour').filter((_, at) => at % 2 === 0)).toEqual(Uint32Array.from(Array(2_210).keys()))
  // with other vectors it is worked out anew
  const bare = await createShelf(async () => null).find(await placeIn(counted), same)
  expect(bare.size).toBe(2_210)
  expect(read.count).toBeGreaterThan(2_210)
})

test('what grows while it is talked is what is worked out at once, with its words side by side', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  const shelf = createShelf(() => tableEmbedder())
  for (let from = 0; from < 300; from += 50) {
    await history.append(said(from, from + 50))
    await shelf.find(await placeIn(store), same)
  }
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([300]))
  const other = memoryStore()
  const whole = await openHistory({ store: other, conversation: 'ships', recaller: null })
  await fill(whole, 300)
  const bare = (cards: Awaited<ReturnType<typeof plain>>) => cards.map(({ contentHash: _, at: __, ...rest }) => rest)
  expect(bare(await plain(store))).toEqual(bare(await plain(other)))
})

test('a long conversation that nobody made sheets of is looked at from its end, and the rest is made meanwhile', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  await fill(history, 12_000)
  const shelf = createShelf(async () => null)
  const { size } = await shelf.find(await placeIn(store), same)
  expect(size).toBe(12_000 - 2 * 1_024)
  await vi.waitFor(async () => expect((await shelf.find(await placeIn(store), same)).size).toBe(12_000), 20_000)
}, 60_000)

test('another branch takes of it only what is on its path', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  const entries = await fill(history, 1_400)
  await plain(store)
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([1_024, 1_400]))
  await history.fork(entries[299]?.id as string, 'other')
  await history.append(said(900, 905), { branch: 'other' })
  const head = (await store.branches('default', 'ships')).find(({ name }) => name === 'other')?.head as string
  const cards = await plain(store, () => tableEmbedder(), head)
  expect(cards.map(({ seq }) => seq)).toEqual(
    [...Array(300).keys(), 1_400, 1_401, 1_402, 1_403, 1_404].map((at) => at + 1),
  )
  // and the first one nothing of it
  const [main, other] = [entries.at(-1)?.id as string, await plain(store, async () => tableEmbedder(), head)]
  expect((await plain(store, () => tableEmbedder(), main)).map(({ depth }) => depth)).toEqual([...Array(1_400).keys()])
  expect(other).toEqual(cards)
})

test('it goes with any of the words it was made of, also when they go while it is written [A-15]', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  const entries = await fill(history, 300)
  await plain(store)
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([300]))
  await history.redact(entries[5]?.id as string)
  expect(await sheets(store)).toEqual([])
  const kept: boolean[] = []
  const late: Store = {
    ...store,
    putSheet: async (...asked) => {
      if (kept.length === 0) await history.redact(entries[7]?.id as string)
      kept.push(await store.putSheet(...asked))
      return kept.at(-1) as boolean
    },
  }
  const shelf = createShelf(() => tableEmbedder())
  expect((await shelf.find({ ...(await placeIn(store)), store: late }, same)).size).toBe(299)
  await vi.waitFor(() => expect(kept).toEqual([false, false]))
  expect(await sheets(store)).toEqual([])
  // whoever asks next knows better
  expect((await shelf.find({ ...(await placeIn(store)), store: late }, same)).size).toBe(298)
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([300]))
})

test('bytes that are no sheet, or not of this conversation, are made anew', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  await fill(history, 100)
  for (const bytes of [new Uint8Array(), new Uint8Array(999).fill(7)]) {
    const damaged: Store = { ...store, sheets: async () => [{ first: 1, last: 100, bytes }] }
    const place = { ...(await placeIn(store)), store: damaged }
    expect((await createShelf(() => tableEmbedder()).find(place, same)).size).toBe(100)
  }
})

test('what many conversations are remembered by has a bound', async () => {
  const store = memoryStore()
  const [counted, read] = counting(store)
  const shelf = createShelf(() => tableEmbedder(), 300_000)
  const ask = async (conversation: string) => {
    const [branch] = await store.branches('default', conversation)
    return shelf.find({ ...(await placeIn(store)), store: counted, conversation, head: branch?.head as string }, same)
  }
  for (const conversation of ['ships', 'b', 'c', 'd']) {
    const history = await openHistory({ store, conversation, recaller: null })
    await fill(history, 600)
    await ask(conversation)
  }
  read.count = 0
  await ask('d')
  expect(read.count).toBe(24)
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([600]))
  await ask('ships')
  expect(read.count).toBe(48)
})

test('nothing of the window that asked stays with what is remembered: the soak had 143 of them', async () => {
  setFlagsFromString('--expose-gc')
  const tidy: () => void = runInNewContext('gc')
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships', recaller: null })
  await history.append(said(0, 600))
  const ask = async () => {
    const window = { messages: said(0, 9) }
    const shelf = createShelf(() => tableEmbedder()).find
    const remembered = await shelf(Object.assign(await placeIn(store), { window }), (all) => window && all)
    return [remembered, new WeakRef(window)] as const
  }
  const [one, made] = await ask()
  await vi.waitFor(async () => expect(await sheets(store)).toEqual([600]))
  const [two, read] = await ask()
  await vi.waitFor(() => {
    tidy()
    expect([made, read].filter((one) => one.deref() !== undefined).length).toBe(0)
  })
  expect([one.size, two.size]).toEqual([600, 600])
})
