import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient } from '../../src/client/index.js'
import { openEmbedder } from '../../src/models/embedder.js'
import { createFinder } from '../../src/recall/finder.js'
import { type Embeddings, json, startEmbeddings } from '../provider/embeddings.js'
import { type Host, type StoreName, startService } from './host.js'

type Found = { readonly conversation_id: string; readonly message_id: string; readonly why: string; score: number }

async function talkAt(host: Host, words: readonly string[], more: object = {}, key?: string) {
  const options = key === undefined ? {} : { key }
  const made = await host.call('POST', '/api/v1/conversations', { body: { title: 'A talk', ...more }, ...options })
  const path = `/api/v1/conversations/${made.body.id}`
  const ids: string[] = []
  for (const content of words) {
    const body = { message: { role: 'user', content } }
    const added = await host.call('POST', `${path}/messages`, { body, ...options })
    ids.push(added.body.messages[0].id)
  }
  return { id: made.body.id as string, path, ids }
}

const idsOf = (items: readonly Found[]): readonly string[] => items.map(({ message_id }) => message_id)

describe.each<StoreName>(['memory', 'sqlite'])('search over the %s store', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startService({ store })
  })
  afterAll(() => host.stop())
  const find = (query: Readonly<Record<string, string>>) =>
    host.call('GET', `/api/v1/search?${new URLSearchParams(query)}`)

  test('finds by words, by meaning and by both, and says by what [S1-F4]', async () => {
    const { id, ids } = await talkAt(host, [
      'The flight to Lisbon leaves at nine.',
      'My airplane ticket',
      'We sat down',
    ])
    const conversation = { conversation_id: id }
    const plain = await find({ q: 'airplane', ...conversation })
    expect(plain.body).toEqual({
      items: [
        {
          conversation_id: id,
          title: 'A talk',
          message_id: ids[1],
          seq: 2,
          role: 'user',
          at: expect.any(String),
          snippet: 'My airplane ticket',
          marks: [[3, 11]],
        },
      ],
      next_cursor: null,
    })
    expect((await find({ q: 'airplane', mode: 'keyword', ...conversation })).text).toBe(plain.text)
    const near = await find({ q: 'airplane departure', mode: 'semantic', ...conversation })
    expect(near.body.items.map(({ message_id, why }: Found) => [message_id, why])).toEqual(
      expect.arrayContaining([
        [ids[0], 'meaning'],
        [ids[1], 'meaning'],
      ]),
    )
    expect(near.body.warnings).toEqual([])
    const both = await find({ q: 'airplane', mode: 'hybrid', ...conversation })
    expect(both.body.items[0]).toMatchObject({ message_id: ids[1], why: 'both', score: expect.any(Number) })
    expect(idsOf(both.body.items)).not.toContain(ids[2])
  })

  test('finds on one branch, and in conversations with a tag', async () => {
    const talk = await talkAt(host, ['A walk with the dog', 'The puppy barks'], { tags: [`pets-${store}`] })
    await host.call('POST', `${talk.path}/fork`, { body: { at: talk.ids[0], branch: 'side' } })
    const body = { branch: 'side', message: { role: 'user', content: 'The dog howls' } }
    const side = (await host.call('POST', `${talk.path}/messages`, { body })).body.messages[0].id
    const { id, ids } = talk
    const on = async (branch: string, mode: string) =>
      idsOf((await find({ q: 'dog', mode, conversation_id: id, branch })).body.items)
    expect(new Set(await on('main', 'semantic'))).toEqual(new Set(ids))
    expect(new Set(await on('side', 'semantic'))).toEqual(new Set([ids[0], side]))
    expect(await on('side', 'keyword')).toEqual([side, ids[0]])
    expect(await on('main', 'keyword')).toEqual([ids[0]])
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const tagged = await find({ q: 'dog', mode, tag: `pets-${store}` })
      expect(new Set(tagged.body.items.map(({ conversation_id }: Found) => conversation_id))).toEqual(new Set([id]))
      expect((await find({ q: 'dog', mode, tag: 'none' })).body.items).toEqual([])
    }
    expect(await find({ q: 'dog', conversation_id: id, branch: 'nowhere' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect(await find({ q: 'dog', branch: 'main' })).toMatchObject({ status: 422 })
    expect(await find({ q: 'dog', mode: 'psychic' })).toMatchObject({ status: 400 })
  })

  test('forgets at once what was redacted or deleted', async () => {
    const { id, path, ids } = await talkAt(host, ['The violin was stolen', 'The cello was saved'])
    const query = { q: 'orchestra instrument', mode: 'semantic', conversation_id: id }
    expect(new Set(idsOf((await find(query)).body.items))).toEqual(new Set(ids))
    await host.call('DELETE', `${path}/messages/${ids[0]}`)
    expect(idsOf((await find(query)).body.items)).toEqual([ids[1]])
    await host.call('DELETE', path)
    const everywhere = await find({ q: 'orchestra instrument', mode: 'hybrid' })
    expect(idsOf(everywhere.body.items)).not.toContain(ids[1])
  })

  test('gives pages to the typed client', async () => {
    const words = Array.from({ length: 7 }, (_, n) => `Rain and snow on day ${n}`)
    const { id } = await talkAt(host, words)
    const client = openClient({ url: host.url })
    for (const mode of ['semantic', 'hybrid'] as const) {
      const seen: number[] = []
      let cursor: string | null | undefined
      do {
        const page = await client.search({
          q: 'rain',
          mode,
          conversation_id: id,
          limit: 3,
          ...(cursor ? { cursor } : null),
        })
        seen.push(...page.items.map(({ seq }) => seq))
        cursor = page.next_cursor
      } while (cursor)
      expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    }
  })
})

test('no mode finds anything of another workspace [A-01]', async () => {
  const host = await startService({ auth: { mode: 'keys' }, store: 'sqlite' })
  try {
    const [own, foreign] = [await host.key('own'), await host.key('foreign')]
    const theirs = await talkAt(host, ['The dog of the neighbour'], { tags: ['pets'] }, foreign)
    const mine = await talkAt(host, ['A cat of mine'], { tags: ['pets'] }, own)
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const all = await host.call('GET', `/api/v1/search?q=dog&mode=${mode}&tag=pets`, { key: own })
      expect(all.text).not.toContain('neighbour')
      const there = `/api/v1/search?q=dog&mode=${mode}&conversation_id=${theirs.id}`
      const missing = `/api/v1/search?q=dog&mode=${mode}&conversation_id=missing`
      const answers = [await host.call('GET', there, { key: own }), await host.call('GET', missing, { key: own })]
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [404, 'not_found'],
        [404, 'not_found'],
      ])
    }
    const cat = await host.call('GET', '/api/v1/search?q=kitten&mode=semantic', { key: own })
    expect(idsOf(cat.body.items)).toEqual(mine.ids)
  } finally {
    await host.stop()
  }
})

describe('with a provider of embeddings', () => {
  let server: Embeddings
  let host: Host
  beforeAll(async () => {
    server = await startEmbeddings()
    const embedder = openEmbedder({ url: server.url, model: 'hash', apiKey: 'key-e', retry: { attempts: 1 } })
    host = await startService({ finder: createFinder({ embedder }), store: 'sqlite' })
  })
  afterAll(async () => {
    await host.stop()
    await server.close()
  })

  test('each message is sent to it once, and a fault of it leaves the words, with a warning', async () => {
    const { ids } = await talkAt(host, ['green tea leaves', 'black coffee beans'])
    const find = () => host.call('GET', '/api/v1/search?q=green%20tea&mode=hybrid')
    const first = await find()
    expect(first.body.items[0]).toMatchObject({ message_id: ids[0], why: 'both' })
    await find()
    expect(server.requests.map(({ input }) => input)).toEqual([
      ['green tea'],
      ['green tea leaves', 'black coffee beans'],
      ['green tea'],
    ])
    server.fault = (_, response) => json(response, 500, { error: { message: 'oops' } })
    const without = await find()
    expect(without).toMatchObject({ status: 200, body: { warnings: [{ code: 'search.lexical' }] } })
    expect(idsOf(without.body.items)).toEqual([ids[0]])
    expect(JSON.stringify(without.body.warnings)).not.toContain('oops')
    server.fault = null
    expect((await find()).body.warnings).toEqual([])
  })
})
