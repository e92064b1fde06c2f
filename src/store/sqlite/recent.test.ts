import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import type { Reach } from '../contract/append.js'
import type { NewEntry } from '../contract/entry.js'
import { at, freshFiles, say } from './file.fixture.js'
import { newRecent } from './recent.js'
import { sqliteStore } from './store.js'

const fresh = freshFiles()
const said = (id: string, role: 'user' | 'assistant'): NewEntry => ({
  ...say(id, `words of ${id}`, role),
  tokens: id.length,
  meta: { of: { id } },
})

async function opened() {
  const file = fresh()
  const store = await sqliteStore(file)
  await store.create('w', { id: 'c', at })
  return { file, store }
}

const reach = fc.record(
  { tokens: fc.nat(40), entries: fc.nat(12), turns: fc.nat(6) },
  { requiredKeys: [] },
) as fc.Arbitrary<Reach>
const step = fc.record({ branch: fc.constantFrom('main', 'other'), many: fc.integer({ min: 1, max: 4 }), reach })

describe('what was read or written lately', () => {
  test('gives the same windows as the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { file, store } = await opened()
        for (const [n, { branch, many, reach }] of steps.entries()) {
          const batch = Array.from({ length: many }, (_, i) => said(`${n}-${i}`, i % 2 === 0 ? 'user' : 'assistant'))
          await store.append('w', 'c', batch, { branch, at })
          const another = await sqliteStore(file)
          for (const asked of [reach, reach, {}])
            expect(await store.window('w', 'c', branch, asked)).toEqual(await another.window('w', 'c', branch, asked))
          await another.close()
        }
        await store.close()
      }),
      { numRuns: Math.ceil(runs / 20) },
    )
  })

  test('is all that a window asks for once more, where it begins in the middle of a path', async () => {
    const { file, store } = await opened()
    const batch = Array.from({ length: 30 }, (_, i) => said(`m${i}`, i % 2 === 0 ? 'user' : 'assistant'))
    const { head } = await store.append('w', 'c', batch, { branch: 'main', at })
    const another = await sqliteStore(file)
    const key = { workspace: 'w', conversation: 'c' }
    for (const reach of [{ tokens: 20 }, { turns: 4 }]) {
      const { head: last, entries, opener } = await another.window('w', 'c', 'main', reach)
      const recent = newRecent()
      recent.keep(key, 1, [...entries, ...(opener ? [opener] : [])])
      expect(recent.stretch(key, 1, head, reach)).toEqual({ head: last, entries, opener, summary: null })
      expect(recent.stretch(key, 1, head, {})).toBeNull()
    }
    await Promise.all([store.close(), another.close()])
  })

  test('is not what was removed since, here or by another process', async () => {
    const { file, store } = await opened()
    const other = await sqliteStore(file)
    await store.append('w', 'c', [said('a', 'user'), said('b', 'assistant'), said('d', 'user')], { branch: 'main', at })
    expect((await store.window('w', 'c', 'main', {})).entries.map(({ text }) => text)).toContain('words of a')
    await other.redact('w', 'c', 'a')
    expect((await store.window('w', 'c', 'main', {})).entries[0]).toMatchObject({ id: 'a', text: '', redacted: true })
    expect(await store.entry('w', 'c', 'a')).toMatchObject({ text: '', redacted: true })
    await store.redact('w', 'c', 'b')
    expect(await store.entry('w', 'c', 'b')).toMatchObject({ text: '', redacted: true })
    await other.remove('w', 'c')
    await expect(store.window('w', 'c', 'main', {})).rejects.toMatchObject({ code: 'gone' })
    await Promise.all([store.close(), other.close()])
  })

  test('stays as it is, whatever is done to what was given out', async () => {
    const { store } = await opened()
    await store.append('w', 'c', [said('a', 'user')], { branch: 'main', at })
    const read = async () => (await store.window('w', 'c', 'main', {})).entries[0]
    const before = JSON.stringify(await read())
    const mine = (await read()) as unknown as { body: { parts: { text: string }[] }; meta: { of: { id: string } } }
    expect(() => Object.assign(mine.body.parts[0] as object, { text: 'other' })).toThrow(TypeError)
    expect(() => Object.assign(mine.meta.of, { id: 'other' })).toThrow(TypeError)
    expect(JSON.stringify(await read())).toBe(before)
    await store.close()
  })

  test('is what windows take, when it gets tight', async () => {
    const { store } = await opened()
    const batch = Array.from({ length: 60 }, (_, i) => said(`m${i}`, i % 2 === 0 ? 'user' : 'assistant'))
    const { entries, head } = await store.append('w', 'c', batch, { branch: 'main', at })
    const key = { workspace: 'w', conversation: 'c' }
    const idsOf = (most: number, reach: Reach) => {
      const recent = newRecent(most)
      recent.keep(key, 1, entries)
      const taken = recent.stretch(key, 1, head, { entries: 10 })
      expect(taken).toEqual({ ...taken, opener: entries[0], entries: entries.slice(-11) })
      return recent.stretch(key, 1, head, reach)?.entries.map(({ id }) => id)
    }
    expect(idsOf(1_000_000, {})).toHaveLength(60)
    expect(idsOf(100_000, {})).toBeUndefined()
    expect(idsOf(100_000, { entries: 10 })).toHaveLength(11)
    await store.close()
  })
})
