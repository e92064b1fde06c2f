import { expect, test } from 'vitest'
import { openHistory } from '../engine/history.js'
import { memoryStore } from '../store/memory/store.js'
import { createShelf } from './shelf.js'
import { tableEmbedder } from './table.js'

const long = 'The harbour office keeps a ledger of every ship that came in, and of what it carried. '.repeat(100)

test('a long conversation is taken in piece by piece, others have their turn, and each message is there once', async () => {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'ships' })
  await history.append(Array.from({ length: 60 }, (_, at) => ({ role: 'user', content: `${at}: ${long}` })))
  const shelf = createShelf(() => tableEmbedder())
  const head = (await store.branches('default', 'ships'))[0]?.head as string
  const place = { store, workspace: 'default', conversation: 'ships', head, current: '' }
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const [one, other] = await Promise.all([shelf(place), shelf(place)])
  clearInterval(others)
  expect(turns).toBeGreaterThan(3)
  expect(other).toBe(one)
  expect(one.cards.map(({ depth }) => depth)).toEqual(Array.from({ length: 60 }, (_, at) => at))
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
  const place = { store, workspace: 'default', conversation: 'ships', head, current: '' }
  await expect(shelf(place)).rejects.toThrow('the embedder is away')
  expect((await shelf(place)).cards.map(({ depth }) => depth)).toEqual(Array.from({ length: 30 }, (_, at) => at))
})
