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
  const kept = async (of: string) =>
    (await plain.sheets('default', of, 'recall 3 minilm-l6-v2-words-128/128')).map(({ last }) => last)
  await vi.waitFor(async () => expect(await kept('bulk')).toEqual([800]), { timeout: 10_000 })
  expect(await kept('talk')).toEqual([])
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
