/** Conversations by the `openai` package. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { all, thrown } from './house.js'
import { openaiHouse } from './openai.fixture.js'

const { client, house } = await openaiHouse()

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
