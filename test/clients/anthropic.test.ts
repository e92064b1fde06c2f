/** Anthropic's own client against a running service. */
import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { check } from '../../src/core/rules/check.js'
import { modelAt } from '../../src/models/models.fixture.js'
import { ModelError, type ModelEvent } from '../../src/models/wire/contract.js'
import { type Host, type HostOptions, startService } from '../http/host.js'
import { failing, gated, modelsOf, saying, scripted } from '../http/live-models.js'
import { type Provider, startProvider } from '../provider/server.js'

let host: Host
let provider: Provider | undefined
const serve = async (options: HostOptions, apiKey = 'none') => {
  host = await startService({ store: 'sqlite', ...options })
  return new Anthropic({ baseURL: host.url, apiKey, maxRetries: 0 })
}
afterEach(async () => {
  await host?.stop()
  await provider?.close()
  provider = undefined
})

const ask = (...said: string[]) => ({
  model: 'default',
  max_tokens: 100,
  messages: said.map((content, i) => ({ role: i % 2 === 0 ? ('user' as const) : ('assistant' as const), content })),
})

const conversations = async () => (await host.call('GET', '/api/v1/conversations')).body.items

const textIn = ({ content }: Anthropic.Message) =>
  content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')

/** Thinks, calls a tool, and says what it was told. */
const looking = () =>
  scripted(async function* ({ items }): AsyncGenerator<ModelEvent> {
    const call = items.at(-1)?.parts.findLast((part) => part.type === 'call')
    if (call?.type === 'call' && call.outcome.state === 'ok') {
      const [said] = call.outcome.output
      yield { type: 'text', text: `It is ${said?.type === 'text' ? said.text : ''}.` }
      yield { type: 'finish', reason: 'stop', usage: { input: 12, output: 4, cached: 2 } }
      return
    }
    yield { type: 'think', text: 'I should' }
    yield { type: 'think', text: ' look.' }
    yield { type: 'thought', part: { type: 'think', text: 'I should look.', signature: 'c2ln' } }
    yield { type: 'text', text: 'Let me look.' }
    yield { type: 'call-start', id: 'toolu_1', name: 'look' }
    yield { type: 'call-delta', id: 'toolu_1', json: '{"at":' }
    yield { type: 'call-delta', id: 'toolu_1', json: '"home"}' }
    yield { type: 'call', id: 'toolu_1', name: 'look', input: { at: 'home' } }
    yield { type: 'finish', reason: 'calls', usage: { input: 10, output: 5 } }
  })

const look = {
  name: 'look',
  description: 'Looks at the thermometer.',
  input_schema: { type: 'object' as const, properties: { at: { type: 'string' } } },
}

describe('@anthropic-ai/sdk', () => {
  test('creates a message, and tells where its receipt is', async () => {
    const model = saying('Hello to you.')
    const client = await serve({ models: modelsOf(model) })
    const system = [{ type: 'text' as const, text: 'Be kind.' }]
    const { data, response } = await client.messages
      .create({ ...ask('Hello.'), model: 'scripted', system })
      .withResponse()
    expect(data).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'test/scripted',
      content: [{ type: 'text', text: 'Hello to you.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    expect((data as { readonly _request_id?: string })._request_id).toBe(response.headers.get('x-request-id'))
    expect(model.asked[0]).toMatchObject({ system: 'Be kind.', output: 100 })
    const receipt = response.headers.get('x-throughline-receipt')
    expect((await host.call('GET', `/api/v1/receipts/${receipt}`)).status).toBe(200)
  })

  test('a history that was said here goes on, one that differs is a branch, another is its own', async () => {
    let count = 0
    const client = await serve({ models: modelsOf(saying(() => `Answer ${++count}.`)) })
    const first = textIn(await client.messages.create(ask('Hello.')))
    await client.messages.create(ask('Hello.', first, 'And now?'))
    await client.messages.create(ask('Hello.', first, 'Or rather this?'))
    expect(await conversations()).toHaveLength(1)
    const [{ id }] = await conversations()
    const branches = (await host.call('GET', `/api/v1/conversations/${id}/branches`)).body.items
    expect(branches).toHaveLength(2)
    await client.messages.create(ask('Hello.'))
    await client.messages.create(ask('Hello.', 'Never said.', 'What?'))
    expect(await conversations()).toHaveLength(3)
    await client.messages.create({ ...ask('Secret.'), store: false } as never)
    expect(await conversations()).toHaveLength(3)
    const headers = { 'x-throughline-conversation': 'mine' }
    const answer = textIn(await client.messages.create(ask('Hello.'), { headers }))
    await client.messages.create(ask('Hello.', answer, 'Go on.'), { headers })
    const { body } = await host.call('GET', '/api/v1/conversations/mine/messages')
    expect(body.items).toHaveLength(4)
  })

  test('a stop sequence that the model behind met is told, with its text', async () => {
    provider = await startProvider({ answer: { text: 'One, two', stop: ' three' } })
    const upstream = await modelAt('anthropic', provider.url, { silenceMs: 20_000, answerBytes: 1_000_000 })
    const client = await serve({ models: modelsOf(upstream) })
    const body = { ...ask('Count.'), model: 'anthropic/claude-sonnet-4-5', stop_sequences: [' three', '!'] }
    const told = { stop_reason: 'stop_sequence', stop_sequence: ' three' }
    expect(await client.messages.create(body)).toMatchObject(told)
    expect(await client.messages.stream(body).finalMessage()).toMatchObject(told)
    expect(provider.requests.at(-1)?.body).toMatchObject({ stop_sequences: [' three', '!'] })
  })

  test('streams the very events, and the helper puts them together', async () => {
    const client = await serve({ models: modelsOf(looking()) })
    const body = { ...ask('How warm is it?'), tools: [look] }
    const names: string[] = []
    for await (const event of await client.messages.create({ ...body, stream: true })) names.push(event.type)
    const block = (deltas: number) => [
      'content_block_start',
      ...Array(deltas).fill('content_block_delta'),
      'content_block_stop',
    ]
    const joined = names.filter((name, i) => name !== 'content_block_delta' || names[i - 1] !== name)
    expect(joined).toEqual(['message_start', ...block(1), ...block(1), ...block(1), 'message_delta', 'message_stop'])
    const helper = client.messages.stream({ ...body, messages: [{ role: 'user', content: 'How warm is it now?' }] })
    const texts: string[] = []
    helper.on('text', (text) => texts.push(text))
    const message = await helper.finalMessage()
    expect(texts.join('')).toBe('Let me look.')
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'I should look.', signature: 'c2ln' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'home' } },
    ])
    expect(message).toMatchObject({ stop_reason: 'tool_use', usage: { output_tokens: 5 } })
  })

  test('goes through a loop of tools, in one conversation', async () => {
    const model = looking()
    const client = await serve({ models: modelsOf(model) })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'How warm is it?' }]
    const body = { model: 'default', max_tokens: 100, tools: [look], tool_choice: { type: 'any' as const } }
    const first = await client.messages.stream({ ...body, messages }).finalMessage()
    messages.push({ role: 'assistant', content: first.content })
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: '21 degrees' }
    messages.push({ role: 'user', content: [result] })
    const second = await client.messages.create({ ...body, messages })
    expect(textIn(second)).toBe('It is 21 degrees.')
    expect(second.usage).toMatchObject({ input_tokens: 10, cache_read_input_tokens: 2 })
    messages.push({ role: 'assistant', content: second.content }, { role: 'user', content: 'Thanks.' })
    await client.messages.create({ ...body, messages })
    expect(await conversations()).toHaveLength(1)
    const [{ id }] = await conversations()
    expect((await host.call('GET', `/api/v1/conversations/${id}/branches`)).body.items).toHaveLength(1)
    expect(model.asked[0]).toMatchObject({ settings: { choice: 'required' }, tools: [{ name: 'look' }] })
  })

  test('throws the right class for each refusal', async () => {
    const overloaded = failing(new ModelError('overloaded', 'too much to do'))
    const client = await serve({ models: modelsOf(saying('Hi.'), { ...overloaded, id: 'test/busy' }) })
    const refused = (change: object) =>
      client.messages.create({ ...ask('Hello.'), ...change }).then(
        () => null,
        (error: unknown) => error,
      )
    const bad = await refused({ max_tokens: 0 })
    expect(bad).toBeInstanceOf(Anthropic.BadRequestError)
    expect(bad).toMatchObject({ status: 400, error: { type: 'error', error: { type: 'invalid_request_error' } } })
    expect((bad as { readonly requestID: string }).requestID).toBeTruthy()
    expect(await refused({ model: 'none-such' })).toBeInstanceOf(Anthropic.NotFoundError)
    expect(await refused({ messages: [{ role: 'user', content: [] }] })).toBeInstanceOf(Anthropic.BadRequestError)
    const hosted = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
    // what only Anthropic can run is not offered to another model
    expect(await refused(hosted)).toBeNull()
    expect(await refused({ model: 'test/busy' })).toMatchObject({ status: 529, type: 'overloaded_error' })
    const broken = client.messages.stream({ ...ask('Hello.'), model: 'test/busy' }).finalMessage()
    await expect(broken).rejects.toThrow('overloaded_error')
  })

  test('counts tokens, of all that is sent', async () => {
    const client = await serve({ models: modelsOf(saying('Hi.')) })
    const one = await client.messages.countTokens({ model: 'default', messages: ask('Hello.').messages })
    const more = await client.messages.countTokens({
      model: 'default',
      system: 'Be very kind to everyone who comes by.',
      tools: [look],
      messages: ask('Hello.', 'Hello to you.', 'word '.repeat(1_000)).messages,
    })
    expect(one.input_tokens).toBeGreaterThan(0)
    expect(more.input_tokens).toBeGreaterThan(one.input_tokens + 1_000)
    expect(await conversations()).toHaveLength(0)
  })

  test('a caller that leaves does not stop the answer', async () => {
    const { model, say, end } = gated()
    const client = await serve({ models: modelsOf(model) })
    const headers = { 'x-throughline-conversation': 'left' }
    const stream = client.messages.stream(ask('Hello.'), { headers })
    say('Still')
    await new Promise<void>((resolve) => stream.once('text', () => resolve()))
    stream.abort()
    await expect(stream.finalMessage()).rejects.toThrow()
    say(' here.')
    end()
    for (let tries = 0; tries < 200; tries++) {
      const { body } = await host.call('GET', '/api/v1/conversations/left/messages')
      if (JSON.stringify(body).includes('Still here.')) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error('the answer never came')
  })

  test('keys are taken from x-api-key, and each opens its own workspace', async () => {
    const models = modelsOf(saying('Hi.'))
    await serve({ models, auth: { mode: 'keys' } })
    const wrong = new Anthropic({ baseURL: host.url, apiKey: 'wrong', maxRetries: 0 })
    await expect(wrong.messages.create(ask('Hello.'))).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
    const reader = new Anthropic({ baseURL: host.url, apiKey: await host.key('a', 'read'), maxRetries: 0 })
    await expect(reader.messages.create(ask('Hello.'))).rejects.toBeInstanceOf(Anthropic.PermissionDeniedError)
    const keys = [await host.key('a'), await host.key('b')]
    for (const apiKey of keys) {
      const client = new Anthropic({ baseURL: host.url, apiKey, maxRetries: 0 })
      await client.messages.create(ask('Hello.'), { headers: { 'x-throughline-conversation': 'same' } })
    }
    const bearer = new Anthropic({ baseURL: host.url, apiKey: null, authToken: keys[0] as string, maxRetries: 0 })
    expect(textIn(await bearer.messages.create(ask('Hello.')))).toBe('Hi.')
    for (const key of keys) {
      const { body } = await host.call('GET', '/api/v1/conversations/same/messages', { key })
      expect(body.items).toHaveLength(2)
    }
  })
})

describe('what goes upstream', () => {
  test('is legal for its provider, whatever the client has', async () => {
    provider = await startProvider({
      answer: ({ number }) =>
        number % 2 === 1
          ? {
              think: 'Look.',
              text: 'Let me see.',
              calls: [{ id: `toolu_${number}`, name: 'look', input: { at: 'x' } }],
            }
          : { text: 'It is warm.' },
    })
    const upstream = await modelAt('anthropic', provider.url, { silenceMs: 20_000, answerBytes: 1_000_000 })
    const client = await serve({ models: modelsOf(upstream) })
    const messages: Anthropic.MessageParam[] = []
    const body = {
      model: 'anthropic/claude-sonnet-4-5',
      max_tokens: 4_000,
      tools: [look],
      thinking: { type: 'enabled' as const, budget_tokens: 2_000 },
    }
    for (let turn = 0; turn < 3; turn++) {
      messages.push({ role: 'user', content: `Turn ${turn}: ${'words '.repeat(50)}` })
      const asked = await client.messages.stream({ ...body, messages }).finalMessage()
      messages.push({ role: 'assistant', content: asked.content })
      // the last call is never answered
      const calls = asked.content.filter((block) => block.type === 'tool_use')
      if (turn === 2 || calls.length === 0) continue
      const content = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'warm' }))
      messages.push({ role: 'user', content })
      const { content: said } = await client.messages.create({ ...body, messages })
      messages.push({ role: 'assistant', content: said })
    }
    messages.push({ role: 'user', content: 'Never mind.' })
    await client.messages.create({ ...body, messages })
    const sent = provider.requests.filter(
      ({ wire, body }) => wire === 'anthropic' && (body as { tools?: unknown }).tools,
    )
    expect(sent).toHaveLength(6)
    for (const request of sent) expect(check('anthropic', request.body)).toEqual([])
    expect(sent[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_000 } })
    expect(await conversations()).toHaveLength(1)
  })
})
