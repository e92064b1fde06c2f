/** The stores that the suites run on: each opened fresh, in a workspace that no one else has. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { postgresStore } from '../../src/store/postgres/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { askServer, freshSchema } from '../postgres/database.js'

export interface Stage {
  readonly name: string
  /** The same data from a new instance; in memory there is only the one. */
  open(): Promise<Store>
  close(): Promise<void>
}

export function memoryStage(): Stage {
  const store = memoryStore()
  return { name: 'memory', open: async () => store, close: async () => {} }
}

export function sqliteStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-clients-'))
  const opened: Store[] = []
  return {
    name: 'SQLite',
    async open() {
      const store = await sqliteStore(join(folder, 'clients.db'))
      opened.push(store)
      return store
    },
    async close() {
      for (const store of opened) await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Undefined where no server can be had. */
export async function postgresStage(): Promise<Stage | undefined> {
  const server = await askServer()
  if ('reason' in server) return undefined
  const schema = freshSchema()
  const opened: Store[] = []
  return {
    name: 'PostgreSQL',
    async open() {
      const store = await postgresStore(server.url, { schema })
      opened.push(store)
      return store
    },
    close: async () => void (await Promise.all(opened.map((store) => store.close()))),
  }
}

export const freshWorkspace = (): string => `ws-${randomUUID()}`
