/** The `openai` package against a running server. */
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { all, type House, openHouse, thrown } from './house.js'

let house: House
let client: OpenAI
beforeAll(async () => {
  house = await openHouse()
  client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: 'none' })
})
afterAll(() => house.stop())
beforeEach(() => house.says({ text: 'Hello there.' }))

const look = {
  type: 'function',
  name: 'look',
  description: 'looks something up',
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  strict: false,
} as const

describe('conversations', () => {
  test('are made, read, changed and deleted', async () => {
    const made = await client.conversations.create({ metadata: { topic: 'travel' } })
    expect(made).toMatchObject({ object: 'conversation', metadata: { topic: 'travel' } })
    expect(made.created_at).toBeGreaterThan(1_700_000_000)
    expect(await client.conversations.retrieve(made.id)).toEqual(made)
    const changed = await client.conversations.update(made.id, { metadata: { topic: 'food' } })
    expect(changed.metadata).toEqual({ topic: 'food' })
    expect(await client.conversations.delete(made.id)).toEqual({
      id: made.id,
      object: 'conversation.deleted',
      deleted: true,
    })
    expect(await thrown(client.conversations.retrieve(made.id))).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('list their items page by page, both ways', async () => {
    const items = Array.from({ length: 20 }, (_, i) => ({
      type: 'message' as const,
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `message ${i}`,
    }))
    const { id } = await client.conversations.create({ items })
    await client.conversations.items.create(id, { items: items.slice(0, 5) })
    const up = await all(await client.conversations.items.list(id, { order: 'asc', limit: 4 }))
    const down = await all(await client.conversations.items.list(id, { limit: 7 }))
    expect(up).toHaveLength(25)
    expect(down).toEqual(up.toReversed())
    expect(up[1]).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'message 1', annotations: [], logprobs: [] }],
      status: 'completed',
    })
    const page = await client.conversations.items.list(id, { limit: 25 })
    expect(page.has_more).toBe(false)
    expect(page.last_id).toBe(up[0]?.id)
    expect(await client.conversations.items.retrieve(up[3]?.id as string, { conversation_id: id })).toEqual(up[3])
  })

  test('give back what they do not know as it was', async () => {
    const { id } = await client.conversations.create()
    const strange = [
      { type: 'hologram', id: 'holo_1', depth: { z: [1, null, 'x'], a: true }, label: 'ünï' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'lisbon' } },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
      { type: 'reasoning', id: 'rs_9', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'zzz' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }], status: 'completed' },
      { type: 'mcp_call', id: 'mcp_1', name: 'f', server_label: 's', arguments: '{"b":1,"a":2}', output: 'fine' },
    ]
    const { data } = await client.conversations.items.create(id, { items: strange as never })
    expect(data.map((item) => JSON.stringify(item))).toEqual(
      strange.map((item) => ('id' in item ? JSON.stringify(item) : expect.stringContaining('Be brief.'))),
    )
    const listed = await all(await client.conversations.items.list(id, { order: 'asc' }))
    expect(listed).toEqual(data)
    expect(await client.conversations.items.retrieve('holo_1', { conversation_id: id })).toEqual(strange[0])
    // the rest of the conversation goes on beside it
    const response = await client.responses.create({ model: house.model, conversation: id, input: 'Hi.' })
    expect(response.output_text).toBe('Hello there.')
    expect(house.heard()).toContain('Be brief.')
    expect(house.faults()).toEqual([])
  })

  test('forget an item that is deleted', async () => {
    const { id } = await client.conversations.create({
      items: [
        { role: 'user', content: 'My secret is 4711.' },
        { role: 'user', content: 'Not that.' },
      ],
    })
    const [newest, secret] = await all(await client.conversations.items.list(id))
    const answer = await client.conversations.items.delete(secret?.id as string, { conversation_id: id })
    expect(answer).toMatchObject({ id, object: 'conversation' })
    expect(await all(await client.conversations.items.list(id))).toEqual([newest])
    await client.responses.create({ model: house.model, conversation: id, input: 'What is it?' })
    expect(house.heard()).not.toContain('4711')
  })

  test.each([
    ['too many pairs', Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v']))],
    ['a key that is too long', { ['k'.repeat(65)]: 'v' }],
    ['a value that is too long', { k: 'v'.repeat(513) }],
  ])('refuse metadata with %s', async (_, metadata) => {
    const error = await thrown(client.conversations.create({ metadata }))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ type: 'invalid_request_error', param: expect.stringMatching(/^metadata/) })
  })
})

describe('responses', () => {
  test('answer a string and can be read again', async () => {
    const response = await client.responses.create({ model: house.model, input: 'Hi.', metadata: { a: 'b' } })
    expect(response).toMatchObject({ object: 'response', status: 'completed', error: null, store: true })
    expect(response.output_text).toBe('Hello there.')
    expect(response.usage).toMatchObject({ input_tokens: 11, output_tokens: 7, total_tokens: 18 })
    expect(response.metadata).toMatchObject({ a: 'b', throughline_receipt: expect.stringMatching(/^ctx_/) })
    const { output_text: _, ...whole } = response
    const again = await client.responses.retrieve(response.id)
    expect(again).toMatchObject(whole)
    expect(await client.responses.delete(response.id)).toMatchObject({ deleted: true })
    expect(await thrown(client.responses.retrieve(response.id))).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('have every field that the Open Responses specification requires', async () => {
    const required =
      'id object created_at completed_at status incomplete_details model previous_response_id instructions output error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature reasoning user usage max_output_tokens max_tool_calls store background service_tier metadata safety_identifier prompt_cache_key'
    const whole = await client.responses.create({ model: house.model, input: 'Hi.', tools: [look] })
    const missing = (response: object) => required.split(' ').filter((name) => !Object.hasOwn(response, name))
    expect(missing(whole)).toEqual([])
    const events = await all(await client.responses.create({ model: house.model, input: 'Hi.', stream: true }))
    const shells = events.flatMap((event) => ('response' in event ? [event.response] : []))
    expect(shells.length).toBeGreaterThan(2)
    expect(shells.flatMap(missing)).toEqual([])
  })

  test('see images', async () => {
    const image_url = `data:image/png;base64,${Buffer.from('not really').toString('base64')}`
    const content = [
      { type: 'input_text' as const, text: 'What is this?' },
      { type: 'input_image' as const, detail: 'auto' as const, image_url },
    ]
    const response = await client.responses.create({ model: house.model, input: [{ role: 'user', content }] })
    expect(house.heard()).toContain(image_url)
    const [item] = await all(await client.responses.inputItems.list(response.id))
    expect(item).toMatchObject({ role: 'user', content })
    expect(house.faults()).toEqual([])
  })

  test('tell where the receipt is', async () => {
    const { data, response } = await client.responses
      .create({ model: house.model, input: 'Hi.', instructions: 'Be kind.' })
      .withResponse()
    const id = response.headers.get('x-throughline-receipt') as string
    expect(data.metadata?.throughline_receipt).toBe(id)
    expect((await house.call('GET', `/api/v1/receipts/${id}`)).status).toBe(200)
    expect(house.heard()).toContain('Be kind.')
  })

  test('go on in a conversation', async () => {
    const { id } = await client.conversations.create()
    await client.responses.create({ model: house.model, conversation: id, input: 'My name is Ada.' })
    await client.responses.create({ model: house.model, conversation: { id }, input: 'Who am I?' })
    expect(house.heard()).toContain('My name is Ada.')
    const items = await all(await client.conversations.items.list(id, { order: 'asc' }))
    expect(items.map((item) => (item.type === 'message' ? item.role : item.type))).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  test('follow one another, and branch where two follow the same', async () => {
    const first = await client.responses.create({ model: house.model, input: 'My name is Ada.' })
    const ask = (input: string, previous_response_id: string) =>
      client.responses.create({ model: house.model, input, previous_response_id, instructions: `as for ${input}` })
    const left = await ask('I like tea.', first.id)
    const right = await ask('I like coffee.', first.id)
    await ask('What do I like?', left.id)
    expect(house.heard()).toMatch(/Ada.*tea/)
    expect(house.heard()).not.toContain('coffee')
    expect(house.heard()).not.toContain('as for I like')
    await ask('What do I like?', right.id)
    expect(house.heard()).toMatch(/Ada.*coffee/)
    expect(house.heard()).not.toContain('tea')
    const both = await Promise.all(['one', 'two', 'three'].map((word) => ask(word, first.id)))
    expect(new Set(both.map(({ id }) => id)).size).toBe(3)
    expect(house.faults()).toEqual([])
  })

  test('keep nothing when they are told so', async () => {
    const { id } = await client.conversations.create({ items: [{ role: 'user', content: 'My name is Ada.' }] })
    const response = await client.responses.create({
      model: house.model,
      conversation: id,
      input: 'A passing thought.',
      store: false,
    })
    expect(response.output_text).toBe('Hello there.')
    expect(house.heard()).toMatch(/Ada.*passing/)
    expect(await all(await client.conversations.items.list(id))).toHaveLength(1)
    expect(await thrown(client.responses.retrieve(response.id))).toBeInstanceOf(OpenAI.NotFoundError)
    const found = await house.call('GET', '/api/v1/search?q=passing')
    expect(found.body.items).toEqual([])
  })

  test('hand tool calls to the client and take its outputs', async () => {
    house.says({ text: 'Let me see.', calls: [{ id: 'call_1', name: 'look', input: { q: 'größe' } }] })
    const first = await client.responses.create({
      model: house.model,
      input: 'How tall?',
      tools: [look],
      tool_choice: 'required',
    })
    expect(house.heard()).toContain('"tool_choice":"required"')
    const call = first.output.find((item) => item.type === 'function_call')
    expect(call).toMatchObject({ call_id: 'call_1', name: 'look', arguments: '{"q":"größe"}', status: 'completed' })
    house.says({ text: 'Two metres.' })
    const second = await client.responses.create({
      model: house.model,
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '2 m' }],
      tools: [look],
    })
    expect(second.output_text).toBe('Two metres.')
    expect(house.heard()).toContain('2 m')
    const inputs = await all(await client.responses.inputItems.list(second.id))
    expect(inputs).toMatchObject([{ type: 'function_call_output', call_id: 'call_1', output: '2 m' }])
    expect(house.faults()).toEqual([])
  })

  test('stream their events with numbers in order', async () => {
    house.says({ text: 'Hello there.', calls: [{ id: 'call_1', name: 'look', input: { q: 'x' } }] })
    const stream = await client.responses.create({ model: house.model, input: 'Hi.', tools: [look], stream: true })
    const events = await all(stream)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i))
    const kinds = events.map(({ type }) => type).filter((type, i, list) => type !== list[i - 1])
    expect(kinds).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    const last = events.at(-1)
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []))
    expect(last?.type === 'response.completed' && last.response.output).toEqual(done)
  })

  test('are put together by the helper', async () => {
    const seen: string[] = []
    const stream = client.responses
      .stream({ model: house.model, input: 'Hi.' })
      .on('response.output_text.delta', ({ delta }) => seen.push(delta))
    const response = await stream.finalResponse()
    expect(seen.join('')).toBe('Hello there.')
    expect(response.output_text).toBe('Hello there.')
    expect(response.status).toBe('completed')
  })

  test('are taken up again where the reader left them', async () => {
    const stream = await client.responses.create({ model: house.model, input: 'Hi.', stream: true, background: true })
    const events = await all(stream)
    const first = events[0]
    const id = first?.type === 'response.created' ? first.response.id : ''
    const again = await client.responses.retrieve(id, { stream: true })
    expect(await all(again)).toEqual(events)
    const rest = await client.responses.retrieve(id, { stream: true, starting_after: 4 })
    expect(await all(rest)).toEqual(events.slice(5))
  })

  test('go on in the background until they are done or cancelled', async () => {
    const begun = await client.responses.create({ model: house.model, input: 'Hi.', background: true })
    expect(['queued', 'in_progress', 'completed']).toContain(begun.status)
    await all(await client.responses.retrieve(begun.id, { stream: true }))
    expect(await client.responses.retrieve(begun.id)).toMatchObject({ status: 'completed' })

    house.provider.set({ fault: 'silence at once' })
    const slow = await client.responses.create({ model: house.model, input: 'Slowly.', background: true })
    const early = await thrown(
      client.responses.create({ model: house.model, input: 'And?', previous_response_id: slow.id }, { maxRetries: 0 }),
    )
    expect(early).toBeInstanceOf(OpenAI.ConflictError)
    const cancelled = await client.responses.cancel(slow.id)
    expect(cancelled.status).toBe('cancelled')
    expect(await client.responses.retrieve(slow.id)).toMatchObject({ status: 'cancelled' })
  })

  test('say when they are cut short', async () => {
    house.says({ text: 'And so', finish: 'length' })
    const cut = await client.responses.create({ model: house.model, input: 'Hi.', max_output_tokens: 16 })
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    house.says({ text: 'I', finish: 'filter' })
    const filtered = await client.responses.create({ model: house.model, input: 'Hi.' })
    expect(filtered).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } })
  })

  test('count their tokens without asking anyone', async () => {
    const before = house.provider.requests.length
    const { id } = await client.conversations.create({ items: [{ role: 'user', content: 'word '.repeat(400) }] })
    const small = await client.responses.inputTokens.count({ model: house.model, input: 'Hi.' })
    const large = await client.responses.inputTokens.count({ model: house.model, conversation: id, input: 'Hi.' })
    expect(small).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) })
    expect(large.input_tokens - small.input_tokens).toBeGreaterThan(300)
    expect(house.provider.requests).toHaveLength(before)
  })

  test('are windowed as truncation and context_management say', async () => {
    const long = Array.from({ length: 40 }, (_, i) => [
      { role: 'user' as const, content: `question ${i} ${'word '.repeat(200)}` },
      { role: 'assistant' as const, content: `answer ${i}` },
    ]).flat()
    const input = [...long, { role: 'user' as const, content: 'And now?' }]
    const ask = { model: house.model, input }
    const budgeted = { context_management: [{ type: 'compaction' as const, compact_threshold: 6_000 }] }
    const whole = await client.responses.inputTokens.count(ask as never)
    await client.responses.create({ ...ask, ...budgeted })
    expect(house.heard()).toContain('And now?')
    expect(house.heard().includes('earlier messages are not shown here')).toBe(true)
    expect(whole.input_tokens).toBeGreaterThan(8_000)
    const error = await thrown(client.responses.create({ ...ask, ...budgeted, truncation: 'disabled' }))
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ code: 'context_length_exceeded' })
    const compacted = await client.responses.compact({ ...ask, ...budgeted } as never)
    expect(compacted.object).toBe('response.compaction')
    expect(compacted.output.length).toBeLessThan(input.length)
    await client.responses.create({ model: house.model, input: compacted.output as never })
    expect(house.heard()).toContain('And now?')
    expect(house.faults()).toEqual([])
  })

  test('are compacted to half of what there is by a summary of the model', async () => {
    const said = Array.from({ length: 30 }, (_, i) => [
      { role: 'user' as const, content: `Port ${7_000 + i} is for service ${i}. ${'It is quiet there. '.repeat(20)}` },
      { role: 'assistant' as const, content: `Noted: ${7_000 + i}.` },
    ]).flat()
    const { id } = await client.conversations.create({})
    for (let at = 0; at < said.length; at += 20)
      await client.conversations.items.create(id, { items: said.slice(at, at + 20) })
    const { id: response } = await client.responses.create({ model: house.model, conversation: id, input: 'Thanks.' })
    const asked = { model: house.model, previous_response_id: response }
    const whole = await client.responses.inputTokens.count({ ...asked, input: 'And?' } as never)
    house.says({ text: 'fact: Ports from 7000 on are taken one by one [M1, M3]' })
    const compacted = await client.responses.compact(asked as never)
    const { usage } = compacted
    expect(usage.output_tokens).toBeLessThan(0.75 * whole.input_tokens)
    expect(JSON.stringify(compacted.output)).toContain('Ports from 7000')
    expect(house.faults()).toEqual([])
  })
})

describe('chat completions', () => {
  const user = (content: string) => ({ role: 'user' as const, content })

  test('answer, with usage', async () => {
    const completion = await client.chat.completions.create({
      model: house.model,
      messages: [{ role: 'system', content: 'Be kind.' }, user('Hi.')],
      stop: ['END'],
      max_completion_tokens: 50,
    })
    expect(completion.choices[0]).toMatchObject({
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello there.' },
    })
    expect(completion.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 })
    expect(house.heard()).toContain('Be kind.')
    expect(house.heard()).toContain('"stop":["END"]')
  })

  test('keep nothing unless they are asked to', async () => {
    const before = (await house.call('GET', '/api/v1/conversations')).body.items.length
    const { response } = await client.chat.completions
      .create({ model: house.model, messages: [user('Nobody knows.')] })
      .withResponse()
    expect(response.headers.get('x-throughline-conversation')).toBeNull()
    expect((await house.call('GET', '/api/v1/conversations')).body.items).toHaveLength(before)
  })

  test('stream, with usage at the end', async () => {
    const stream = await client.chat.completions.create({
      model: house.model,
      messages: [user('Hi.')],
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await all(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello there.')
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop'])
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 18 } })
    const helper = client.chat.completions.stream({ model: house.model, messages: [user('Hi.')] })
    expect((await helper.finalChatCompletion()).choices[0]?.message.content).toBe('Hello there.')
  })

  test('run the client’s tools', async () => {
    house.says(({ body }) =>
      JSON.stringify(body).includes('"tool_call_id"')
        ? { text: 'Two metres.' }
        : { calls: [{ id: 'call_1', name: 'look', input: { q: 'height' } }] },
    )
    const asked: unknown[] = []
    const runner = client.chat.completions.runTools({
      model: house.model,
      messages: [user('How tall?')],
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: look.description,
            parameters: look.parameters as never,
            parse: (text: string) => JSON.parse(text) as object,
            function: (input: object) => {
              asked.push(input)
              return '2 m'
            },
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('Two metres.')
    expect(asked).toEqual([{ q: 'height' }])
    const first = (await runner.allChatCompletions())[0]
    expect(first?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(house.faults()).toEqual([])
  })

  test('go on in the conversation that a header names', async () => {
    const headers = { 'x-throughline-conversation': 'my-chat' }
    const messages: OpenAI.ChatCompletionMessageParam[] = [user('My name is Ada.')]
    const ask = async () => {
      const { data, response } = await client.chat.completions
        .create({ model: house.model, messages }, { headers })
        .withResponse()
      messages.push(data.choices[0]?.message as never)
      return response.headers
    }
    await ask()
    messages.push(user('Who am I?'))
    const told = await ask()
    expect(told.get('x-throughline-conversation')).toBe('my-chat')
    expect(told.get('x-throughline-receipt')).toMatch(/^ctx_/)
    const items = await all(await client.conversations.items.list('my-chat', { order: 'asc' }))
    expect(items).toHaveLength(4)
    const branches = (await house.call('GET', '/api/v1/conversations/my-chat/branches')).body.items
    expect(branches).toHaveLength(1)
  })

  test('find their conversation by how it begins, and branch where it differs', async () => {
    const opening = user(`Tell me of ${crypto.randomUUID()}.`)
    const ask = async (...messages: OpenAI.ChatCompletionMessageParam[]) => {
      const { data, response } = await client.chat.completions
        .create({ model: house.model, messages, store: true })
        .withResponse()
      return {
        conversation: response.headers.get('x-throughline-conversation') as string,
        message: data.choices[0]?.message as OpenAI.ChatCompletionMessageParam,
      }
    }
    const first = await ask(opening)
    const second = await ask(opening, first.message, user('More.'))
    expect(second.conversation).toBe(first.conversation)
    await ask(opening, first.message, user('Less.'))
    await ask(opening)
    const path = `/api/v1/conversations/${first.conversation}`
    const { items } = (await house.call('GET', `${path}/branches`)).body
    expect(items).toHaveLength(3)
    expect((await house.call('GET', path)).body.entries).toBe(7)
    const other = await ask(user('Something else.'))
    expect(other.conversation).not.toBe(first.conversation)
  })
})

describe('models', () => {
  test('are listed, found, and not found', async () => {
    const listed = await all(await client.models.list())
    expect(listed.map(({ id }) => id)).toContain(house.model)
    expect(await client.models.retrieve(house.model)).toMatchObject({ id: house.model, object: 'model' })
    expect(await client.models.retrieve('gpt-5-mini')).toMatchObject({ id: house.model })
    expect(await thrown(client.models.retrieve('nobody'))).toBeInstanceOf(OpenAI.NotFoundError)
    const answer = await client.responses.create({ model: 'builtin/extractive', input: 'The hotel is Miramar.' })
    expect(answer.model).toBe('builtin/extractive')
  })
})

describe('errors are of the right class', () => {
  const quick = { maxRetries: 0 }
  const hi = { input: 'Hi.' }

  test('400', async () => {
    const { id } = await client.conversations.create()
    const previous = await client.responses.create({ model: house.model, ...hi })
    const cases = [
      { ...hi, conversation: id, previous_response_id: previous.id },
      { input: [{ type: 'function_call_output', call_id: 'nobody', output: 'x' }] },
      { input: 5 },
      { ...hi, tools: [{ type: 'web_search' }] },
      { ...hi, temperature: 7 },
      {},
    ]
    for (const body of cases) {
      const error = await thrown(client.responses.create({ model: house.model, ...body } as never, quick))
      expect(error, JSON.stringify(body)).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error).toMatchObject({ type: 'invalid_request_error', requestID: expect.any(String) })
    }
  })

  test('401, 403 and another workspace', async () => {
    const locked = await openHouse('openai-chat', { auth: { mode: 'keys' } })
    try {
      const open = async (workspace: string, scope: 'read' | 'write') =>
        new OpenAI({ baseURL: `${locked.url}/v1`, apiKey: await locked.key(workspace, scope) })
      const stranger = new OpenAI({ baseURL: `${locked.url}/v1`, apiKey: 'wrong' })
      expect(await thrown(stranger.models.list())).toBeInstanceOf(OpenAI.AuthenticationError)
      const reader = await open('a', 'read')
      expect(await thrown(reader.responses.create(hi))).toBeInstanceOf(OpenAI.PermissionDeniedError)
      const mine = await (await open('a', 'write')).responses.create(hi)
      const other = await open('b', 'write')
      expect(await thrown(other.responses.retrieve(mine.id))).toBeInstanceOf(OpenAI.NotFoundError)
      expect(await thrown(other.responses.create({ ...hi, previous_response_id: mine.id }))).toBeInstanceOf(
        OpenAI.NotFoundError,
      )
    } finally {
      await locked.stop()
    }
  })

  test('404', async () => {
    const missing: (() => Promise<unknown>)[] = [
      () => client.conversations.retrieve('conv_x', quick),
      async () => client.conversations.items.list('conv_x', {}, quick),
      () => client.responses.retrieve('resp_x', {}, quick),
      () => client.responses.create({ ...hi, conversation: 'conv_x' }, quick),
      () => client.responses.create({ ...hi, previous_response_id: 'resp_x' }, quick),
      () => client.responses.create({ ...hi, model: 'gpt-99' }, quick),
    ]
    for (const work of missing) expect(await thrown(work())).toBeInstanceOf(OpenAI.NotFoundError)
  })

  test('429 and 5xx of the provider, without saying it twice', async () => {
    const { id } = await client.conversations.create()
    house.provider.set({ fault: '429 bare' })
    const error = await thrown(client.responses.create({ model: house.model, conversation: id, ...hi }))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    const listed = await all(await client.conversations.items.list(id))
    expect(listed).toHaveLength(1)
  })

  test('429 of our own', async () => {
    const strict = await openHouse('openai-chat', { rate: { perSecond: 0.001, burst: 1 } })
    try {
      const one = new OpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'x', maxRetries: 0 })
      await one.models.list()
      expect(await thrown(one.models.list())).toBeInstanceOf(OpenAI.RateLimitError)
    } finally {
      await strict.stop()
    }
  })

  test('in the middle of a stream', async () => {
    house.provider.set({ fault: 'error in the middle' })
    const stream = await client.chat.completions.create({
      model: house.model,
      messages: [{ role: 'user', content: 'Hi.' }],
      stream: true,
    })
    expect(await thrown(all(stream))).toBeInstanceOf(OpenAI.APIError)
    const events = await all(await client.responses.create({ model: house.model, ...hi, stream: true }))
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
    expect(JSON.stringify(events)).not.toContain('secret-words')
  })
})
