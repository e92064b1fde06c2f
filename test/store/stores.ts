/** The stores that are compared, each opened once; those that cannot be here say why. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { postgresStore } from '../../src/store/postgres/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { askServer, freshSchema } from '../postgres/database.js'

export interface Contestant {
  readonly name: string
  readonly store: Store
}

export interface Field {
  readonly contestants: readonly Contestant[]
  /** Why a store is missing. */
  readonly absent: readonly string[]
  end(): Promise<void>
}

export async function field(): Promise<Field> {
  const contestants: Contestant[] = [{ name: 'memory', store: memoryStore() }]
  const absent: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'throughline-differential-'))
  for (const [name, open] of [
    ['sqlite', async () => sqliteStore(join(folder, 'log.db'))],
    ['postgres', postgres],
  ] as const) {
    try {
      contestants.push({ name, store: await open() })
    } catch (error) {
      absent.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return {
    contestants,
    absent,
    async end() {
      for (const { store } of contestants) await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function postgres(): Promise<Store> {
  const desk = await askServer()
  if ('reason' in desk) throw new Error(desk.reason)
  return postgresStore(desk.url, { schema: freshSchema() })
}
