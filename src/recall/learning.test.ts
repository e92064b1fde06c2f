import { expect, test, vi } from 'vitest'
import { openHistory } from '../engine/history.js'
import { memoryStore } from '../store/memory/store.js'
import { learning } from './learning.js'

const said = (count: number) => Array.from({ length: count }, (_, at) => ({ role: 'user', content: `${at}: a ship` }))

test('what comes in bulk is made ready before anyone asks, and a talk is not', async () => {
  const plain = memoryStore()
  const store = learning(plain)
  const talk = await openHistory({ store, conversation: 'talk' })
  await talk.append(said(60))
  const bulk = await openHistory({ store, conversation: 'bulk' })
  for (const part of [400, 400]) await bulk.append(said(part))
  const kept = async () => (await plain.records('default', { kind: 'recall', limit: 99 })).items
  await vi.waitFor(async () => expect((await kept()).length).toBeGreaterThan(0), { timeout: 10_000 })
  expect(new Set((await kept()).map(({ conversation }) => conversation))).toEqual(new Set(['bulk']))
})

test('what cannot be made ready costs nobody anything', async () => {
  const learn = vi.fn(async () => {
    throw new Error('the embedder is away')
  })
  const history = await openHistory({ store: learning(memoryStore(), learn), conversation: 'bulk' })
  await history.append(said(500))
  await vi.waitFor(() => expect(learn).toHaveBeenCalledTimes(1), { timeout: 10_000 })
  expect(await history.append(said(1))).toMatchObject({ repeated: false })
})
