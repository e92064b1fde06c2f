import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { storeSuite } from '../../testing/store-suite.js'
import { openDatabase } from './driver.js'
import { sqliteStore } from './store.js'

const folder = mkdtempSync(join(tmpdir(), 'throughline-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

describe('the store in a file', () => {
  const cases = storeSuite({
    open: async () => {
      const file = join(folder, `${files++}.db`)
      const store = await sqliteStore(file)
      return {
        store,
        reopen: async () => {
          await store.close()
          return sqliteStore(file)
        },
        damage: async (workspace, conversation, id) => {
          const db = await openDatabase(file)
          const where = 'workspace_id = :workspace and conversation_id = :conversation and id = :id'
          db.run(`update entry set text = text || '!' where ${where}`, { workspace, conversation, id })
          db.close()
        },
      }
    },
  })
  test.each(cases)('$name', ({ run }) => run())
})
