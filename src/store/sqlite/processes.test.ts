import { describe, expect, test } from 'vitest'
import type { Entry } from '../contract/entry.js'
import { freshFiles } from './file.fixture.js'
import { startWriter, writerScript } from './processes.fixture.js'
import { type SqliteStore, sqliteStore } from './store.js'

const file = freshFiles()
const script = writerScript()

describe('several processes on one file', () => {
  test('lose no write: four times 250 appends are 1,000 rows without a gap [T-36] [L-6]', async () => {
    const path = file()
    const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(script, [path, 'c', name, '250']))
    const ends = await Promise.all(writers.map(({ ended }) => ended))
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaints: '' })))

    const store = await sqliteStore(path)
    const all = await everything(store)
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1))
    expect(all.map(({ parent }) => parent)).toEqual([null, ...all.slice(0, -1).map(({ id }) => id)])
    expect(all.map(({ id }) => id).sort()).toEqual(writers.flatMap(({ acknowledged }) => acknowledged).sort())
    expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: 1_000 })
    await store.close()
  })

  test('may all be the first to open it', async () => {
    for (let round = 0; round < 3; round++) {
      const path = file()
      const writers = ['a', 'b', 'c', 'd', 'e'].map((name) => startWriter(script, [path, 'c', name, '2']))
      const ends = await Promise.all(writers.map(({ ended }) => ended))
      expect(ends).toEqual(ends.map(() => ({ code: 0, complaints: '' })))
      const store = await sqliteStore(path)
      expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: 10 })
      await store.close()
    }
  })

  test('leave no acknowledged write behind, none twice and none in half when they are killed', async () => {
    const path = file()
    const promised: string[] = []
    for (let round = 0; round < 4; round++) {
      const writers = ['a', 'b'].map((name) => startWriter(script, [path, 'c', `${name}${round}`, '100000']))
      for (const { process, acknowledged, ended } of writers) {
        while (acknowledged.length < 20 + 7 * round && process.exitCode === null) await pause()
        process.kill('SIGKILL')
        expect((await ended).complaints).toBe('')
        promised.push(...acknowledged)
      }
      const store = await sqliteStore(path)
      const stored = (await everything(store)).map(({ id }) => id)
      expect(promised.filter((id) => !stored.includes(id))).toEqual([])
      expect(new Set(stored).size).toBe(stored.length)
      expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: stored.length })
      await store.close()
    }
  })
})

async function everything(store: SqliteStore): Promise<Entry[]> {
  const out: Entry[] = []
  for (;;) {
    const more = await store.feed('w', 'c', out.length, 1_000)
    if (more.length === 0) return out
    out.push(...more)
  }
}

const pause = (): Promise<void> => new Promise((wake) => setTimeout(wake, 2))
