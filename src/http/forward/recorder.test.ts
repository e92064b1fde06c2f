import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../store/contract/store.js'
import { memoryStore } from '../../store/memory/store.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { promptOf } from '../../tasks/prompt.js'
import { answers, eventsOf, openWired, saying, streams, type Wired } from './forward.fixture.js'

let wired: Wired
let store: Store

beforeEach(async () => {
  store = memoryStore()
  wired = await openWired({ store })
})
afterEach(() => wired.stop())

const claude = { 'user-agent': 'claude-cli/2.1 (external, cli)', 'x-claude-code-session-id': 'session-1' }
const tools = [{ name: 'Bash', input_schema: { type: 'object' } }]
const reminder = { type: 'text', text: '<system-reminder>\nbe brief\n</system-reminder>' }
const first = { role: 'user', content: [reminder, { type: 'text', text: 'Find the leak' }] }
const body = (messages: readonly unknown[], more: object = {}) => ({
  model: 'claude-opus-5-5',
  max_tokens: 9,
  stream: true,
  system: [{ type: 'text', text: 'You are an agent.' }],
  tools,
  messages,
  ...more,
})

const say = async (
  messages: readonly unknown[],
  answer: string,
  headers: Readonly<Record<string, string>> = claude,
  more = {},
) => {
  wired.acts(streams(answer))
  const response = await wired.post('/v1/messages', body(messages, more), headers)
  await response.text()
  await wired.recorded()
  return response
}

const told = async (conversation: string, branch = 'main') => {
  const head = (await store.branches('default', conversation)).find(({ name }) => name === branch)?.head
  const path = head ? await store.path('default', conversation, head) : []
  return path.map(
    ({ body: said, text }) => `${said.kind === 'message' ? said.role : said.kind}: ${text.split('\n')[0]}`,
  )
}
const branchesOf = async (conversation: string) => (await store.branches('default', conversation)).length

/** A call of Claude's, streamed as Anthropic streams it. */
const calling = (id: string, text: string) =>
  eventsOf(
    {
      type: 'message_start',
      message: { role: 'assistant', content: [], usage: { input_tokens: 4, cache_read_input_tokens: 90 } },
    } as { type: string },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } } as {
      type: string
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } } as { type: string },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } } as { type: string },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } } as { type: string },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } } as { type: string },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id, name: 'Bash', input: {} } } as {
      type: string
    },
    {
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'input_json_delta', partial_json: '{"command":"ls"}' },
    } as { type: string },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } } as { type: string },
    { type: 'message_stop' },
  )
const called = (id: string, text: string) => ({
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'hm', signature: 'sig' },
    { type: 'text', text },
    { type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } },
  ],
})
const result = (id: string, text: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: text, cache_control: { type: 'ephemeral' } }],
})

const talk = async (headers: Readonly<Record<string, string>> = claude) => {
  await say([first], calling('t1', 'Looking.'), headers)
  await say([first, called('t1', 'Looking.'), result('t1', 'a.ts')], saying('It is in a.ts.'), headers)
}
const whole = ['user: Find the leak', 'assistant: Looking.', 'result: a.ts', 'assistant: It is in a.ts.']

describe('a session', () => {
  test('is one conversation on one branch, named by what a person said [field report A]', async () => {
    await talk()
    expect(await told('session-1')).toEqual(whole)
    expect([await branchesOf('session-1'), (await store.get('default', 'session-1'))?.title]).toEqual([
      1,
      'Find the leak',
    ])
  })

  test('goes on where it was after the service was started anew', async () => {
    await talk()
    await wired.stop()
    wired = await openWired({ store })
    const said = { role: 'assistant', content: [{ type: 'text', text: 'It is in a.ts.' }] }
    await say(
      [first, called('t1', 'Looking.'), result('t1', 'a.ts'), said, { role: 'user', content: 'Thanks' }],
      saying('Welcome.'),
    )
    expect(await told('session-1')).toEqual([...whole, 'user: Thanks', 'assistant: Welcome.'])
    expect(await branchesOf('session-1')).toBe(1)
  })

  test('that was rewound is a branch of the same conversation', async () => {
    await talk()
    await say([first, called('t1', 'Looking.'), result('t1', 'b.ts')], saying('It is in b.ts.'))
    expect(await told('session-1')).toEqual(whole)
    expect(await branchesOf('session-1')).toBe(2)
  })

  test('goes on in one line after the client compacted it [field report A]', async () => {
    await talk()
    await say([{ role: 'user', content: 'Summary: the leak is in a.ts. Go on.' }], saying('Fixing it.'))
    expect(await told('session-1')).toEqual([
      ...whole,
      'user: Summary: the leak is in a.ts. Go on.',
      'assistant: Fixing it.',
    ])
    expect(await branchesOf('session-1')).toBe(1)
  })

  test('names its subagents and keeps its side calls out of the list', async () => {
    await talk()
    await say([{ role: 'user', content: 'Look in src' }], saying('Nothing there.'), {
      ...claude,
      'x-claude-code-agent-id': 'sub',
    } as typeof claude)
    await say([{ role: 'user', content: 'A title, please' }], saying('Leak'), claude, { tools: [] })
    expect((await store.get('default', 'session-1.sub'))?.meta.parent).toBe('session-1')
    const listed = (await store.list('default', { limit: 10, archived: false })).items.map(({ id }) => id).sort()
    expect(listed).toEqual(['session-1', 'session-1.sub'])
    expect((await store.get('default', 'session-1.side'))?.meta).toMatchObject({ parent: 'session-1', side: true })
  })

  test('without a name is known by its beginning, though a reminder moves in it [field report A]', async () => {
    const plain = { 'user-agent': 'pi (linux)' }
    await say([first], saying('One.'), plain as unknown as typeof claude)
    const moved = { role: 'user', content: 'Find the leak' }
    await say(
      [
        moved,
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: [reminder, { type: 'text', text: 'More' }] },
      ],
      saying('Two.'),
      plain as unknown as typeof claude,
    )
    const [only, ...others] = (await store.list('default', { limit: 10 })).items
    expect(others).toEqual([])
    expect(await told(only?.id ?? '')).toEqual([
      'user: Find the leak',
      'assistant: One.',
      'user: More',
      'assistant: Two.',
    ])
  })
})

test('Codex is kept whatever `store` says, its items as one answer', async () => {
  const headers = { 'user-agent': 'codex_exec/0.166', 'thread-id': 'thread-1', 'session-id': 'thread-1' }
  const items = [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Looking.', annotations: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'c1',
      name: 'exec_command',
      arguments: '{"cmd":"ls"}',
      status: 'completed',
    },
  ]
  const input = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>here</environment_context>' }],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Find the leak' }] },
  ]
  const ask = async (given: readonly unknown[], output: readonly unknown[]) => {
    const response = { id: 'resp_1', status: 'completed', output, usage: { input_tokens: 9, output_tokens: 2 } }
    wired.acts(streams(eventsOf({ type: 'response.completed', response } as { type: string })))
    await (
      await wired.post(
        '/v1/responses',
        { model: 'gpt-5.5', store: false, stream: true, tools: [{ type: 'custom' }], input: given },
        headers,
      )
    ).text()
    await wired.recorded()
  }
  await ask(input, items)
  const output = { type: 'function_call_output', call_id: 'c1', output: 'a.ts' }
  await ask(
    [...input, ...items, output],
    [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }],
  )
  expect(await told('thread-1')).toEqual([
    'user: <environment_context>here</environment_context>',
    'user: Find the leak',
    'assistant: Looking.',
    'result: a.ts',
    'assistant: Done.',
  ])
  expect([await branchesOf('thread-1'), (await store.get('default', 'thread-1'))?.title]).toEqual([1, 'Find the leak'])
})

test('Gemini gives no names to its calls, and its client answers them twice when it resumes', async () => {
  const path = '/v1beta/models/gemini-2.5-pro:generateContent'
  const headers = { 'user-agent': 'GeminiCLI-tui/0.61' }
  const functions = [{ functionDeclarations: [{ name: 'run' }] }]
  const ask = async (contents: readonly unknown[], parts: readonly unknown[]) => {
    wired.acts(answers(200, { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }))
    await (await wired.post(path, { contents, tools: functions }, headers)).text()
    await wired.recorded()
  }
  const user = { role: 'user', parts: [{ text: 'Find the leak' }] }
  const call = (id: string) => ({
    role: 'model',
    parts: [{ text: 'Looking.' }, { functionCall: { id, name: 'run', args: { command: 'ls' } } }],
  })
  const response = (id: string) => ({ functionResponse: { id, name: 'run', response: { output: 'a.ts' } } })
  await ask(
    [user],
    [{ text: 'Looking.' }, { functionCall: { name: 'run', args: { command: 'ls' } }, thoughtSignature: 's' }],
  )
  await ask([user, call('run_1'), { role: 'user', parts: [response('run_1')] }], [{ text: 'Done.' }])
  await ask(
    [
      user,
      call('run_1'),
      { role: 'user', parts: [response('run_1'), response('run_1')] },
      { role: 'model', parts: [{ text: 'Done.' }] },
      { role: 'user', parts: [{ text: 'More' }] },
    ],
    [{ text: 'All.' }],
  )
  const [only, ...others] = (await store.list('default', { limit: 10 })).items
  expect([others.length, await branchesOf(only?.id ?? '')]).toEqual([0, 1])
  expect((await told(only?.id ?? '')).filter((line) => !line.startsWith('result'))).toEqual([
    'user: Find the leak',
    'assistant: Looking.',
    'assistant: Done.',
    'user: More',
    'assistant: All.',
  ])
})

test('what a tool was given is found, and who works on a task names it [field report A]', async () => {
  await talk({ ...claude, 'x-throughline-task': 'task_7' })
  const found = await store.search('default', { text: 'ls', limit: 5 })
  expect(found.items.map(({ conversation }) => conversation)).toEqual(['session-1'])
  expect((await store.get('default', 'session-1'))?.meta.task).toBe('task_7')
})

test('a request that follows at once finds its session, however slowly the one before it is kept', async () => {
  await wired.stop()
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  wired = await openWired({
    store: { ...store, putReceipt: (...given) => released.then(() => store.putReceipt(...given)) },
  })
  const nameless = { 'user-agent': 'pi (linux)' }
  const post = async (messages: readonly unknown[], answer: string) => {
    wired.acts(streams(answer))
    await (await wired.post('/v1/messages', body(messages), nameless)).text()
  }
  await post([first], calling('t1', 'Looking.'))
  await post([first, called('t1', 'Looking.'), result('t1', 'a.ts')], saying('It is in a.ts.'))
  release()
  await wired.recorded()
  const { items } = await store.list('default', { limit: 10 })
  expect(items).toHaveLength(1)
  expect(await told(items[0]?.id ?? '')).toEqual(whole)
})

test("an agent whose prompt is a task's is recorded under it, whatever headers it can send [field report A]", async () => {
  const { text } = promptOf(
    {
      task: { id: 'task_8', description: 'Find it', priority: 'P1', preset: 'handoff-user-first' },
      context: {},
      section: '',
      tokens: 9,
    },
    { agent: 'task_8.2' },
  )
  await say([{ role: 'user', content: text }], saying('Found.'))
  expect((await store.get('default', 'session-1'))?.meta.task).toBe('task_8')
})

describe('receipts', () => {
  test('name system and tools by their hash, and tell what was read from the cache [field report A]', async () => {
    await talk()
    const { items } = await store.receipts('default', 'session-1', { limit: 10 })
    const facts = items.map(
      ({ body: kept }) =>
        (kept as { readonly forwarded: { readonly system: string; readonly tools: string; readonly usage: object } })
          .forwarded,
    )
    expect(new Set(facts.map(({ system }) => system)).size).toBe(1)
    expect((await store.getBlob('default', facts[0]?.tools ?? ''))?.bytes.length).toBe(JSON.stringify(tools).length)
    expect(facts.at(-1)?.usage).toEqual({ input: 94, output: 7, cached: 90, written: 0 })
    expect(JSON.stringify(items)).not.toContain('You are an agent.')
  })

  test('are found by the header of the answer', async () => {
    const response = await say([first], saying('Hi.'))
    const id = response.headers.get('x-throughline-receipt') ?? ''
    expect((await store.getReceipt('default', id))?.conversation).toBe('session-1')
    expect((await wired.call('GET', `/api/v1/receipts/${id}`)).status).toBe(200)
  })
})

describe('a recorder', () => {
  test.each([
    ['fails each time', () => Promise.reject(new Error('disk'))],
    [
      'throws each time',
      () => {
        throw new Error('disk')
      },
    ],
    ['never ends', () => new Promise<never>(() => {})],
  ])('whose every write %s never fails the request it watches', async (_, write) => {
    const file = await sqliteStore(':memory:')
    const writes = /^(?:create|update|commit|append|setBranch|put\w+|\w+Draft|remove\w*)$/
    const broken = await openWired({
      store: new Proxy(file, {
        get: (of, name) => (writes.test(String(name)) ? write : Reflect.get(of, name)),
      }),
    })
    broken.acts(streams(saying('Hello')))
    for (const asked of [
      [first],
      [first, { role: 'assistant', content: 'Hello' }, { role: 'user', content: 'Go on' }],
    ]) {
      const response = await broken.post('/v1/messages', body(asked), claude)
      expect([response.status, await response.text()]).toEqual([200, saying('Hello')])
    }
    if (!write.toString().includes('new Promise')) {
      await broken.recorded()
      expect(broken.log.map(({ event }) => event)).toContain('record-failed')
      await broken.stop()
    }
    await file.close()
  })

  test('keeps what was said so far while an answer is made', async () => {
    wired.acts((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(saying('Half of it').split('event: content_block_stop')[0] ?? '')
    })
    const leaving = new AbortController()
    await wired.post('/v1/messages', body([first]), claude, leaving.signal)
    const drafts = () => store.drafts('default', 'session-1').catch(() => [])
    while ((await drafts()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    while ((await drafts())[0]?.text !== 'Half of it') await new Promise((resolve) => setTimeout(resolve, 5))
    leaving.abort()
    while ((await drafts()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await told('session-1')).toEqual(['user: Find the leak', 'assistant: Half of it'])
  })

  test.each([
    ['none', false, 0],
    ['stored', false, 0],
    ['stored', true, 1],
  ] as const)('that records %s keeps what asks for it: store %s', async (record, wants, count) => {
    const other = await openWired({ store, forward: { record } })
    other.acts(streams(saying('Hello')))
    await (await other.post('/v1/messages', body([first], wants ? { store: true } : {}), claude)).text()
    await other.recorded()
    expect((await store.list('default', { limit: 10 })).items.length).toBe(count)
    await other.stop()
  })
})
