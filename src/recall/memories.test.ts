import { expect, test } from 'vitest'
import { HistoryError } from '../core/message/issue.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/index.js'
import { openMemories } from './memories.js'

const opened = async () => {
  const store = memoryStore()
  return { store, memories: openMemories({ store, workspace: 'w' }) }
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (HistoryError.is(error)) return error.code
    throw error
  }
  throw new Error('nothing was refused')
}

/** A conversation `c` with one message `m`. */
const spoken = async (store: Store): Promise<void> => {
  const at = '2026-01-01T00:00:00.000Z'
  await store.create('w', { id: 'c', at })
  const said = {
    id: 'm',
    body: { kind: 'message', role: 'user', parts: [{ type: 'text', text: 'I am vegan' }], status: 'complete' },
    text: 'I am vegan',
    tokens: 3,
    at,
  } as const
  await store.append('w', 'c', [said], { branch: 'main', at })
}

test('what is known can be seen, corrected and deleted, and says where it comes from [S4-F5]', async () => {
  const { store, memories } = await opened()
  await spoken(store)
  const added = await memories.add({ kind: 'profile', text: ' Is vegan. ', source: { conversation: 'c', entry: 'm' } })
  expect(added).toMatchObject({
    text: 'Is vegan.',
    kind: 'profile',
    author: 'person',
    revision: 1,
    source: { entry: 'm' },
  })
  const corrected = await memories.correct(added.id, { text: 'Is vegetarian.', expect: 1 })
  expect(corrected).toMatchObject({ text: 'Is vegetarian.', revision: 2, source: { entry: 'm' } })
  expect(await codeOf(memories.correct(added.id, { text: 'Eats all.', expect: 1 }))).toBe('record_moved')
  const other = await memories.add({ kind: 'semantic', text: 'The shop opens at nine.' })
  const all: string[] = []
  for await (const { id } of memories.all()) all.push(id)
  expect(all).toEqual([added.id, other.id])
  expect((await memories.list({ kind: 'profile' })).items).toHaveLength(1)
  await memories.remove(other.id)
  expect(await memories.get(other.id)).toBeNull()
  await store.remove('w', 'c')
  expect(await memories.get(added.id)).toBeNull()
})

test('an empty or endless memory, a foreign source and an unknown one are refused', async () => {
  const { memories } = await opened()
  expect(await codeOf(memories.add({ kind: 'profile', text: '  ' }))).toBe('invalid')
  expect(await codeOf(memories.add({ kind: 'profile', text: 'x'.repeat(2_001) }))).toBe('invalid')
  expect(await codeOf(memories.add({ kind: 'profile', text: 'x', source: { conversation: 'no', entry: 'no' } }))).toBe(
    'not_found',
  )
  expect(await codeOf(memories.correct('no', { text: 'x' }))).toBe('not_found')
  expect(await codeOf(memories.remove('no'))).toBe('not_found')
})

test('what happened and what follows from it name the message they rest on [S4-F5] [C-23]', async () => {
  const { store, memories } = await opened()
  await spoken(store)
  for (const kind of ['episodic', 'derived'] as const) {
    expect(await codeOf(memories.add({ kind, text: 'The trip was moved to May.' }))).toBe('invalid')
    const source = { conversation: 'c', entry: 'm' }
    const added = await memories.add({ kind, text: 'The trip was moved to May.', source, author: 'test/model' })
    expect(added).toMatchObject({ kind, source, author: 'test/model' })
    expect((await memories.list({ kind })).items).toEqual([added])
  }
  const plain = await memories.add({ kind: 'semantic', text: 'Tea is green.' })
  expect(await codeOf(memories.correct(plain.id, { kind: 'derived' }))).toBe('invalid')
})
