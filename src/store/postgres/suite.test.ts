import { afterAll, beforeAll, describe, test } from 'vitest'
import { askServer, freshSchema, migrate, type Raw, rawClient } from '../../../test/postgres/database.js'
import { storeSuite } from '../../testing/store-suite.js'
import type { Store } from '../contract/store.js'
import { postgresStore } from './store.js'

const server = await askServer()

describe.skipIf('reason' in server)('a PostgreSQL store', () => {
  const { url } = server as { url: string }
  const schema = freshSchema()
  const opened: Store[] = []
  let raw: Raw

  const reopen = async (): Promise<Store> => {
    const store = await postgresStore(url, { schema, migrate })
    opened.push(store)
    return store
  }
  const damage = (workspace: string, conversation: string, entry: string) =>
    raw.inWorkspace(
      workspace,
      `update "${schema}".entry set text = text || '.' where workspace_id = $1 and conversation_id = $2 and id = $3`,
      [workspace, conversation, entry],
    )

  beforeAll(async () => {
    raw = await rawClient(url)
    await reopen()
  })
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await raw.end()
  })

  // one pool for all cases: each has a workspace of its own, and opening costs more than most of them
  const open = async () => ({ store: { ...(opened[0] as Store), close: async () => {} }, reopen, damage })

  for (const { name, run } of storeSuite({ open })) test(name, run)
})
