/** What a message costs the file: counted, not timed, so that it is the same on every machine. */
import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHistory } from '../../src/engine/history.js'
import type { Database } from '../../src/store/sqlite/driver.js'
import { freshFiles } from '../../src/store/sqlite/file.fixture.js'
import { openFile } from '../../src/store/sqlite/open.js'
import { gonePlaces } from '../../src/store/sqlite/side.js'
import { storeOn } from '../../src/store/sqlite/store.js'
import { tombstonesAfter } from '../../src/store/sqlite/thin.js'
import { startService } from './host.js'
import { modelsOf, scripted } from './live-models.js'

const file = freshFiles()

/** Notes each statement that is run. */
function counting(db: Database): { readonly db: Database; readonly ran: string[] } {
  const ran: string[] = []
  const noted =
    <A extends [string, ...unknown[]], R>(call: (...given: A) => R) =>
    (...given: A): R => {
      ran.push(given[0].trim())
      return call(...given)
    }
  return {
    ran,
    db: { ...db, exec: noted(db.exec), run: noted(db.run), get: noted(db.get), all: noted(db.all) },
  }
}

const atOnce = scripted(async function* () {
  yield { type: 'text', text: 'Team Blue owns it, and it has done so since the spring. '.repeat(8) }
  yield { type: 'finish', reason: 'stop', usage: { input: 1_000, output: 80 } }
})

test('a chat is two commits and at most 20 statements, however long the conversation is', async () => {
  const path = file()
  const { db, ran } = counting(await openFile(path))
  const store = storeOn(db)
  const history = await openHistory({ store, workspace: 'default', conversation: 'c', title: 'A conversation' })
  await history.append(
    Array.from({ length: 60 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `${i}: ${'words of a usual length for a message of a chat '.repeat(6)}`,
    })),
  )
  const host = await startService({ store, models: modelsOf(atOnce) })
  const chat = async (): Promise<void> => {
    const body = {
      session_id: 'c',
      policy: 'session-window',
      message: 'Who owns the Cincinnati service, and since when? '.repeat(6),
    }
    expect((await host.call('POST', '/chat', { body })).status).toBe(200)
  }
  // the first one of a process reads where things stand
  await chat()
  const times = 10
  const pages = (): number => (statSync(`${path}-wal`).size - 32) / 4_120
  const before = pages()
  for (let i = 0; i < times; i++) {
    ran.length = 0
    await chat()
    // beside the chat, a watch asks whether others wrote, and two sweeps whether anything was deleted
    const swept = [gonePlaces, tombstonesAfter.trim()]
    const own = ran.filter((sql) => !sql.startsWith('pragma ') && !swept.includes(sql))
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(20)
    expect(own.filter((sql) => sql === 'commit')).toHaveLength(2)
  }
  expect((pages() - before) / times).toBeLessThanOrEqual(30)
  await host.stop()
  await store.close()
})

test('chats of sixteen conversations at once share commits, without a way back for each', async () => {
  const { db, ran } = counting(await openFile(file()))
  const store = storeOn(db)
  const host = await startService({ store, models: modelsOf(atOnce) })
  const all = Array.from({ length: 16 }, (_, i) => ({
    session_id: `c${i}`,
    message: 'Who owns the Cincinnati service?',
  }))
  const chats = () => Promise.all(all.map((body) => host.call('POST', '/chat', { body })))
  // the first ones make the conversations
  await chats()
  ran.length = 0
  expect((await chats()).map(({ status }) => status)).toEqual(all.map(() => 200))
  expect(ran.filter((sql) => sql === 'commit').length).toBeLessThan(16)
  expect(ran.filter((sql) => sql.startsWith('savepoint'))).toEqual([])
  await host.stop()
  await store.close()
})
