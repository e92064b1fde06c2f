import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../store/sqlite/driver.js'
import { type Desk, lines, transferDesk } from '../import.fixture.js'

const at = 1_767_500_000_000

/** As opencode lays it out; what a row holds beside its keys is JSON. */
async function opencodeFile(
  desk: Desk,
  sessions: readonly { id: string; revert?: string; said: readonly object[][] }[],
) {
  const path = `${desk.folder}/opencode.db`
  const db = await openDatabase(path)
  db.exec(`
    create table if not exists session (id text primary key, project_id text, parent_id text, slug text, directory text, title text,
      version text, revert text, time_created integer, time_updated integer, time_archived integer);
    create table if not exists message (id text primary key, session_id text, time_created integer, data text);
    create table if not exists part (id text primary key, message_id text, session_id text, data text);`)
  for (const { id, revert = null, said } of sessions) {
    const facts = { id, revert, at }
    db.run(
      `insert into session values (:id, 'p', null, 's', '/w/app', 'Fix build', '1', :revert, :at, :at, null)`,
      facts,
    )
    for (const [i, parts] of said.entries()) {
      const message = `${id}-m${i}`
      const role = i % 2 === 0 ? 'user' : 'assistant'
      const data = JSON.stringify({ role, time: { created: at + i }, ...(role === 'assistant' && { modelID: 'm-1' }) })
      db.run(`insert into message values (:message, :id, :at, :data)`, { message, id, at: at + i, data })
      // the ids run backwards, as they did when theirs wrapped
      for (const [j, part] of parts.entries()) {
        const values = { part: `${message}-p${9 - j}`, message, id, data: JSON.stringify(part) }
        db.run(`insert into part values (:part, :message, :id, :data)`, values)
      }
    }
  }
  db.close()
  return path
}

const text = (words: string) => ({ type: 'text', text: words })
const run = (output: string) => ({
  ...{ type: 'tool', callID: 'c', tool: 'bash' },
  state: { status: 'completed', input: { command: 'make' }, output },
})

describe("opencode's database", () => {
  test('is read session by session: words, tools, models, and again without a change', async () => {
    const desk = await transferDesk()
    const said = [[text('Fix it')], [text('First.'), run('ok'), text('Then.')]]
    const path = await opencodeFile(desk, [
      { id: 'ses_1', said },
      { id: 'ses_2', said },
    ])
    const report = await desk.take(path)
    expect(report).toMatchObject({ formats: { opencode: 2 }, conversations: { added: 2 }, skipped: [], warnings: [] })
    const entries = await desk.entries('opencode-ses_1')
    expect(entries.map(({ text: words }) => words)).toEqual(['Fix it', 'First.\n[Used tool: bash]\nThen.\nmake', 'ok'])
    expect(entries[1]).toMatchObject({ model: 'm-1' })
    expect((await desk.conversations())[0]).toMatchObject({ title: 'Fix build', folder: 'app' })
    expect((await desk.take(path)).messages).toMatchObject({ added: 0 })
  })

  test('that has grown adds its tail, and what was reverted is not what was shown last', async () => {
    const desk = await transferDesk()
    await desk.take(await opencodeFile(desk, [{ id: 'ses_1', said: [[text('One')], [text('Two')]] }]))
    const path = `${desk.folder}/opencode.db`
    const db = await openDatabase(path)
    const more = { id: 'ses_1-m2', at: at + 2, data: JSON.stringify({ role: 'user', time: { created: at + 2 } }) }
    db.run(`insert into message values (:id, 'ses_1', :at, :data)`, more)
    db.run(`insert into part values ('q', 'ses_1-m2', 'ses_1', :data)`, { data: JSON.stringify(text('Three')) })
    db.run(`update session set revert = '{"messageID":"ses_1-m2"}'`)
    db.close()
    expect((await desk.take(path)).messages).toEqual({ found: 3, added: 1 })
    const [, second] = await desk.entries('opencode-ses_1')
    const main = (await desk.store.branches('default', 'opencode-ses_1')).find(({ name }) => name === 'main')
    expect(main?.head).toBe(second?.id)
  })

  test('with a session that is broken gives the others, and another database is told apart', async () => {
    const desk = await transferDesk()
    const path = await opencodeFile(desk, [
      { id: 'ses_1', said: [[text('One')]] },
      { id: 'ses_2', said: [[text('Two')]] },
    ])
    const db = await openDatabase(path)
    db.run(`update message set data = '{"role":' where session_id = 'ses_1'`)
    db.close()
    const report = await desk.take(path)
    expect(report.conversations).toMatchObject({ added: 1 })
    expect(report.skipped).toMatchObject([{ reason: expect.stringContaining('a session that cannot be read') }])
    const other = await openDatabase(`${desk.folder}/other.db`)
    other.exec('create table things (id text)')
    other.close()
    const none = await desk.take(`${desk.folder}/other.db`)
    expect(none.skipped).toMatchObject([{ reason: 'a database of no known product' }])
  })
})

const compress = (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync
const stamp = '2026-01-04T09:00:00.000Z'
const session = lines(
  { timestamp: stamp, type: 'session_meta', payload: { id: 'x', cwd: '/w/app' } },
  {
    ...{ timestamp: stamp, type: 'response_item' },
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  },
)

describe('a session of Codex that is compressed', () => {
  test.skipIf(!compress)('is read like any other, and one that is cut says so', async () => {
    const desk = await transferDesk()
    const bytes = compress?.(session) ?? Buffer.alloc(0)
    const report = await desk.take(await desk.file('in/rollout.jsonl.zst', bytes))
    expect(report).toMatchObject({ formats: { codex: 1 }, messages: { added: 1 }, skipped: [] })
    const cut = await desk.take(await desk.file('cut/rollout.jsonl.zst', bytes.subarray(0, bytes.length - 9)))
    expect(cut.conversations.added).toBe(0)
    expect(cut.skipped.length).toBeGreaterThan(0)
  })

  test.skipIf(compress)('is named, with what can be done, where Node cannot read it', async () => {
    const desk = await transferDesk()
    const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0])
    const report = await desk.take(await desk.file('rollout.jsonl.zst', bytes))
    expect(report.skipped).toMatchObject([{ reason: expect.stringContaining('22.15') }])
  })
})
