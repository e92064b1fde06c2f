import { describe, expect, test } from 'vitest'
import { openHistory } from '../../engine/history.js'
import { memoryStore } from '../../store/memory/store.js'
import { freshFiles } from '../../store/sqlite/file.fixture.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import type { Dialect } from './dialect.js'
import { messageList } from './list.js'

interface Said {
  readonly role: string
  readonly content: string
  readonly more?: unknown
}

const dialect: Dialect<Said> = {
  name: 'test',
  toMessage: (item) => item,
  fromEntry: ({ body }) =>
    body.kind === 'message'
      ? body.parts.flatMap((part) => (part.type === 'text' ? [{ role: body.role, content: part.text }] : []))
      : [],
}
const say = (content: string, more?: unknown): Said => ({
  role: 'user',
  content,
  ...(more === undefined ? null : { more }),
})
const file = freshFiles()
const stores = { memory: async () => memoryStore(), SQLite: () => sqliteStore(file()) }

describe.each(Object.entries(stores))('a list on a history in %s', (_, open) => {
  const begin = async (live = false) => {
    const store = await open()
    const history = await openHistory({ store, live })
    return { store, history, list: messageList(history, dialect) }
  }

  test('keeps what is shared when it is rewritten, and leads the branch back', async () => {
    const { history, list } = await begin()
    await list.add([say('one', 1), say('two', 2), say('three', 3)])
    const [first, second] = await history.path()
    await list.rewrite((items) => [...items.slice(0, 2), say('other', { deep: [null] })])
    expect(await list.read()).toEqual([say('one', 1), say('two', 2), say('other', { deep: [null] })])
    expect((await history.path()).slice(0, 2).map(({ id }) => id)).toEqual([first?.id, second?.id])
    expect(await history.feed(0)).toHaveLength(4)
    await list.rewrite(() => [])
    expect(await list.read()).toEqual([])
    expect(await history.verify()).toMatchObject({ ok: true })
  })

  test('writes nothing when a rewrite changes nothing', async () => {
    const { history, list } = await begin()
    await list.add([say('one')])
    await list.rewrite((items) => [...items])
    expect(await history.feed(0)).toHaveLength(1)
  })

  test('loses no message to a rewrite that ran at the same time', async () => {
    const { history, list } = await begin()
    await list.add([say('first')])
    const last = (items: readonly Said[]) => [...items.slice(0, -1), say('changed')]
    await Promise.all([list.rewrite(last), list.add([say('added')]), list.rewrite((items) => [...items, say('more')])])
    const said = (await history.feed(0)).map(({ text }) => text)
    expect(said).toContain('added')
    expect((await list.read()).length).toBe(3)
  })

  test('keeps a result that answers nothing, and a message that no one can read, out of the window only', async () => {
    const { history, list } = await begin()
    const odd = [
      { role: 'tool', tool_call_id: 'never', content: 'an answer' },
      { role: 'unheard', content: 'of' },
    ] as readonly Said[]
    await list.add([say('hello'), ...odd])
    expect(await list.read()).toEqual([say('hello'), ...odd])
    expect((await history.path()).map(({ body }) => body.kind)).toEqual(['message', 'note', 'note'])
    expect(await history.window()).toMatchObject({ ok: true, items: [{ text: 'hello' }] })
  })

  test('gives the newest without reading all, however many entries say nothing', async () => {
    const { history, list } = await begin()
    await list.add(Array.from({ length: 50 }, (_, i) => say(`message ${i}`)))
    for (let i = 0; i < 30; i++) await history.note('aside', i)
    expect(await list.read(2)).toEqual([say('message 48'), say('message 49')])
    expect(await list.read(0)).toEqual([])
  })

  test('forgets what was redacted, the message as it came too', async () => {
    const { store, history, list } = await begin()
    await list.add([say('my secret', { also: 'my secret' }), say('fine')])
    const [entry] = await history.path()
    await history.redact(entry?.id ?? '')
    expect(JSON.stringify(await history.feed(0))).not.toContain('my secret')
    expect((await list.read()).at(-1)).toEqual(say('fine'))
    await store.close()
  })

  test('tells those who follow a live history of every change, in the same commit', async () => {
    const { store, history, list } = await begin(true)
    await list.add([say('one')])
    await list.rewrite(() => [])
    const { events } = await store.events('default', history.id, 0, 10)
    expect(events.map(({ type }) => type)).toEqual(['entry-added', 'branch-moved'])
  })
})

test('a history reads the records of its own commits and no others', async () => {
  const store = memoryStore()
  const [one, other] = [await openHistory({ store }), await openHistory({ store })]
  const record = { kind: 'mark', id: 'm', body: { n: 1 }, at: 'now' }
  expect(await one.commit([{ do: 'put-record', record }])).toMatchObject([{ body: { n: 1 } }])
  expect(await one.record('mark', 'm')).toMatchObject({ body: { n: 1 }, revision: 1 })
  expect(await other.record('mark', 'm')).toBeNull()
  expect(await one.record('mark', 'none')).toBeNull()
})
