import { join } from 'node:path'
import { sqliteStore } from '../../store/sqlite/store.js'
import { desk } from '../cli.fixture.js'

export const at = '2026-01-01T00:00:00.000Z'

export async function filled(): Promise<string> {
  const path = join(desk().folder, 'log.db')
  const store = await sqliteStore(path)
  await store.create('default', { id: 'c', title: 'The harbour', at })
  for (let n = 0; n < 5; n++) {
    const text = `The harbour at ${n}.`
    const body = { kind: 'message', role: 'user', parts: [{ type: 'text', text }], status: 'complete' } as const
    await store.append('default', 'c', [{ id: `e${n}`, body, text, tokens: 5, at }], { branch: 'main', at })
  }
  await store.search('default', { text: 'harbour', limit: 1 })
  await store.close()
  return path
}
