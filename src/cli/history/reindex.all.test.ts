import { beforeAll, describe, expect, test } from 'vitest'
import { startEmbeddings } from '../../../test/provider/embeddings.js'
import { sqliteStore } from '../../store/sqlite/store.js'
import { build, run } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

type Hits = readonly { readonly message_id: string; readonly why?: string; readonly score?: number }[]
const hitsOf = ({ items: hits }: Readonly<Record<string, unknown>>) => hits as Hits

describe('search', () => {
  test('finds on one branch, which needs a conversation', async () => {
    const on = async (branch: string) => hitsOf(await at.json(['search', 'tea', '--in', 'tea', '--branch', branch]))
    expect((await on('main')).map(({ message_id }) => message_id)).toEqual(['tea-1'])
    expect((await on('cheaper')).map(({ message_id }) => message_id)).toEqual(['tea-5', 'tea-1'])
    expect(await at.tl(['search', 'tea', '--in', 'tea', '--branch', 'none'])).toMatchObject({ code: 3 })
    expect(await at.tl(['search', 'tea', '--branch', 'main'])).toMatchObject({ code: 2 })
    expect(hitsOf(await at.json(['search', 'tea', '--tag', 'none']))).toEqual([])
  })

  test('with words alone, or with a provider, as the settings say', async () => {
    const env = { ...at.env, THROUGHLINE_EMBEDDINGS: 'off' }
    const off = await run(['search', 'tea', '--mode', 'semantic'], { env, cwd: at.folder })
    expect(off.stderr).toContain('by their words alone')
    const server = await startEmbeddings()
    const provider = {
      ...at.env,
      THROUGHLINE_EMBEDDINGS: 'provider',
      THROUGHLINE_EMBEDDINGS_URL: server.url,
      THROUGHLINE_EMBEDDINGS_MODEL: 'hash',
      THROUGHLINE_EMBEDDINGS_KEY: 'key-e',
    }
    const asked = await run(['search', 'green tea', '--mode', 'semantic', '--json'], { env: provider, cwd: at.folder })
    expect(hitsOf(JSON.parse(asked.stdout))[0]).toMatchObject({ message_id: 'tea-5' })
    expect(server.requests[0]).toMatchObject({ key: 'Bearer key-e', model: 'hash' })
    await server.close()
    const down = await run(['search', 'green tea', '--mode', 'hybrid'], { env: provider, cwd: at.folder })
    expect(down).toMatchObject({ code: 0 })
    expect(down.stderr).toContain('hash cannot be reached')
    const half = await run(['list'], { env: { ...at.env, THROUGHLINE_EMBEDDINGS: 'provider' }, cwd: at.folder })
    expect(half).toMatchObject({ code: 78 })
    expect(half.stderr).toContain('provider needs embeddings_url and embeddings_model')
  })
})

describe('reindex', () => {
  const workspace = 'default'

  test('goes on where it was ended, unless told to begin anew', async () => {
    const store = await sqliteStore(at.db)
    const { cursor } = await store.reindex(workspace, { limit: 5 })
    const mark = { kind: 'reindex', id: 'search', at: '2026-03-01T00:00:00Z' }
    const words = { stage: 'words', cursor, words: 5 }
    await store.putRecord(workspace, { ...mark, body: words })
    expect(await at.json(['reindex'])).toMatchObject({ words: 8, meaning: 8, resumed: true })
    await store.putRecord(workspace, { ...mark, body: { stage: 'meaning', cursor: null, words: 8 } })
    expect(await at.json(['reindex'])).toMatchObject({ words: 8, meaning: 0, resumed: true })
    await store.putRecord(workspace, { ...mark, body: words })
    expect(await at.json(['reindex', '--fresh'])).toMatchObject({ words: 8, meaning: 8, resumed: false })
    expect(await store.getRecord(workspace, 'reindex', 'search')).toBeNull()
    await store.close()
  })
})
