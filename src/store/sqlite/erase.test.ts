import { describe, expect, test, vi } from 'vitest'
import { at, bytesOf, freshFiles, say } from './file.fixture.js'
import { type SqliteStore, sqliteStore } from './store.js'

const file = freshFiles()
const canary = (c: number, n: number): string => `canary-${c}-${n}-`
/** Which of the conversations can still be found in the bytes of the file. */
const found = (path: string, conversations: readonly number[]): number[] => {
  const bytes = bytesOf(path)
  return conversations.filter((c) => bytes.includes(canary(c, 0).slice(0, -2)))
}
const count = 24
const all = Array.from({ length: count }, (_, c) => c)

/** Conversations whose rows lie among one another, so that deleting some moves others about. */
async function fill(store: SqliteStore): Promise<void> {
  for (const c of all) await store.create('w', { id: `c${c}`, title: canary(c, 0), meta: { was: canary(c, 1) }, at })
  for (let round = 0; round < 20; round++) {
    const writes = all.map((c) => {
      const words = canary(c, round).repeat(1 + ((round * 7 + c) % 40))
      return store.append('w', `c${c}`, [say(`e${round}`, words)], { branch: 'main', key: `k${round}`, at })
    })
    await Promise.all(writes)
  }
  await Promise.all(
    all.map(async (c) => {
      const where = ['w', `c${c}`] as const
      await store.openDraft(...where, { id: 'd', branch: 'main', parent: null, leaseSeconds: 60, at })
      for (const length of [1, 20, 300]) {
        const text = canary(c, 3).repeat(length)
        await store.saveDraft(...where, { id: 'd', epoch: 1, text, body: { text }, leaseSeconds: 60 })
      }
      await store.putBlob(...where, { bytes: Buffer.from(canary(c, 4).repeat(500)), mediaType: 'text/plain' })
      await store.putReceipt('w', { id: `r${c}`, conversation: where[1], entry: null, at, body: { of: canary(c, 5) } })
      await store.update(...where, { title: canary(c, 6).repeat(30), at })
      await store.putRecord('w', { kind: 'run', id: `r${c}`, conversation: where[1], body: { of: canary(c, 7) }, at })
      const told = [1, 20, 300].map((length) => ({ type: 'x', data: canary(c, 8).repeat(length) }))
      await store.commit(...where, [{ do: 'emit', events: told, at }])
    }),
  )
  await store.search('w', { text: 'canary', limit: 1 })
}

describe('after a conversation is removed', () => {
  test('none of its words is left in the bytes of the files [T-96]', async () => {
    const path = file()
    const store = await sqliteStore(path)
    await fill(store)
    expect(found(path, all)).toEqual(all)
    const gone: number[] = []
    for (let i = 0; i < count; i += 3) {
      const batch = [i, i + 1, i + 2].map((n) => (n * 5) % count)
      await Promise.all(batch.map((c) => store.remove('w', `c${c}`)))
      gone.push(...batch)
      expect(found(path, gone)).toEqual([])
      const left = all.filter((c) => !gone.includes(c))
      expect(found(path, left)).toEqual(left)
    }
    await store.close()
    expect(found(path, all)).toEqual([])
  })

  test('the file is smaller [T-96]', async () => {
    const path = file()
    const store = await sqliteStore(path, { scrub: 0 })
    await store.create('w', { id: 'c', at })
    await store.append('w', 'c', [say('a', 'x'.repeat(2_000_000))], { branch: 'main', at })
    await store.remove('w', 'c')
    // a file that is not small gives its pages back bit by bit
    await vi.waitFor(() => expect(bytesOf(path).length).toBeLessThan(500_000), 10_000)
    await store.close()
  })

  test('a file too large to be written anew each time is clean once it is compacted', async () => {
    const path = file()
    const store = await sqliteStore(path, { scrub: 0 })
    await fill(store)
    const gone = all.filter((c) => c % 3 !== 0)
    for (const c of gone) await store.remove('w', `c${c}`)
    await store.compact()
    expect(found(path, gone)).toEqual([])
    expect(await store.verify('w', 'c0')).toEqual({ ok: true, entries: 20 })
    await store.close()
  })

  test('a blob that another conversation uses stays', async () => {
    const store = await sqliteStore(file())
    for (const id of ['a', 'b']) await store.create('w', { id, at })
    const blob = { bytes: Buffer.from('shared'), mediaType: 'text/plain' }
    const { sha256 } = await store.putBlob('w', 'a', blob)
    await store.putBlob('w', 'b', blob)
    expect((await store.remove('w', 'a')).removed.blob).toBe(0)
    expect(await store.getBlob('w', sha256)).toMatchObject({ size: 6 })
    expect((await store.remove('w', 'b')).removed.blob).toBe(1)
    expect(await store.getBlob('w', sha256)).toBeNull()
    await store.close()
  })
})

/** Letters alone, so that each word is one term of the index: what is found of them after a removal was left in it. */
const word = (n: number): string =>
  `qz${Array.from(String(n + 1_000), (digit) => 'abcdefghij'[Number(digit)]).join('')}`

describe('the index of words', () => {
  test('is rid of them, and does not only hide them', async () => {
    const path = file()
    const store = await sqliteStore(path, { scrub: 0 })
    for (const id of ['kept', 'gone']) await store.create('w', { id, at })
    for (let n = 0; n < 300; n++) {
      const c = n % 3 ? 'kept' : 'gone'
      await store.append('w', c, [say(`e${n}`, `${word(n)} and ${word(n + 300)}`)], { branch: 'main', at })
      if (n % 50 === 0) await store.search('w', { text: 'and', limit: 1 })
    }
    expect((await store.search('w', { text: 'and', limit: 1_000 })).items).toHaveLength(300)
    await store.redact('w', 'kept', 'e100')
    await store.remove('w', 'gone')
    await store.compact()
    await store.close()
    const bytes = bytesOf(path)
    const left = Array.from({ length: 300 }, (_, n) => n).filter((n) => bytes.includes(word(n)))
    expect(left.filter((n) => n % 3 === 0 || n === 100)).toEqual([])
    const again = await sqliteStore(path)
    expect((await again.search('w', { text: 'and', limit: 1_000 })).items).toHaveLength(199)
    expect((await again.search('w', { text: word(101), limit: 9 })).items).toHaveLength(1)
    await again.close()
  })
})

describe('after an entry is redacted', () => {
  test('none of its words is left in the bytes of the files', async () => {
    const path = file()
    const store = await sqliteStore(path)
    await fill(store)
    const text = 'my-password-is-hunter2 '.repeat(50)
    await store.append('w', 'c1', [say('secret', text)], { branch: 'main', at })
    const body = { quotes: 'my-password-is-hunter2' }
    await store.putReceipt('w', { id: 'r', conversation: 'c1', entry: 'secret', at, body })
    expect(bytesOf(path).includes('hunter2')).toBe(true)
    await store.search('w', { text: 'password', limit: 1 })
    await store.commit('w', 'c1', [{ do: 'emit', events: [{ type: 'x', data: 'my-password-is-hunter2' }], at }])
    await store.putRecord('w', { kind: 'share', id: 's', conversation: 'c1', body: text, at })
    await store.redact('w', 'c1', 'secret')
    expect(bytesOf(path).includes('hunter2')).toBe(false)
    expect(await store.verify('w', 'c1')).toEqual({ ok: true, entries: 21 })
    await store.close()
  })
})
