/** The scripts of examples/migrate, each started as its first line says, and again: the second time adds nothing. */
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { openMemories } from '../../src/recall/memories.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { type Host, startService } from '../http/host.js'
import { root } from '../lib/tree.js'

const folder = mkdtempSync(join(tmpdir(), 'throughline-migrate-'))
const at = (name: string) => join(folder, name)
const packages = {
  'test/clients': ['openai', 'ai', '@langchain/core', '@langchain/langgraph'],
  bench: ['@langchain/langgraph-checkpoint-sqlite', '@mastra/libsql'],
}
const placeOf = (owner: string, name: string) => join(root, owner, 'node_modules', name)
const lacks = (name: string) => !existsSync(placeOf('bench', name))

/** Its SQLite is built for one version of Node. */
function lacksSaver(): boolean {
  if (lacks('@langchain/langgraph-checkpoint-sqlite')) return true
  const opened = `new (require(${JSON.stringify(placeOf('bench', 'better-sqlite3'))}))(':memory:')`
  return spawnSync(process.execPath, ['-e', opened]).status !== 0
}

beforeAll(async () => {
  await build()
  cpSync(join(root, 'examples', 'migrate'), folder, { recursive: true })
  for (const name of ['graph.mjs', 'mastra-file.mjs']) cpSync(join(root, 'test', 'migrate', name), at(name))
  link('throughline', root)
  for (const [owner, names] of Object.entries(packages)) for (const name of names) link(name, placeOf(owner, name))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function link(name: string, target: string): void {
  const place = at(join('node_modules', name))
  mkdirSync(dirname(place), { recursive: true })
  if (existsSync(target)) symlinkSync(target, place, 'junction')
}

/** What it says last. */
async function run(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await promisify(execFile)(process.execPath, [at(script), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  return stdout.trimEnd().split('\n').at(-1)
}

async function look(file: string, conversation: string, workspace = 'default') {
  const store = await sqliteStore(file)
  try {
    const head = (await store.branches(workspace, conversation)).find(({ name }) => name === 'main')?.head ?? ''
    const path = await store.path(workspace, conversation, head)
    return {
      title: (await store.get(workspace, conversation))?.title,
      said: path.map(({ body, text }) => [body.kind === 'message' ? body.role : body.kind, text]),
      times: path.map((entry) => entry.at),
      authors: path.map(({ author }) => author),
    }
  } finally {
    await store.close()
  }
}

async function notes(file: string, workspace: string) {
  const store = await sqliteStore(file)
  try {
    const { items } = await openMemories({ store, workspace }).list()
    return items.map(({ kind, text, author }) => ({ kind, text, author }))
  } finally {
    await store.close()
  }
}

const lisbon = [
  ['user', 'How warm is Lisbon?'],
  ['assistant', '[Used tool: weather]\nLisbon'],
  ['result', '21 degrees'],
]

describe('from LangGraph', () => {
  test('a thread in any checkpointer brings its messages, and its graph goes on where it asked', async () => {
    expect(await run('graph.mjs', ['memory', at('memory.db')])).toBe('It has 21 degrees. Sent: yes')
    expect((await look(at('memory.db'), 'lisbon')).said).toEqual(lisbon)
  })

  test.skipIf(lacksSaver())('so does a file of its SQLite checkpointer', async () => {
    await run('graph.mjs', ['ask', at('checkpoints.db')])
    const args = [at('checkpoints.db'), at('graph.db')]
    expect(await run('langgraph.mjs', args)).toBe('conversations: 1, new messages: 3, new notes: 0')
    expect(await run('langgraph.mjs', args)).toBe('conversations: 1, new messages: 0, new notes: 0')
    expect((await look(at('graph.db'), 'lisbon')).said).toEqual(lisbon)
    expect(await run('graph.mjs', ['answer', at('graph.db')])).toBe('It has 21 degrees. Sent: yes')
  })
})

describe.skipIf(lacks('@mastra/libsql'))('from Mastra', () => {
  test('threads become conversations of their resource, working memory becomes notes', async () => {
    const url = `file:${at('mastra.db')}`
    await run('mastra-file.mjs', [url])
    expect(await run('mastra.mjs', [url, at('chat.db')])).toBe('conversations: 3, new messages: 5, new notes: 2')
    expect(await run('mastra.mjs', [url, at('chat.db')])).toBe('conversations: 3, new messages: 0, new notes: 0')
    const { title, said, times } = await look(at('chat.db'), 'a1', 'ada')
    expect(title).toBe('Lisbon')
    expect(said).toEqual([
      ['user', 'How warm is Lisbon?'],
      ['assistant', '[Used tool: weather]\n21 degrees.\nLisbon'],
      ['result', '21 degrees'],
    ])
    expect(times[0]).toBe('2026-01-02T03:04:00.000Z')
    expect((await look(at('chat.db'), 'b1', 'ben')).said).toEqual([['user', 'My cat is called Miso.']])
    const known = [
      { kind: 'profile', text: '# Ada\n- vegetarian', author: 'mastra' },
      { kind: 'profile', text: 'Plans a trip.', author: 'mastra' },
    ]
    expect(new Set(await notes(at('chat.db'), 'ada'))).toEqual(new Set(known))
  })
})

test("from the AI SDK's examples: each file of saveChat is a chat", async () => {
  mkdirSync(at('.chats'))
  const chat = [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'My cat is called Miso.' }] },
    { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'A fine name.' }] },
  ]
  writeFileSync(at('.chats/abc.json'), JSON.stringify(chat.slice(0, 1)))
  const args = [at('.chats'), at('ai.db')]
  expect(await run('ai-sdk.mjs', args)).toBe('conversations: 1, new messages: 1, new notes: 0')
  writeFileSync(at('.chats/abc.json'), JSON.stringify(chat))
  expect(await run('ai-sdk.mjs', args)).toBe('conversations: 1, new messages: 1, new notes: 0')
  expect(await run('ai-sdk.mjs', args)).toBe('conversations: 1, new messages: 0, new notes: 0')
  expect((await look(at('ai.db'), 'abc')).said).toEqual([
    ['user', 'My cat is called Miso.'],
    ['assistant', 'A fine name.'],
  ])
})

test('from OpenAI: a conversation keeps its id and its items, those that nobody here knows among them', async () => {
  const [theirs, ours] = await Promise.all([startService(), startService()])
  try {
    const items = [
      { type: 'message', role: 'user', content: 'How warm is Lisbon?' },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Lisbon"}' },
      { type: 'function_call_output', call_id: 'c1', output: '21 degrees' },
      { type: 'hologram', id: 'holo_1', depth: 3 },
      ...Array.from({ length: 130 }, (_, i) => ({ type: 'message', role: 'user', content: `Question ${i}` })),
    ]
    const { id } = (await theirs.call('POST', '/v1/conversations', { body: { items, metadata: { topic: 'travel' } } }))
      .body
    const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${theirs.url}/v1` }
    const list = async ({ call }: Host) => {
      const { data } = (await call('GET', `/v1/conversations/${id}/items?order=asc&limit=100`)).body
      return data.map((item: object) => ({ ...item, id: '' }))
    }
    const move = () => run('openai-conversations.mjs', [ours.url, id], env)
    expect(await move()).toBe('conversations: 1, new items: 134')
    expect(await move()).toBe('conversations: 1, new items: 0')
    expect(await list(ours)).toEqual(await list(theirs))
    expect(await list(ours)).toContainEqual({ type: 'hologram', id: '', depth: 3 })
    await theirs.call('POST', `/v1/conversations/${id}/items`, { body: { items: [{ role: 'user', content: 'Bye.' }] } })
    expect(await move()).toBe('conversations: 1, new items: 1')
    expect((await ours.call('GET', `/v1/conversations/${id}`)).body.metadata).toMatchObject({ topic: 'travel' })
  } finally {
    await Promise.all([theirs.stop(), ours.stop()])
  }
})

test('from mem0 and Zep: what is known becomes notes of whom it is about, a thread becomes a conversation', async () => {
  const mem0 = {
    results: [
      { id: 'f1', memory: 'Likes vegetarian food', user_id: 'ada', created_at: '2026-01-02T03:04:05Z' },
      { id: 'f2', memory: 'Has a cat called Miso', user_id: 'ben', created_at: '2026-01-02T03:04:05Z' },
    ],
  }
  const zep = {
    thread_id: 'trip',
    edges: [
      { uuid: 'e1', fact: 'Ada lives in Porto.', invalid_at: null },
      { uuid: 'e2', fact: 'Ada lives in Lisbon.', invalid_at: '2026-01-01T00:00:00Z' },
    ],
    messages: [
      { uuid: 'm1', role: 'user', name: 'Ada', content: 'I moved to Porto.', created_at: '2026-01-02T03:04:05Z' },
      { uuid: 'm2', role: 'tool', content: 'Saved.', created_at: '2026-01-02T03:04:06Z' },
    ],
  }
  writeFileSync(at('mem0.json'), JSON.stringify(mem0))
  writeFileSync(at('zep.json'), JSON.stringify(zep))
  const file = at('facts.db')
  expect(await run('facts.mjs', [at('mem0.json'), file])).toBe('conversations: 0, new messages: 0, new notes: 2')
  expect(await run('facts.mjs', [at('zep.json'), file, 'ada'])).toBe('conversations: 1, new messages: 2, new notes: 1')
  expect(await run('facts.mjs', [at('zep.json'), file, 'ada'])).toBe('conversations: 1, new messages: 0, new notes: 0')
  const known = [
    { kind: 'semantic', text: 'Likes vegetarian food', author: 'mem0' },
    { kind: 'semantic', text: 'Ada lives in Porto.', author: 'zep' },
  ]
  expect(new Set(await notes(file, 'ada'))).toEqual(new Set(known))
  const { said, times, authors } = await look(file, 'trip', 'ada')
  expect(said).toEqual([
    ['user', 'I moved to Porto.'],
    ['assistant', 'Saved.'],
  ])
  expect(times[0]).toBe('2026-01-02T03:04:05Z')
  expect(authors[0]).toBe('Ada')
})
