import { appendFile, readFile, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openHistory } from '../engine/history.js'
import { openDatabase } from '../store/sqlite/driver.js'
import { sqliteStore } from '../store/sqlite/store.js'
import { chatgptConversation, codeRecord, lines, transferDesk, zipOf } from './import.fixture.js'

const tea = [
  { id: 'u', parent: 'root', text: 'Which tea?' },
  { id: 'a', parent: 'u', role: 'assistant', text: 'Oolong.' },
]
const ours = (id: string) => `chatgpt-${id}`

describe('importing', () => {
  test('again adds nothing and changes nothing', async () => {
    const desk = await transferDesk()
    const path = await desk.file('conversations.json', [chatgptConversation('c', tea), chatgptConversation('d', tea)])
    expect((await desk.take(path)).conversations).toMatchObject({ found: 2, added: 2 })
    const before = await desk.all()
    const again = await desk.take(path)
    expect(again.conversations).toMatchObject({ found: 2, added: 0, extended: 0, unchanged: 2 })
    expect(again.messages).toEqual({ found: 4, added: 0 })
    expect(await desk.all()).toEqual(before)
  })

  test('again changes no byte of any table', async () => {
    const desk = await transferDesk()
    const file = `${desk.folder}/a.db`
    const path = await desk.file('conversations.json', [chatgptConversation('c', tea)])
    const takeInto = async () => {
      const { store, take } = await transferDesk(await sqliteStore(file))
      const { messages } = await take(path)
      await store.close()
      return { added: messages.added, tables: await tablesOf(file) }
    }
    const once = await takeInto()
    const twice = await takeInto()
    expect([once.added, twice.added]).toEqual([2, 0])
    expect(twice.tables).toEqual(once.tables)
  })

  test('a source that has grown adds its tail to the same branch', async () => {
    const desk = await transferDesk()
    const path = await desk.file('c.json', [chatgptConversation('c', tea)])
    await desk.take(path)
    const before = await desk.entries(ours('c'))
    const more = [
      ...tea,
      { id: 'u2', parent: 'a', text: 'Why?' },
      { id: 'a2', parent: 'u2', role: 'assistant', text: 'So.' },
    ]
    const report = await desk.take(await desk.file('c.json', [chatgptConversation('c', more)]))
    expect(report).toMatchObject({ conversations: { extended: 1 }, messages: { found: 4, added: 2 }, branches: 1 })
    const after = await desk.entries(ours('c'))
    expect(after.slice(0, 2)).toEqual(before)
    expect(await desk.store.branches('default', ours('c'))).toMatchObject([{ name: 'main', head: after[3]?.id }])
  })

  test('a source that was edited becomes a branch, and what was there stays', async () => {
    const desk = await transferDesk()
    await desk.take(await desk.file('c.json', [chatgptConversation('c', tea)]))
    const edited = tea.map((one) => (one.id === 'a' ? { ...one, text: 'Green.' } : one))
    const report = await desk.take(await desk.file('c.json', [chatgptConversation('c', edited)]))
    expect(report).toMatchObject({ conversations: { extended: 1 }, messages: { added: 1 } })
    const entries = await desk.entries(ours('c'))
    expect(entries.map(({ text }) => text)).toEqual(['Which tea?', 'Oolong.', 'Green.'])
    const branches = await desk.store.branches('default', ours('c'))
    expect(branches.find(({ name }) => name === 'main')?.head).toBe(entries[2]?.id)
    expect(branches.find(({ name }) => name !== 'main')?.head).toBe(entries[1]?.id)
  })

  test('what was said here since stays on main; the source goes on beside it', async () => {
    const desk = await transferDesk()
    await desk.take(await desk.file('c.json', [chatgptConversation('c', tea)]))
    const mine = {
      id: 'mine',
      body: { kind: 'message', role: 'user', parts: [], status: 'complete' },
      text: 'Mine',
      tokens: 1,
      at: '',
    } as const
    await desk.store.append('default', ours('c'), [mine], { branch: 'main', at: '' })
    const more = [...tea, { id: 'u2', parent: 'a', text: 'Why?' }]
    await desk.take(await desk.file('c.json', [chatgptConversation('c', more)]))
    const branches = await desk.store.branches('default', ours('c'))
    expect(branches.find(({ name }) => name === 'main')?.head).toBe('mine')
    expect(branches.map(({ name }) => name)).toContain('imported')
  })

  test('a dry run says what would be done and writes nothing', async () => {
    const desk = await transferDesk()
    const path = await desk.file('c.json', [chatgptConversation('c', tea)])
    const events = await desk.events(path, { dryRun: true })
    expect(events[0]).toMatchObject({ type: 'conversation', status: 'added', title: 'Title of c', messages: 2 })
    expect(events[1]).toMatchObject({ dry_run: true, messages: { found: 2, added: 2 } })
    expect(await desk.conversations()).toEqual([])
  })

  test('every entry says where it comes from, and keeps what we do not know', async () => {
    const desk = await transferDesk()
    const strange = [{ id: 'u', parent: 'root', text: 'Hello', message: { from_the_future: { deep: [1] } } }]
    await desk.take(await desk.file('c.json', [chatgptConversation('c', strange, { also_new: true })]))
    const [entry] = await desk.entries(ours('c'))
    expect(entry?.meta).toMatchObject({
      source: { format: 'chatgpt', id: 'u', rest: { from_the_future: { deep: [1] } } },
    })
    expect((await desk.conversations())[0]?.meta).toMatchObject({ source: { id: 'c', rest: { also_new: true } } })
  })

  test('what was deleted here stays deleted, and the report says so', async () => {
    const desk = await transferDesk()
    const path = await desk.file('c.json', [chatgptConversation('c', tea)])
    await desk.take(path)
    await desk.store.remove('default', ours('c'))
    const report = await desk.take(path)
    expect(report.conversations).toMatchObject({ failed: 1, added: 0 })
    expect(report.skipped[0]?.reason).toContain('deleted')
  })

  test('a path that does not exist is refused with its name', async () => {
    const desk = await transferDesk()
    await expect(desk.take(`${desk.folder}/none`)).rejects.toThrow('there is no file or folder')
  })
})

describe('a file that is not whole', () => {
  test('cut anywhere, it gives only whole conversations and says what is missing', async () => {
    const whole = JSON.stringify([chatgptConversation('c', tea), chatgptConversation('d', tea)])
    const ends = [...Array(whole.length - 1).keys()].filter((at) => at % 37 === 0).map((at) => at + 1)
    for (const end of ends) {
      const desk = await transferDesk()
      const report = await desk.take(await desk.file('c.json', whole.slice(0, end)))
      for (const { id, entries } of await desk.conversations()) expect([id, entries]).toEqual([id, 2])
      expect(report.skipped.length, `cut at ${end}`).toBeGreaterThan(0)
    }
  })

  test('a broken line of many is left out, and the others are read', async () => {
    const desk = await transferDesk()
    const good = JSON.stringify(chatgptConversation('c', tea))
    const report = await desk.take(
      await desk.file('c.jsonl', `${good}\n{"broken": tru}\n${good.replaceAll('"c"', '"d"')}\n`),
    )
    expect(report.conversations).toMatchObject({ added: 2 })
    expect(report.skipped).toMatchObject([{ reason: 'not JSON', count: 1, examples: ['c.jsonl: line 2'] }])
  })

  test('a picture, an empty file and a broken zip are told apart', async () => {
    const desk = await transferDesk()
    await desk.file('in/a.png', new Uint8Array([137, 80, 78, 71, 0, 1, 2]))
    await desk.file('in/b.json', '')
    await desk.file('in/c.zip', Buffer.from('PK\x03\x04 and nothing else', 'latin1'))
    await desk.file('in/d.json', { just: 'data' })
    const report = await desk.take(`${desk.folder}/in`)
    expect(report.conversations.found).toBe(0)
    expect(report.skipped.map(({ reason }) => reason.slice(0, 22)).sort()).toEqual([
      'a file of no known for',
      'an empty file',
      'neither JSON nor text',
      'the zip cannot be read',
    ])
  })
})

describe('a zip', () => {
  test('is read member by member, sharded files and pictures included', async () => {
    const desk = await transferDesk()
    const picture = Buffer.concat([Buffer.from('\x89PNG\r\n', 'latin1'), Buffer.alloc(50_000, 7)])
    const shown = {
      content: {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-abc' }, 'What is this?'],
      },
    }
    const path = await desk.file(
      'export.zip',
      zipOf({
        'conversations-000.json': JSON.stringify([
          chatgptConversation('c', [{ id: 'u', parent: 'root', message: shown }]),
        ]),
        'conversations-001.json': JSON.stringify([chatgptConversation('d', tea)]),
        'user.json': '{"id":"user-1"}',
        'file-abc-leaf.png': picture,
      }),
    )
    const report = await desk.take(path)
    expect(report).toMatchObject({ conversations: { added: 2 }, files: 1, warnings: [] })
    const [entry] = await desk.entries(ours('c'))
    const [part] = entry?.body.kind === 'message' ? entry.body.parts : []
    expect(part).toMatchObject({ type: 'file', mediaType: 'image/png', name: 'file-abc-leaf.png' })
    const id = part?.type === 'file' && part.source.kind === 'ref' ? part.source.id : ''
    expect((await desk.store.getBlob('default', id))?.size).toBe(picture.length)
  })
})

describe('our own export', () => {
  test('comes back with the same ids, order, branches and hashes', async () => {
    const { store: from, ...source } = await transferDesk()
    await source.take(
      await source.file('c.json', [
        chatgptConversation('c', [...tea, { id: 'b', parent: 'u', role: 'assistant', text: 'Green.' }]),
      ]),
    )
    const exported = await (await openHistory({ store: from, conversation: ours('c') })).export()
    const desk = await transferDesk()
    const path = await desk.file('own.json', exported)
    expect(await desk.take(path)).toMatchObject({ formats: { throughline: 1 }, messages: { added: 3 }, warnings: [] })
    const again = await (await openHistory({ store: desk.store, conversation: ours('c') })).export()
    expect(JSON.stringify(again)).toBe(JSON.stringify(exported))
    expect(await desk.take(path)).toMatchObject({ conversations: { unchanged: 1 }, messages: { added: 0 } })
  })
})

describe('a session that is still going on', () => {
  test('grows with its file, line by line', async () => {
    const desk = await transferDesk()
    const path = await desk.file(
      's.jsonl',
      lines(codeRecord('1', null, 'user', { message: { role: 'user', content: 'Fix it' } })),
    )
    await desk.take(path)
    const answer = (uuid: string, parent: string, block: object, stop: string | null) =>
      codeRecord(uuid, parent, 'assistant', {
        message: { id: 'm', role: 'assistant', content: [block], stop_reason: stop },
      })
    const half = lines(answer('2', '1', { type: 'thinking', thinking: 'Look first', signature: 's' }, null))
    await appendFile(path, `${half}{"type":"assis`)
    const now = await desk.take(path)
    expect(now.messages.added).toBe(0)
    expect(now.skipped.map(({ reason }) => reason).sort()).toEqual([
      'the last line is not finished',
      'the last message is still being written',
    ])
    const rest = lines(answer('3', '2', { type: 'text', text: 'Done.' }, 'end_turn'))
    await writeFile(path, (await readFile(path, 'utf8')).replace('{"type":"assis', rest))
    await utimes(path, 1_700_000_000, 1_700_000_000)
    expect((await desk.take(path)).messages.added).toBe(1)
    const entries = await desk.entries('claude-code-s')
    expect(
      entries.map(({ body }) => (body.kind === 'message' ? body.parts.map(({ type }) => type) : body.kind)),
    ).toEqual([['text'], ['think', 'text']])
  })
})

async function tablesOf(file: string): Promise<unknown> {
  const db = await openDatabase(file)
  const names = db
    .all(`select name from sqlite_master where type = 'table' order by name`)
    .map(({ name }) => String(name))
  const tables = names.map((name) => [name, db.all(`select * from "${name}"`)])
  db.close()
  return tables
}
