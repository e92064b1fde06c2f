/** Models and errors by the `openai` package. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { all, openHouse, thrown } from './house.js'
import { openaiHouse } from './openai.fixture.js'

const { client, house } = await openaiHouse()

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
