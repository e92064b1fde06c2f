/** What was redacted is nowhere: not in what was made of it, not in any answer, not in the file (B10). */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHistory } from '../../src/engine/history.js'
import { type SqliteStore, sqliteStore } from '../../src/store/sqlite/store.js'
import { type Host, startService } from './host.js'
import { modelsOf, saying } from './live-models.js'

const canary = 'canary7f3a9c51'
const secret = `My recovery phrase is ${canary}, keep it to yourself. ${'It opens everything. '.repeat(600)}`

let folder: string
let store: SqliteStore
let host: Host
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-redaction-'))
  store = await sqliteStore(join(folder, 'log.db'))
  host = await startService({ store, models: modelsOf(saying('I keep it.')) })
})
afterAll(async () => {
  await host.stop()
  await store.close()
  await rm(folder, { recursive: true })
})

const at = '/api/v1/conversations/c'

/** Every answer that could tell it. */
async function everything(tokens: readonly string[]): Promise<Record<string, string>> {
  const paths = [
    '/api/v1/conversations',
    '/api/v1/conversations?q=recovery',
    at,
    `${at}/messages`,
    `${at}/tree`,
    `${at}/outline`,
    `${at}/receipts`,
    `${at}/runs`,
    `${at}/branches`,
    `${at}/verify`,
    ...['json', 'markdown', 'jsonl', 'text'].map((format) => `${at}/export?format=${format}`),
    '/api/v1/usage',
    '/api/v1/memories',
    '/api/v1/memories/export',
    '/api/v1/labels',
    `/api/v1/search?q=${canary}`,
    '/api/v1/search?q=recovery',
    '/v1/conversations/c/items',
    ...tokens.flatMap((token) => [`/s/${token}`, `/api/v1/shares/${token}`]),
  ]
  const all: Record<string, string> = {}
  for (const path of paths) {
    const { status, text } = await host.call('GET', path)
    all[path] = status < 300 ? text : ''
  }
  all.preview = (await host.call('POST', '/api/v1/context/assemble', { body: { conversation_id: 'c' } })).text
  const kept = await store.records('default', { kind: 'task-context', limit: 100 })
  all.tasks = JSON.stringify(kept)
  return all
}

const call = (name: string, given: object) =>
  host.call('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  })

test('titles, summaries, memories, shares, usage, search and exports forget what was redacted (B10)', async () => {
  await host.call('POST', '/api/v1/conversations', { body: { id: 'c' } })
  const told = await host.call('POST', '/chat', { body: { session_id: 'c', message: secret } })
  expect(told.status).toBe(200)
  await expect.poll(async () => (await store.get('default', 'c'))?.title).not.toBe('')
  // a title as the model might write it, and one that is shared as it is now
  await host.call('PATCH', at, { body: { title: `Recovery phrase ${canary}` } })
  const shares = await Promise.all(
    ['snapshot', 'live'].map(async (mode) => (await host.call('POST', `${at}/shares`, { body: { mode } })).body),
  )
  const { body: page } = await host.call('GET', `${at}/messages`)
  const message = page.items[0].id as string
  const source = { conversation_id: 'c', message_id: message }
  await host.call('POST', '/api/v1/memories', {
    body: { kind: 'semantic', text: `Their phrase is ${canary}`, ...source },
  })
  // the history of a task is cut
  await call('create_real_task', { description: 'x', conversation_history: { conversation: 'c' } })
  const history = await openHistory({ store, workspace: 'default', conversation: 'c' })
  await history.summarise(`They told a phrase: ${canary}.`, message)
  // a summary on a branch that is gone
  await history.fork(message, 'aside')
  await history.summarise(`On the side: ${canary}.`, message, { branch: 'aside' })
  await store.removeBranch('default', 'c', 'aside')
  await host.call('POST', '/chat', {
    body: { session_id: 'other', message: 'What was my recovery phrase?', recall: 'all' },
  })
  const tokens = shares.map(({ token }) => token as string)
  const before = await everything(tokens)
  for (const path of ['/api/v1/conversations', `/s/${tokens[0]}`, '/api/v1/usage', at, '/api/v1/memories', 'tasks'])
    expect(before[path], path).toContain(canary)

  expect((await host.call('DELETE', `${at}/messages/${message}`)).status).toBe(200)

  const after = await everything(tokens)
  expect(Object.keys(after).filter((path) => after[path]?.includes(canary))).toEqual([])
  expect((await host.call('GET', `/s/${tokens[1]}`)).status).toBe(200)
  const stillThere: string[] = []
  for (const name of await readdir(folder))
    if ((await readFile(join(folder, name))).includes(canary)) stillThere.push(name)
  expect(stillThere).toEqual([])
})
