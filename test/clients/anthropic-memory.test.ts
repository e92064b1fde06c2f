/** `throughline/anthropic` beside the SDK's own memory on disk, and in the hands of its tool runner. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { BetaLocalFilesystemMemoryTool, betaMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type MemoryHandlers, memoryHandlers } from '../../src/adapters/anthropic/memory.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { runs } from '../runs.js'
import { freshWorkspace, sqliteStage } from './stores.js'

const name = fc.constantFrom('a', 'b', 'notes.txt', '.hidden', 'node_modules', '__proto__')
const path = fc.array(name, { maxLength: 3 }).map((names) => ['/memories', ...names].join('/'))
const text = fc
  .array(fc.constantFrom('one', 'two', 'three', '', 'one two', 'é ✓ 🙂'), { maxLength: 5 })
  .map((lines) => lines.join('\n'))

const command = fc.oneof(
  fc.record({ command: fc.constant('view' as const), path }),
  fc.record({
    command: fc.constant('view' as const),
    path,
    view_range: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -1, max: 4 })),
  }),
  fc.record({ command: fc.constant('create' as const), path, file_text: text }),
  fc.record({
    command: fc.constant('str_replace' as const),
    path,
    old_str: fc.constantFrom('one', 'two', 'x'),
    new_str: text,
  }),
  fc.record({
    command: fc.constant('insert' as const),
    path,
    insert_line: fc.integer({ min: -1, max: 6 }),
    insert_text: text,
  }),
  fc.record({ command: fc.constant('delete' as const), path }),
  fc.record({ command: fc.constant('rename' as const), old_path: path, new_path: path }),
)
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never

async function say(handlers: object, one: Command): Promise<string> {
  try {
    return await (handlers as Record<string, (given: Command) => Promise<string>>)[one.command]!(one)
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
}

/** Sizes of folders are the disk's own, and no part of the tool. */
const bare = (said: string): string =>
  said.startsWith('Here') ? said.replace(/^[\d.]+[BKMG](\t\S+\/)$/gm, '$1').replace(/\n[\d.]+[BKMG]\t/, '\n\t') : said

/** Where the disk itself refuses, its words are not the tool's: then ours only has to refuse as well. */
function expectSame(ours: string, theirs: string): void {
  if (/^refused: E[A-Z]+:/.test(theirs)) expect(ours).toMatch(/^refused: /)
  else expect(bare(ours)).toBe(bare(theirs))
}

describe('the memory tool', () => {
  const folders: string[] = []
  afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })))

  test('says what the memory of the SDK says, word for word, command by command', async () => {
    const store = memoryStore()
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        const folder = mkdtempSync(join(tmpdir(), 'throughline-memory-'))
        folders.push(folder)
        const theirs = await BetaLocalFilesystemMemoryTool.init(folder)
        const ours = memoryHandlers({ store, workspace: freshWorkspace() })
        for (const one of commands) {
          const said = await say(theirs, one)
          expectSame(await say(ours, one), said)
          // what they refuse may leave empty folders behind; ours leaves nothing
          if (said.startsWith('refused') && 'new_path' in one) break
        }
      }),
      { numRuns: Math.min(runs, 1_000) },
    )
  })

  test('has no way out of /memories', async () => {
    const ours = memoryHandlers({ store: memoryStore() })
    const ways = [
      '/etc/passwd',
      '/memoriesevil/x',
      'memories/x',
      '/memories/../etc/passwd',
      '/memories/a/../../b',
      '/memories/%2e%2e%2fetc',
      '/memories/..\\..\\etc',
      '',
    ]
    for (const way of ways) {
      await expect(ours.view({ path: way })).rejects.toMatchObject({ code: 'invalid' })
      await expect(ours.create({ path: way, file_text: 'x' })).rejects.toMatchObject({ code: 'invalid' })
      await expect(ours.rename({ old_path: '/memories/a', new_path: way })).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  test('is one memory for each name and workspace, and loses no edit of two at once', async () => {
    const store = memoryStore()
    const mine = memoryHandlers({ store, workspace: 'a', name: 'ada' })
    const others = [
      memoryHandlers({ store, workspace: 'b', name: 'ada' }),
      memoryHandlers({ store, workspace: 'a', name: 'bob' }),
    ]
    await Promise.all(Array.from({ length: 20 }, (_, i) => mine.create({ path: `/memories/${i}`, file_text: `${i}` })))
    expect((await mine.view({ path: '/memories' })).split('\n')).toHaveLength(22)
    for (const other of others) expect((await other.view({ path: '/memories' })).split('\n')).toHaveLength(2)
  })
})

describe('the tool runner of the SDK', () => {
  const stage = sqliteStage()
  afterAll(() => stage.close())

  test('keeps and finds what the model wants to remember, and tells it of a refusal', async () => {
    const uses = [
      { command: 'view', path: '/memories' },
      { command: 'create', path: '/memories/user.txt', file_text: 'likes tea\n' },
      { command: 'view', path: '/memories/../../etc/passwd' },
      { command: 'str_replace', path: '/memories/user.txt', old_str: 'tea', new_str: 'coffee' },
    ]
    const { url, bodies, close } = await scripted(uses)
    const handlers: MemoryHandlers = memoryHandlers({ store: await stage.open() })
    const client = new Anthropic({ baseURL: url, apiKey: 'none' })
    const final = await client.beta.messages.toolRunner({
      model: 'claude-opus-4-7',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'I like coffee.' }],
      tools: [betaMemoryTool(handlers as Parameters<typeof betaMemoryTool>[0])],
    })
    close()
    expect(final.content).toMatchObject([{ type: 'text', text: 'Noted.' }])
    const results = bodies
      .flatMap(({ messages }) => messages)
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    const told = results.filter((block) => block.type === 'tool_result')
    expect(told.map((block) => block.is_error ?? false)).toEqual([false, false, true, false])
    expect(JSON.stringify(told[2])).toContain('would escape /memories directory')
    const again = memoryHandlers({ store: await stage.open() })
    expect(await again.view({ path: '/memories/user.txt' })).toBe(
      "Here's the content of /memories/user.txt with line numbers:\n     1\tlikes coffee\n     2\t",
    )
  })
})

interface Asked {
  readonly messages: { readonly content: string | { type: string; is_error?: boolean }[] }[]
}

/** A model on the loopback that uses the memory so, and then is done. */
async function scripted(uses: readonly object[]) {
  const bodies: Asked[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const turn = bodies.push(JSON.parse(body)) - 1
    const use = uses[turn]
    const content = use
      ? [{ type: 'tool_use', id: `toolu_${turn}`, name: 'memory', input: use }]
      : [{ type: 'text', text: 'Noted.', citations: null }]
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-4-7',
        content,
        stop_reason: use ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bodies, close: () => server.close() }
}
