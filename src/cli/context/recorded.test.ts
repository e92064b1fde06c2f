import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openWired, saying, streams } from '../../http/forward/forward.fixture.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build, desk, run } from '../cli.fixture.js'

const { folder } = desk()
const db = join(folder, 'sessions.db')
const env = { THROUGHLINE_DB: db, THROUGHLINE_DETECT_MODELS: 'false', COLUMNS: '120', TZ: 'UTC' }
const tl = (...args: readonly string[]) => run(args, { env, cwd: folder })

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const sessions = [
  {
    path: '/v1/messages',
    headers: { 'x-claude-code-session-id': 'one' },
    body: {
      model: 'claude-sonnet-4-5',
      system: [{ type: 'text', text: 'You are careful.' }],
      tools: [
        { type: 'web_search_20250305', name: 'web_search' },
        { name: 'Read', input_schema: schema },
      ],
      messages: [{ role: 'user', content: 'Read the plan.' }],
      max_tokens: 900,
      stream: true,
    },
  },
  {
    path: '/v1/responses',
    headers: { session_id: 'two' },
    body: {
      model: 'gpt-5.5',
      instructions: 'You are careful.',
      tools: [{ type: 'function', name: 'Read', parameters: schema }],
      input: [{ role: 'user', content: 'Read the plan.' }],
      stream: true,
    },
  },
  {
    path: '/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse',
    headers: {},
    body: {
      systemInstruction: { parts: [{ text: 'You are careful.' }] },
      tools: [{ functionDeclarations: [{ name: 'Read', parametersJsonSchema: schema }] }],
      contents: [{ role: 'user', parts: [{ text: 'Read the plan.' }] }],
    },
  },
] as const

beforeAll(build, 120_000)

test.each(sessions)(
  '$path: a recorded session is shown with the model, system and tools that it was sent with',
  async ({ path, headers, body }) => {
    const store = await sqliteStore(db)
    const wired = await openWired({ store })
    wired.acts(streams(saying('It says Monday.')))
    await (await wired.post(path, body, headers)).text()
    await wired.recorded()
    await wired.stop()
    await store.close()

    const model = 'model' in body ? body.model : 'gemini-3-pro-preview'
    const receipts = await tl('receipts', '@last')
    expect(receipts).toMatchObject({ code: 0 })
    expect(receipts.stdout).toContain(model)

    const made = JSON.parse((await tl('context', '@last', '--current', 'And now?', '--json')).stdout)
    expect(made.receipt.model.id).toContain(model)
    const wire = (await tl('context', '@last', '--current', 'And now?', '--wire')).stdout
    expect(wire).toContain('You are careful.')
    expect(wire).toContain('Read the plan.')
    expect(made.receipt.request.parts.tools).toBeGreaterThan(10)
  },
)
