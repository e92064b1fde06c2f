import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, test } from 'vitest'
import { answers, build, history, run, type Said, start } from './cli.fixture.js'

beforeAll(build, 120_000)

const user = (content: unknown) => ({ role: 'user', content })

describe('assemble --jsonl', () => {
  test('answers each line before the next one is written', async () => {
    const child = start(['assemble', '--jsonl'])
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const seen: unknown[] = []
    for (const id of ['first', 'second', 'third']) {
      child.stdin.write(`${JSON.stringify({ id, messages: history })}\n`)
      const { value } = await lines.next()
      seen.push((JSON.parse(value as string) as { id: unknown }).id)
    }
    child.stdin.end()
    expect(seen).toEqual(['first', 'second', 'third'])
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  })

  test('keeps the order of the requests, whatever each of them costs', async () => {
    const requests = Array.from({ length: 12 }, (_, id) => ({
      id,
      messages: id % 3 === 0 ? Array.from({ length: 200 }, (__, i) => user(`message ${i} `.repeat(40))) : history,
      ...(id % 2 === 0 ? { model: 'gpt-4o' } : null),
      budget: 2_000,
    }))
    const said = await answers(requests)
    expect(said.map(({ id }) => id)).toEqual(requests.map(({ id }) => id))
    expect(said.every(({ ok }) => ok)).toBe(true)
  })

  test('gives items, the rendered messages, the receipt and warnings', async () => {
    const [said] = await answers([{ id: { any: ['json', 1] }, messages: history, current: 'And 3 + 3?' }])
    expect(said?.id).toEqual({ any: ['json', 1] })
    expect(said?.items.map(({ index, role, text, fate }) => [index, role, text, fate])).toEqual([
      [0, 'user', 'Hello', 'kept'],
      [1, 'assistant', 'Hi, how can I help?', 'kept'],
      [2, 'user', 'What is 2 + 2?', 'kept'],
      [null, 'user', 'And 3 + 3?', 'current'],
    ])
    for (const item of said?.items ?? [])
      expect(Object.keys(item)).toEqual(expect.arrayContaining(['parts', 'rule', 'tokens']))
    expect(JSON.stringify(said?.rendered)).toContain('And 3 + 3?')
    expect(said?.receipt.totals.messages).toBe(3)
    expect(said?.warnings).toEqual([])
    expect(said).not.toHaveProperty('request')
  })

  test('renders a request for a provider as a list and adds the body when there is more in it', async () => {
    const keys = {
      'openai-chat': 'messages',
      'openai-responses': 'input',
      anthropic: 'messages',
      google: 'contents',
      'ai-sdk': 'messages',
      messages: 'messages',
    }
    const more = { system: 'Be brief.', tools: [{ name: 'clock' }] }
    const said = await answers(
      Object.keys(keys).flatMap((target) => [
        { messages: history, target },
        { messages: history, target, ...more },
      ]),
    )
    for (const [i, key] of Object.values(keys).entries()) {
      const [bare, full] = said.slice(2 * i)
      expect(Array.isArray(bare?.rendered)).toBe(true)
      expect(bare).not.toHaveProperty('request')
      expect(full?.request?.[key]).toEqual(full?.rendered)
      expect(JSON.stringify(full?.request)).toContain('Be brief.')
      // the AI SDK takes tools beside the prompt, in a form of its own
      if (Object.keys(keys)[i] !== 'ai-sdk') expect(JSON.stringify(full?.request)).toContain('clock')
    }
  })

  test.each(['text-tagged', 'text-numbered'])('renders %s as a string whose hash the receipt has', async (target) => {
    const [said] = await answers([{ messages: history, target }])
    expect(typeof said?.rendered).toBe('string')
    expect(createHash('sha256').update(String(said?.rendered)).digest('hex')).toBe(said?.receipt.wire.hash)
  })

  test('counts exactly for a model with a known tokenizer and by the rule of a policy that has its own', async () => {
    const names = (
      await answers([
        { messages: history, model: 'gpt-4o' },
        { messages: history, model: 'gpt-4' },
        { messages: history, model: 'claude-sonnet-4-5' },
        { messages: history, model: 'gpt-4o', policy: 'session-window' },
      ])
    ).map(({ receipt }) => receipt.counter.name)
    expect(names).toEqual(['o200k_base', 'cl100k_base', 'claude by cl100k x1.265', 'chars/4'])
  })

  test('lists risks only when they are asked for', async () => {
    const [without, asked] = await answers([{ messages: history }, { messages: history, risks: true }])
    expect(without?.receipt).not.toHaveProperty('risks')
    expect(asked?.receipt.risks).toEqual([])
  })

  test('takes the options as defaults that a request can replace', async () => {
    const said = await answers(
      [{ messages: history }, { messages: history, policy: 'agent-turns' }],
      ['--policy', 'session-window'],
    )
    expect(said.map(({ receipt }) => receipt.policy.name)).toEqual(['session-window', 'agent-turns'])
  })

  test('takes its default policy from the environment', async () => {
    const [said] = await answers([{ messages: history }], [], { env: { CONVERSATION_MAX_CONTEXT_TOKENS: '700' } })
    expect(said?.receipt.policy.name).toBe('session-window')
  })
})

describe('a bad line', () => {
  const six = ['code', 'message', 'field', 'reason', 'value', 'type']

  const bad = [
    ['{"messages": [', 'request.json', null],
    ['[1, 2]', 'request.json', null],
    ['"text"', 'request.json', null],
    ['null', 'request.json', null],
    ['42', 'request.json', null],
    ['{"mesages": []}', 'request.field', 'mesages'],
    ['{"__proto__": {"policy": "balanced"}}', 'request.field', '__proto__'],
    ['{"messages": [], "budget": "12"}', 'request.field', 'budget'],
    ['{"messages": [], "target": "telegram"}', 'request.field', 'target'],
    ['{"messages": [], "compat": "loose"}', 'request.field', 'compat'],
    ['{"messages": [], "now": "yesterday"}', 'request.field', 'now'],
    ['{"messages": [], "tools": {}}', 'request.field', 'tools'],
    ['{"messages": [], "system": 1}', 'request.field', 'system'],
    ['{"messages": [], "current": [1]}', 'request.field', 'current'],
    ['{"messages": [], "policy": 7}', 'request.field', 'policy'],
    ['{"messages": [], "overrides": []}', 'request.field', 'overrides'],
    ['{"messages": [], "risks": "yes"}', 'request.field', 'risks'],
    ['{"messages": [], "policy": "no-such"}', 'policy.unknown', 'policy'],
    ['{"messages": [], "budget": -1}', 'options.budget', 'budget'],
    ['{"messages": [], "overrides": {"fit": {"floor": "x"}}}', 'policy.shape', 'fit.floor'],
  ] as const
  let said: Said[] = []
  beforeAll(async () => {
    said = await answers(bad.flatMap(([line], i) => [line, { id: i, messages: history }]))
  })

  test.each(bad.map((one, i) => [...one, i] as const))(
    '%s gets an error of six fields and the stream goes on',
    (_, code, field, i) => {
      const [refused, next] = said.slice(2 * i)
      expect(refused?.ok).toBe(false)
      expect(Object.keys(refused?.error ?? {})).toEqual(expect.arrayContaining(six))
      expect([refused?.error.code, refused?.error.field]).toEqual([code, field])
      expect(refused?.warnings).toEqual([])
      expect([next?.id, next?.ok]).toEqual([i, true])
    },
  )

  test('keeps its id when it has one', async () => {
    const [said] = await answers([{ id: 7, messages: history, polcy: 'balanced' }])
    expect(said?.id).toBe(7)
    expect(said?.error.message).toContain("did you mean 'policy'")
  })

  test('of bytes that are no UTF-8 is told so', async () => {
    const input = Buffer.concat([
      Buffer.from('{"messages": [{"role": "user", "content": "'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from(`"}]}\n${JSON.stringify({ id: 2, messages: history })}\n`),
    ])
    const { code, stdout } = await run(['assemble', '--jsonl'], { input })
    const said = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ok: boolean; error?: { message: string } })
    expect(code).toBe(0)
    expect(said.map(({ ok }) => ok)).toEqual([false, true])
    expect(said[0]?.error?.message).toBe('line 1 is not valid UTF-8')
  })

  test('is refused in the words of the specification whose preset is asked for', async () => {
    const [two, zero] = await answers([
      { messages: 'no list', policy: 'handoff-assistant-first' },
      { messages: 'no list', policy: 'handoff-user-first' },
    ])
    expect(two?.error).toMatchObject({
      field: 'conversation_history',
      reason: 'Must be a list of message dictionaries',
      value: 'str',
    })
    expect(zero?.error).toMatchObject({
      type: 'type_error',
      message: 'conversation_history must be a list of message dicts',
    })
  })
})

describe('the bytes of a line', () => {
  test('may end in CRLF, be blank, or lack the last newline', async () => {
    const line = (id: number) => JSON.stringify({ id, messages: history })
    const { stdout } = await run(['assemble', '--jsonl'], { input: `${line(1)}\r\n\r\n  \n${line(2)}\r\n\n${line(3)}` })
    const ids = stdout
      .trim()
      .split('\n')
      .map((said) => JSON.parse(said) as { id: number; ok: boolean })
    expect(ids.map(({ id, ok }) => [id, ok])).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ])
  })

  test('may come one at a time, in the middle of a character', async () => {
    const child = start(['assemble', '--jsonl'])
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const bytes = Buffer.from(`${JSON.stringify({ messages: [user('naïve 🦜 日本')], target: 'text-tagged' })}\n`)
    for (const byte of bytes) {
      child.stdin.write(Buffer.from([byte]))
      if (byte > 0x7f) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const { value } = await lines.next()
    child.stdin.end()
    expect((JSON.parse(value as string) as { rendered: string }).rendered).toContain('naïve 🦜 日本')
  })
})
