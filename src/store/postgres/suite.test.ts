import pg from 'pg'
import { afterAll, describe, test } from 'vitest'
import { askServer, freshSchema } from '../../../test/postgres/database.js'
import { storeSuite } from '../../testing/store-suite.js'
import type { Store } from '../contract.js'
import { postgresStore } from './store.js'

const server = await askServer()
const schema = freshSchema()

describe.skipIf('reason' in server)('a PostgreSQL store', () => {
  const url = 'url' in server ? server.url : ''
  const admin = new pg.Client('url' in server ? { connectionString: server.url } : {})
  admin.on('error', () => {})
  const connected = 'url' in server ? admin.connect() : Promise.resolve()
  afterAll(() => admin.end())

  const open = async () => {
    let store: Store = await postgresStore(url, { schema, poolSize: 8 })
    return {
      store,
      reopen: async () => {
        await store.close()
        store = await postgresStore(url, { schema, poolSize: 8 })
        return store
      },
      damage: async (workspace: string, conversation: string, entry: string) => {
        await connected
        await admin.query('begin')
        await admin.query("select set_config('throughline.workspace', $1, true)", [workspace])
        await admin.query(
          `update "${schema}".entry set text = text || '.' where workspace_id = $1 and conversation_id = $2 and id = $3`,
          [workspace, conversation, entry],
        )
        await admin.query('commit')
      },
    }
  }

  for (const { name, run } of storeSuite({ open })) test(name, run)
})
