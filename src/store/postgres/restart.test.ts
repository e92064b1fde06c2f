import { randomUUID } from 'node:crypto'
import { afterAll, test } from 'vitest'
import { type Server, startServer } from '../../../test/postgres/server.js'
import { at, expectWhole, insist, said } from './log.fixture.js'
import { postgresStore } from './store.js'

const server: Server | null = await startServer().catch((error: Error) => {
  process.stderr.write(`\nno PostgreSQL to crash, so its restart is not tested: ${error.message}\n`)
  return null
})
afterAll(() => server?.stop())

test.skipIf(!server)(
  'a server that crashes under two pools of four writers loses, doubles and reorders nothing',
  async () => {
    const { url, restart } = server as Server
    const pools = await Promise.all([0, 1].map(() => postgresStore(url, { poolSize: 4, timeoutSeconds: 10 })))
    await pools[0]?.create('w', { id: 'c', at })
    const acknowledged = new Map<string, { text: string; seq: number }>()
    let going = true
    const writer = async (i: number) => {
      const store = pools[i % 2]
      if (!store) return
      for (let n = 0; going; n++) {
        const entry = said(`${i}/${n} ${'.'.repeat(n % 700)}`)
        const options = { branch: 'main', at, ...(n % 2 ? { key: randomUUID() } : null) }
        const { entries } = await insist(() => store.append('w', 'c', [entry], options))
        acknowledged.set(entry.id, { text: entry.text, seq: entries[0]?.seq ?? 0 })
      }
    }
    const writers = Array.from({ length: 8 }, (_, i) => writer(i))
    for (let crash = 1; crash <= 3; crash++) {
      const before = acknowledged.size
      while (acknowledged.size < before + 60) await new Promise((resolve) => setTimeout(resolve, 5))
      await restart()
    }
    going = false
    await Promise.all(writers)
    const fresh = await postgresStore(url)
    await expectWhole(fresh, 'w', 'c', acknowledged)
    await Promise.all([fresh, ...pools].map((store) => store.close()))
  },
)
