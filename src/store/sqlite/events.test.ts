import { describe, expect, test } from 'vitest'
import { at, freshFiles, say } from './file.fixture.js'
import { startWriter, writerScript } from './processes.fixture.js'
import { sqliteStore } from './store.js'

const file = freshFiles()
const script = writerScript()
const emit = { do: 'emit', events: [{ type: 'told', data: null }], at } as const

async function heard(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 5) {
    if (waited > 10_000) throw new Error('nobody was woken')
    await new Promise((wake) => setTimeout(wake, 5))
  }
}

describe('who watches a conversation in a file', () => {
  test('is woken by the commits of another process, and reads every event once', async () => {
    const path = file()
    const store = await sqliteStore(path)
    await store.create('w', { id: 'c', at })
    const seen: number[] = []
    let isDue = true
    const off = store.watch('w', 'c', () => {
      isDue = true
    })
    const writer = startWriter(script, [path, 'c', 'a', '60', 'tell'])
    while (seen.length < 60) {
      await heard(() => isDue)
      isDue = false
      const { events } = await store.events('w', 'c', seen.length, 100)
      seen.push(...events.map(({ number }) => number))
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
    expect(await writer.ended).toEqual({ code: 0, complaints: '' })
    off()
    await store.close()
  })

  test('is woken by another store of the same process', async () => {
    const path = file()
    const [here, there] = [await sqliteStore(path), await sqliteStore(path)]
    await here.create('w', { id: 'c', at })
    let wakes = 0
    const off = here.watch('w', 'c', () => wakes++)
    await new Promise((wake) => setTimeout(wake, 250))
    wakes = 0
    await there.commit('w', 'c', [emit])
    await heard(() => wakes > 0)
    expect((await here.events('w', 'c', 0, 9)).newest).toBe(1)
    off()
    await Promise.all([here.close(), there.close()])
  })

  test('is woken no more once the store is closed', async () => {
    const path = file()
    const [here, there] = [await sqliteStore(path), await sqliteStore(path)]
    await here.create('w', { id: 'c', at })
    let wakes = 0
    here.watch('w', 'c', () => wakes++)
    await here.close()
    await there.commit('w', 'c', [{ do: 'append', entries: [say('a', 'x')], options: { branch: 'main', at } }, emit])
    await new Promise((wake) => setTimeout(wake, 250))
    expect(wakes).toBe(0)
    expect(here.watch('w', 'c', () => {})()).toBeUndefined()
    await there.close()
  })
})
