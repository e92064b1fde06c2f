/** Responses by the `openai` package. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { all, thrown } from './house.js'
import { look, openaiHouse } from './openai.fixture.js'

const { client, house } = await openaiHouse()

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
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const image_url = `data:image/png;base64,${pixel}`
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
    await client.responses.create({ model: house.model, input: compacted.output as never })
    expect(house.heard()).toContain('Ports from 7000')
    expect(house.faults()).toEqual([])
  })
})
