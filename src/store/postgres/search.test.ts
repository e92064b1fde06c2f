import { describe, expect, test } from 'vitest'
import { askServer, freshSchema, rawClient } from '../../../test/postgres/database.js'
import { at, said } from './log.fixture.js'
import { postgresStore } from './store.js'

const server = await askServer()

describe.skipIf('reason' in server)('a search in PostgreSQL', () => {
  test('finds the same for a superuser, to whom no wall is one', async () => {
    const store = await postgresStore((server as { admin: string }).admin, { schema: freshSchema() })
    for (const workspace of ['v', 'w']) {
      await store.create(workspace, { id: 'c', at })
      await store.append(workspace, 'c', [said('green tea', 'a'), said('coffee', 'b')], { branch: 'main', at })
    }
    const { items } = await store.search('w', { text: 'tea', limit: 9 })
    expect(items.map(({ entry }) => entry)).toEqual(['a'])
    await store.close()
  })

  test('goes by the index of words, although the wall stands before it', async () => {
    const { url } = server as { url: string }
    const schema = freshSchema()
    const raw = await rawClient(url)
    await (await postgresStore(url, { schema })).close()
    await raw.query('begin')
    await raw.query("select set_config('throughline.workspace', 'w', true)")
    await raw.query(`insert into "${schema}".conversation (workspace_id, id, title, tags, meta, created_at, updated_at)
      values ('w', 'c', '', '{}', '{}', '', '')`)
    await raw.query(`insert into "${schema}".search_entry (workspace_id, conversation_id, seq, role, terms)
      select 'w', 'c', n, 'user', array_to_tsvector(array['*', 'w' || n]) from generate_series(1, 20000) n`)
    await raw.query('commit')
    await raw.query(`analyze "${schema}".search_entry`)
    await raw.query('begin')
    await raw.query(
      "select set_config('throughline.workspace', 'w', true), set_config('throughline.words', '''w777''', true)",
    )
    const plan = await raw.query(`explain select * from "${schema}".search_entry where workspace_id = 'w'`)
    const found = await raw.query(`select seq from "${schema}".search_entry where workspace_id = 'w'`)
    await raw.query('commit')
    expect(JSON.stringify(plan)).toContain('Bitmap Index Scan on search_entry_by_term')
    expect(found).toEqual([{ seq: '777' }])
    await raw.end()
  })
})
