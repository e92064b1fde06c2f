/** How far an answer looks beyond its conversation, from the service: asked for, kept, told and made again. */
import { afterEach, describe, expect, test } from 'vitest'
import { openClient } from '../../src/client/index.js'
import { type Host, type StoreName, startService } from './host.js'
import { modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})

async function served(store: StoreName) {
  const model = saying('Noted, and kept in mind for later.')
  const host = await startService({ store, models: modelsOf(model) })
  hosts.push(host)
  const client = openClient({ url: host.url, retries: 0 })
  const { id: other } = await client.conversations.create({ title: 'Family news' })
  const { messages } = await client.messages.append(other, {
    message: 'My sister Ada adopted a greyhound called Bolt.',
  })
  const source = { conversation_id: other, message_id: messages[0]?.id as string }
  const memory = await client.memories.add({ kind: 'profile', text: 'Is vegan.', ...source })
  const sent = () => JSON.stringify(model.asked.at(-1))
  return { host, client, other, source, memory, sent }
}

const current = 'Which dog did my sister Ada adopt?'

describe.each<StoreName>(['memory', 'sqlite'])('over the %s store', (store) => {
  test('a conversation keeps how far it looks, and nothing is looked at before someone says so [S3-F2] [S4-F5]', async () => {
    const { client, sent } = await served(store)
    const { id, recall } = await client.conversations.create()
    expect(recall).toBeNull()
    const ask = async () => {
      const { run } = await client.runs.start(id, { message: current })
      for await (const event of client.runs.follow(id, run.id)) if (event.type === 'run-ended') break
      return client.runs.get(id, run.id)
    }
    await ask()
    expect(sent()).not.toMatch(/Bolt|vegan/)
    expect((await client.conversations.update(id, { recall: 'memories' })).recall).toBe('memories')
    await ask()
    expect(sent()).toMatch(/vegan/)
    expect(sent()).not.toMatch(/Bolt/)
    await client.conversations.update(id, { recall: 'workspace' })
    await ask()
    expect(sent()).toMatch(/\(from: Family news, [-\d]+\)/)
    expect(sent()).toMatch(/called Bolt/)
    const { recall: off } = await client.conversations.update(id, { recall: null })
    expect(off).toBeNull()
    await ask()
    expect(sent()).not.toMatch(/Bolt|vegan/)
  })

  test('POST /chat and windows take it along, with a policy that recalls nothing, too', async () => {
    const { host, sent } = await served(store)
    const said = await host.call('POST', '/chat', { body: { message: current, session_id: 's', recall: 'workspace' } })
    expect(said.status).toBe(200)
    expect(sent()).toContain('called Bolt')
    const body = { conversation_id: 's', current, recall: 'memories' }
    const made = await host.call('POST', '/api/v1/context/assemble', { body })
    expect(made.body.receipt.recall.items).toMatchObject([{ kind: 'memory', from: 'Family news' }])
    const wrong = await host.call('POST', '/chat', { body: { message: 'x', recall: 'everything' } })
    expect(wrong.status).toBe(400)
  })

  test('the window is made again to the byte, until what it quotes is corrected or deleted', async () => {
    const { client, memory, other } = await served(store)
    const { id } = await client.conversations.create({ recall: 'workspace' })
    const { run } = await client.runs.start(id, { message: current })
    for await (const event of client.runs.follow(id, run.id)) if (event.type === 'run-ended') break
    const { receipt_id } = await client.runs.get(id, run.id)
    const kept = await client.receipts.get(receipt_id as string)
    expect(kept.receipt.recall?.items).toMatchObject([
      { id: memory.id, kind: 'memory' },
      { from: 'Family news', conversation: other },
    ])
    expect(await client.receipts.replay(kept.id)).toMatchObject({ same: true, receipt: kept.receipt })
    await client.memories.correct(memory.id, { text: 'Is vegetarian.' })
    const corrected = await client.receipts.replay(kept.id)
    expect(corrected.same).toBe(false)
    expect(JSON.stringify(corrected)).not.toContain('vegan')
    await client.memories.remove(memory.id)
    await client.conversations.remove(other)
    const deleted = await client.receipts.replay(kept.id)
    expect(JSON.stringify(deleted.request)).not.toMatch(/Bolt|vegetarian/)
  })

  test('what is known goes out as it came in, one JSON document a line [S4-F5]', async () => {
    const { host, client, memory } = await served(store)
    const second = await client.memories.add({ kind: 'semantic', text: 'The shop opens\nat nine.' })
    const { text } = await host.call('GET', '/api/v1/memories/export')
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line: string) => JSON.parse(line))).toEqual([memory, second])
  })

  test('a message that loses its words takes along what was remembered of it', async () => {
    const { host, client, source, memory } = await served(store)
    const path = `/api/v1/conversations/${source.conversation_id}/messages/${source.message_id}`
    const redacted = await host.call('DELETE', path)
    expect(redacted.status).toBeLessThan(300)
    expect((await client.memories.list()).items.map(({ id }) => id)).not.toContain(memory.id)
  })
})
