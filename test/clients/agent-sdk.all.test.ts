/** The Claude Agent SDK itself, with the program that it brings, against a scripted provider; nothing but loopback can be reached. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Options, SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { createAgentQuery, type Query } from '../../src/adapters/claude-agent-sdk/query.js'
import { build } from '../../src/cli/cli.fixture.js'
import type { History } from '../../src/engine/history.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const sdk = join(here, 'node_modules', '@anthropic-ai')

/** Runs a program where the network is loopback and nothing else. */
const alone = (...command: readonly string[]) => {
  const flags = process.getuid?.() === 0 ? ['-n'] : ['-rn']
  const script = 'ip link set lo up && exec "$@"'
  return spawnSync('unshare', [...flags, 'sh', '-c', script, 'sh', ...command], { encoding: 'utf8', timeout: 100_000 })
}

function missing(): string | null {
  if (!existsSync(join(sdk, `claude-agent-sdk-${process.platform}-${process.arch}`)))
    return 'the SDK has no program for this machine'
  const { status, stderr, error } = alone('true')
  return status === 0 ? null : `a network of its own cannot be had here: ${error?.message ?? stderr.trim()}`
}

const reason = missing()
if (reason !== null) console.warn(`the Claude Agent SDK is not run: ${reason}`)

interface Told {
  readonly told: readonly { readonly type: string; readonly result?: string; readonly session_id?: string }[]
  readonly log: readonly { readonly body: { readonly kind: string }; readonly text: string }[]
  readonly asked: readonly (readonly { readonly role: string; readonly content: unknown }[])[]
  readonly refused: readonly unknown[]
}

describe.skipIf(reason !== null)('two questions to the Claude Agent SDK', () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-agent-sdk-'))
  let heard: Told
  beforeAll(async () => {
    await build()
    // as in the project of someone who installed both packages
    mkdirSync(join(folder, 'node_modules'))
    mkdirSync(join(folder, 'work'))
    symlinkSync(root, join(folder, 'node_modules', 'throughline'))
    symlinkSync(sdk, join(folder, 'node_modules', '@anthropic-ai'))
    const program = join(folder, 'program.mjs')
    copyFileSync(join(here, 'agent-sdk.program.mjs'), program)
    const flags = ['--preserve-symlinks', '--preserve-symlinks-main']
    const provider = join(root, 'scripts', 'agents', 'provider.mjs')
    const { stdout, stderr, status } = alone(process.execPath, ...flags, program, join(folder, 'work'), provider)
    if (status !== 0) throw new Error(stderr)
    heard = JSON.parse(stdout)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('its messages are handed on while they come: words, calls, results and the end [S3-6] [S3-15]', () => {
    const types = heard.told.map(({ type }) => type)
    for (const type of ['system', 'stream_event', 'assistant', 'user', 'result']) expect(types).toContain(type)
    expect(types.indexOf('stream_event')).toBeLessThan(types.indexOf('assistant'))
    expect(heard.told.flatMap(({ type, result }) => (type === 'result' ? [result] : []))).toEqual([
      'client.ts and streaming.ts handle agent queries.',
      'By buildPromptWithHistory() in history.ts.',
    ])
    expect(heard.refused).toEqual([])
  })

  test('what was said, the use of a tool and its result are kept [S3-9] [S3-P2]', () => {
    expect(heard.log.map(({ body, text }) => [body.kind, text.slice(0, 40).split('\n')[0]])).toEqual([
      ['message', 'What files handle agent queries?'],
      ['message', expect.stringMatching(/^Step 1/)],
      ['result', 'export const line = 1'],
      ['message', 'client.ts and streaming.ts handle agent '],
      ['message', 'How is history integrated?'],
      ['message', 'By buildPromptWithHistory() in history.t'],
    ])
    expect(heard.log[1]?.body).toMatchObject({
      parts: [{ type: 'text' }, { type: 'call', name: 'Bash', input: { command: 'cat client.ts' } }],
    })
    // the whole of it, although the history of later prompts has 500 characters
    expect(heard.log[2]?.text).toContain("export const last = 'the end'")
  })

  test('the history goes into the prompt in its tags, and nothing of the SDK is resumed [S3-5] [S3-7] [S3-8]', () => {
    const [first, , second] = heard.asked.map((messages) => promptIn(messages))
    expect(first).toBe('What files handle agent queries?')
    expect(second).toMatch(
      /^<conversation_history>\nHuman: What files handle agent queries\?\nAssistant: Step 1\.\s\[Used tool: Bash\]\s/,
    )
    expect(second).toContain('... [truncated]]')
    expect(second).not.toContain('the end')
    expect(second).toContain('client.ts and streaming.ts handle agent queries.\n</conversation_history>\n\n')
    expect(second?.endsWith('Continue the conversation. The human says:\nHow is history integrated?')).toBe(true)
    const sessions = heard.told.flatMap(({ type, session_id }) => (type === 'result' ? [session_id] : []))
    expect(new Set(sessions).size).toBe(2)
    expect(heard.asked[2]?.filter(({ role }) => role === 'assistant')).toEqual([])
  })
})

/** The last block of the first user message: the SDK puts reminders of its own before it. */
function promptIn(messages: Told['asked'][number]): string | undefined {
  const { content } = messages.find(({ role }) => role === 'user') ?? {}
  if (typeof content === 'string') return content
  return (content as readonly { readonly text?: string }[] | undefined)?.at(-1)?.text
}

test("the SDK's own types fit: its query is taken, and its messages come out", () => {
  const ask = (conversation: History, query: Query<SDKMessage, Options>) =>
    createAgentQuery({ conversation, prompt: 'Hello', query, options: { cwd: '.' } })
  expectTypeOf<typeof import('@anthropic-ai/claude-agent-sdk').query>().toExtend<Query<SDKMessage, Options>>()
  expectTypeOf(ask).returns.toEqualTypeOf<AsyncGenerator<SDKMessage, void, undefined>>()
})
