/** Notes that are drawn from a conversation: only when someone asks, each with the message it rests on and its writer. */
import { afterEach, describe, expect, test } from 'vitest'
import { openClient } from '../../src/client/index.js'
import { ModelError } from '../../src/models/wire/contract.js'
import { builtinModels, type Host, type StoreName, startService } from './host.js'
import { failing, modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

async function served(store: StoreName, models = builtinModels) {
  const host = await startService({ store, models })
  hosts.push(host)
  const client = openClient({ url: host.url, retries: 0 })
  const { id } = await client.conversations.create({ title: 'Trip' })
  const { messages } = await client.messages.append(id, {
    messages: [
      { role: 'user', content: 'We fly to Lisbon on the 4th of May. The hotel is called Miramar.' },
      { role: 'assistant', content: 'Booked: the hotel Miramar, from the 4th to the 9th of May.' },
    ],
  })
  const derive = async () => (await client.memories.derive(id)).items
  return { client, id, messages: messages.map((message) => message.id), derive }
}

const minutes = [
  'request: A trip to Lisbon on the 4th of May [M1]',
  'fact: The hotel is called Miramar [M1, M2]',
  'fact: The moon is made of cheese',
  'fact: The invoice is paid [M9]',
].join('\n')

describe.each<StoreName>(['memory', 'sqlite'])('notes over the %s store', (store) => {
  test('are written by the model, and only when they are asked for [S4-F5]', async () => {
    const model = saying(minutes)
    const { client, id, messages, derive } = await served(store, modelsOf(model))
    await client.messages.append(id, { message: 'Thanks!' })
    expect((await client.memories.list()).items).toEqual([])
    expect(model.asked).toEqual([])

    const items = await derive()
    const source = { conversation_id: id, message_id: messages[0] }
    // what names no message, or one that is not there, is not kept
    expect(items).toMatchObject([
      { kind: 'episodic', text: 'A trip to Lisbon on the 4th of May', source, author: 'test/scripted' },
      { kind: 'derived', text: 'The hotel is called Miramar', source, author: 'test/scripted' },
    ])
    expect((await client.memories.list()).items).toHaveLength(2)
  })

  test('are not written twice, and what someone corrected stays', async () => {
    const { client, derive } = await served(store, modelsOf(saying(minutes)))
    const [first] = await derive()
    await client.memories.correct(first?.id ?? '', { text: 'A trip to Porto' })
    expect(await derive()).toEqual([])
    expect((await client.memories.list()).items.map(({ text }) => text).sort()).toEqual([
      'A trip to Porto',
      'The hotel is called Miramar',
    ])
  })

  test('are sentences of the conversation where no model answers, and say so', async () => {
    const { derive, messages } = await served(store)
    const items = await derive()
    expect(items.length).toBeGreaterThan(0)
    for (const { author, source } of items) {
      expect(author).toBe('extractive')
      expect(messages).toContain(source?.message_id)
    }
  })

  test('leave nothing behind when the model fails', async () => {
    const { client, derive } = await served(store, modelsOf(failing(new ModelError('overloaded', 'too busy'))))
    await expect(derive()).rejects.toMatchObject({ code: expect.stringMatching(/model|unavailable/) })
    expect((await client.memories.list()).items).toEqual([])
  })
})
