/** Chat completions by the `openai` package. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { all, thrown } from './house.js'
import { look, openaiHouse } from './openai.fixture.js'

const { client, house } = await openaiHouse()

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

  test('that are stored are listed, read, labelled and forgotten', async () => {
    const ask = (topic: string, content: string) =>
      client.chat.completions.create({
        model: house.model,
        store: true,
        metadata: { topic },
        messages: [{ role: 'user', content }],
      })
    const made = [await ask('tea', 'Which tea?'), await ask('tea', 'Which cup?'), await ask('soup', 'Which soup?')]
    const found = await all(await client.chat.completions.list({ metadata: { topic: 'tea' }, limit: 1 }))
    expect(found.map(({ id }) => id)).toEqual(made.slice(0, 2).map(({ id }) => id))
    const [first] = made as [(typeof made)[number], ...typeof made]
    const read = await client.chat.completions.retrieve(first.id)
    expect(read.choices[0]?.message.content).toBe('Hello there.')
    expect(read.choices).toEqual(first.choices)
    const said = await all(await client.chat.completions.messages.list(first.id))
    expect(said).toEqual([expect.objectContaining({ role: 'user', content: 'Which tea?' })])
    const labelled = await client.chat.completions.update(first.id, { metadata: { topic: 'soup' } })
    expect(labelled).toMatchObject({ metadata: { topic: 'soup' } })
    const soups = await all(await client.chat.completions.list({ metadata: { topic: 'soup' }, order: 'desc' }))
    expect(soups.map(({ id }) => id)).toEqual([made[2]?.id, first.id])
    const gone = await client.chat.completions.delete(first.id)
    expect(gone).toEqual({ id: first.id, object: 'chat.completion.deleted', deleted: true })
    expect(await thrown(client.chat.completions.retrieve(first.id))).toBeInstanceOf(OpenAI.NotFoundError)
  })
})
