import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, type Raw, rawClient } from '../../../test/postgres/database.js'
import type { SearchQuery } from '../contract/search.js'
import type { Store } from '../contract/store.js'
import { memoryStore } from '../memory/store.js'
import { at, said } from './log.fixture.js'
import { postgresStore } from './store.js'

const server = await askServer()

async function isInstallable(): Promise<boolean> {
  if ('reason' in server) return false
  const admin = await rawClient(server.admin)
  const rows = await admin.query("select 1 from pg_available_extensions where name = 'vector'")
  await admin.end()
  return rows.length > 0
}

const words = ['tea', 'oolong', 'coffee', 'bean', 'water', 'leaf']
const vectorOf = (text: string) => Float32Array.from(words, (word, i) => Math.sin(i + 1) * text.split(word).length)

async function fill(store: Store): Promise<void> {
  await store.create('w', { id: 'c', at })
  const texts = Array.from({ length: 60 }, (_, n) => `${words[n % 6]} ${words[(n * n) % 6]} ${words[(n * 5 + 1) % 6]}`)
  await store.append(
    'w',
    'c',
    texts.map((text, n) => said(text, `e${n}`)),
    { branch: 'main', at },
  )
  await embed(store)
}

async function embed(store: Store): Promise<void> {
  const found = await store.unembedded('w', 'm', 100)
  const vectors = found.map(({ text, ...one }) => ({ ...one, vector: vectorOf(text) }))
  await store.putVectors('w', 'm', vectors)
}

const queries: readonly SearchQuery[] = (['meaning', 'both'] as const).flatMap((by) =>
  [0.2, 0.9].map((least) => ({
    text: 'oolong tea',
    limit: 50,
    near: { model: 'm', vector: vectorOf('oolong tea water'), by, least },
  })),
)

const installable = await isInstallable()
if (!installable) process.stderr.write('pgvector is not tested: the server cannot install the extension vector\n')

describe.skipIf(!installable)('a database with pgvector', () => {
  const given = server as { readonly url: string; readonly admin: string }
  const [schema, database] = [freshSchema(), freshSchema()]
  let url: string
  let admin: Raw
  // of its own: others need the extension, or do not want it
  beforeAll(async () => {
    const [owned, all] = [new URL(given.url), await rawClient(given.admin)]
    await all.query(`create database ${database} owner ${owned.username} template template0`)
    await all.end()
    owned.pathname = database
    url = owned.href
    const there = new URL(given.admin)
    there.pathname = database
    admin = await rawClient(there.href)
  })
  afterAll(async () => {
    await admin.end()
    const all = await rawClient(given.admin)
    await all.query(`drop database ${database} with (force)`)
    await all.end()
  })
  const columns = () =>
    admin.query(
      `select 1 from information_schema.columns
        where table_schema = $1 and table_name = 'search_vector' and column_name = 'embedding'`,
      [schema],
    )

  test('finds the same as a process by itself, what was there before it came included', async () => {
    const memory = memoryStore()
    const before = await postgresStore(url, { schema })
    await Promise.all([fill(memory), fill(before)])
    expect(await columns()).toEqual([])
    const wanted = await Promise.all(queries.map((query) => memory.search('w', query)))
    const alone = await Promise.all(queries.map((query) => before.search('w', query)))
    expect(alone.map(({ items }) => items)).toEqual(wanted.map(({ items }) => items))
    await before.close()

    await admin.query('create extension vector')
    const [one, other] = await Promise.all([postgresStore(url, { schema }), postgresStore(url, { schema })])
    expect(await columns()).toHaveLength(1)
    for (const [i, query] of queries.entries()) {
      const { items } = await one.search('w', query)
      expect(items.map(({ why, score }) => [why, score])).toEqual(
        wanted[i]?.items.map(({ why, score }) => [why, expect.closeTo(score as number, 3)]),
      )
    }
    await other.append('w', 'c', [said('oolong tea water', 'late')], { branch: 'main', at })
    await embed(one)
    const [first] = (await other.search('w', queries[0] as SearchQuery)).items
    expect(first?.score).toBeCloseTo(1, 3)
    await Promise.all([one.close(), other.close(), memory.close()])
  })

  test('that loses it is searched by the process again', async () => {
    await admin.query('drop extension vector cascade')
    const store = await postgresStore(url, { schema })
    expect((await store.search('w', queries[0] as SearchQuery)).items.length).toBeGreaterThan(5)
    await store.close()
  })
})
