/** Every store the engine runs on, each with a fresh place, and a clock that can run backwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type History, type HistoryOptions, openHistory } from '../../src/engine/index.js'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { postgresStore } from '../../src/store/postgres/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { askServer, freshSchema } from '../postgres/database.js'

export interface Stage {
  readonly name: string
  readonly store: () => Store
  /** A second connection to the same data; memory has none. */
  readonly again: (() => Promise<Store>) | null
  /** A history in a workspace of its own. */
  readonly fresh: (options?: Partial<HistoryOptions>) => Promise<History>
}

export function onEveryStore(title: string, body: (stage: Stage) => void): void {
  for (const name of ['memory', 'sqlite', 'postgres'] as const) {
    const server = name === 'postgres' ? asked : { url: '' }
    if ('reason' in server) console.warn(`${title} on PostgreSQL is left out: ${server.reason}`)
    describe.skipIf('reason' in server)(`${title} on ${name}`, () => {
      const url = 'url' in server ? server.url : ''
      const schema = freshSchema()
      let folder = ''
      let store: Store | undefined
      const opened: Store[] = []
      const open = async (): Promise<Store> => {
        const made = await {
          memory: async () => memoryStore(),
          sqlite: () => sqliteStore(join(folder, 'log.db')),
          postgres: () => postgresStore(url, { schema }),
        }[name]()
        opened.push(made)
        return made
      }
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'throughline-engine-'))
        store = await open()
      })
      afterAll(async () => {
        for (const one of opened) await one.close()
        await rm(folder, { recursive: true, force: true })
      })
      let count = 0
      body({
        name,
        store: () => store as Store,
        again: name === 'memory' ? null : open,
        fresh: (options = {}) =>
          openHistory({ store: store as Store, workspace: `w${++count}`, conversation: 'c', ...options }),
      })
    })
  }
}

const asked = await askServer()

export const user = (content: string, more: object = {}) => ({ role: 'user', content, ...more })
export const assistant = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more })
export const calling = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: `{"q":"${id}"}` } })),
})
export const found = (id: string, content = `found ${id}`) => ({ role: 'tool', tool_call_id: id, content })

export async function textsOf(history: History, branch?: string): Promise<string[]> {
  return (await history.path(branch)).map(({ text }) => text)
}

/** Fails with the issue when there is no window. */
export async function windowOf(history: History, ...request: Parameters<History['window']>) {
  const made = await history.window(...request)
  if (!made.ok) throw new Error(made.error.message)
  return made
}
