/** What was changed behind the store's back is noticed on PostgreSQL, too (B2). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askServer, freshSchema, migrate, type Raw, rawClient } from '../../../test/postgres/database.js'
import { exportOf } from '../../engine/export.js'
import { openHistory } from '../../engine/history.js'
import type { Store } from '../contract/store.js'
import { postgresStore } from './store.js'

const server = await askServer()
const url = 'url' in server ? server.url : ''
const schema = freshSchema()
let store: Store
let raw: Raw

beforeAll(async () => {
  if (!url) return
  store = await postgresStore(url, { schema, migrate })
  raw = await rawClient(url)
  await raw.query(`set search_path to ${schema}`)
})
afterAll(async () => {
  await store?.close()
  await raw?.query(`drop schema ${schema} cascade`)
  await raw?.end()
})

async function filled(conversation: string): Promise<void> {
  const history = await openHistory({ store, workspace: 'w', conversation })
  for (let n = 0; n < 4; n++) await history.append({ role: 'user', content: `The harbour at ${n}.` })
  const bytes = new TextEncoder().encode(conversation)
  const { sha256: id } = await store.putBlob('w', conversation, { bytes, mediaType: 'text/plain' })
  const parts = [{ type: 'file', mediaType: 'text/plain', source: { kind: 'ref', id } }]
  await history.append({ role: 'user', parts })
  await store.search('w', { text: 'harbour', limit: 1 })
  await store.redact('w', conversation, (await history.path())[3]?.id as string)
  // a redaction takes the receipts with it
  await store.putReceipt('w', { id: `r-${conversation}`, conversation, entry: null, at, body: { kept: [1, 2] } })
}

const at = '2026-01-01T00:00:00.000Z'
const own = (conversation: string) => `workspace_id = 'w' and conversation_id = '${conversation}'`
const damages: Readonly<Record<string, (conversation: string) => string>> = {
  'a tail that is gone': (c) => `delete from entry where ${own(c)} and seq = 5`,
  'an entry that is gone': (c) => `delete from entry where ${own(c)} and seq = 2`,
  'words that are others': (c) => `update entry set text = 'other' where ${own(c)} and seq = 3`,
  'a branch that is gone': (c) => `delete from branch where ${own(c)}`,
  'a branch that ends nowhere': (c) => `update branch set head_id = 'none' where ${own(c)}`,
  'a count that is wrong': (c) => `update conversation set entries = 4 where workspace_id = 'w' and id = '${c}'`,
  'a file that is not named any more': (c) => `delete from blob_ref where ${own(c)}`,
  'a message that cannot be found': (c) => `delete from search_entry where ${own(c)} and seq = 2`,
  'words that were redacted and are found': (c) =>
    `insert into search_entry (workspace_id, conversation_id, seq, role, terms)
      values ('w', '${c}', 4, 'user', array_to_tsvector(array['*', 'harbour']))`,
  'a receipt that says something else': (c) => `update receipt set body = '{"kept":[1]}' where ${own(c)}`,
  'a receipt with another time': (c) => `update receipt set at = '2025-01-01T00:00:00.000Z' where ${own(c)}`,
  'a redaction that nobody asked for': (c) =>
    `update entry set redacted = true, text = '', meta = null, body = (
        select body from entry where ${own(c)} and seq = 4
      ) where ${own(c)} and seq = 1;
      delete from search_entry where ${own(c)} and seq = 1`,
  'what is left of a redacted entry, changed': (c) => `update entry set author = 'x' where ${own(c)} and seq = 4`,
  'words that are back': (c) => `update entry set redacted = false, text = 'back' where ${own(c)} and seq = 4`,
  'a file with other bytes': (c) =>
    `update blob set bytes = 'x' where sha256 in (select sha256 from blob_ref where ${own(c)})`,
}

test.runIf(url).each(Object.entries(damages))('%s is noticed (B2)', async (name, damage) => {
  const conversation = `c-${name.replaceAll(' ', '-')}`
  await filled(conversation)
  expect(await store.verify('w', conversation)).toEqual({ ok: true, entries: 5 })
  await raw.inWorkspace('w', damage(conversation))
  expect(await store.verify('w', conversation)).toMatchObject({ ok: false })
})

test.runIf(url)(
  'the type that is kept with the bytes of a file is told to nobody: the entry says it (B2)',
  async () => {
    const conversation = 'c-type'
    await filled(conversation)
    const told = await exportOf({ store, workspace: 'w', conversation })
    expect(told.blobs).toMatchObject([{ mediaType: 'text/plain' }])
    await raw.inWorkspace('w', `update blob set media_type = 'text/html'`)
    expect(await exportOf({ store, workspace: 'w', conversation })).toEqual(told)
  },
)
