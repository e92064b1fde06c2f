import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openHistory, retain } from '../../src/engine/index.js'
import { postgresStore } from '../../src/store/postgres/store.js'
import { openFile } from '../../src/store/sqlite/open.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { askServer, freshSchema, rawClient } from '../postgres/database.js'
import { assistant, calling, found, onEveryStore, textsOf, user, windowOf } from './stage.js'

onEveryStore('a history', ({ fresh, store, again, name }) => {
  test('takes messages sent at once one after the other, and loses none [S3-P10] [L-7]', async () => {
    const history = await fresh()
    const other = await openHistory({
      store: again ? await again() : store(),
      workspace: history.workspace,
      conversation: 'c',
    })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? history : other).append([user(`q${i}`), assistant(`a${i}`)])),
    )
    const path = await history.path()
    expect(path.map(({ seq, depth }) => [seq, depth])).toEqual(path.map((_, i) => [i + 1, i]))
    expect(path).toHaveLength(40)
    for (let i = 0; i < 40; i += 2) expect(path[i + 1]?.text).toBe(path[i]?.text.replace('q', 'a'))
    expect(await textsOf(other)).toEqual(await textsOf(history))
  })

  test('writes a retry once: by its key, or by the ids of its messages [L-8]', async () => {
    let clock = 0
    const history = await fresh({ env: { now: () => new Date(++clock * 1_000).toISOString() } })
    const first = await history.append([user('one'), calling('k')], { key: 'a' })
    expect(await history.append([user('one'), calling('k')], { key: 'a' })).toMatchObject({
      repeated: true,
      head: first.head,
    })
    await expect(history.append([user('two')], { key: 'a' })).rejects.toMatchObject({ code: 'key_reused' })
    // the second attempt finds the calls closed that the first had to close
    await history.append(user('next'), { key: 'b' })
    expect(await history.append(user('next'), { key: 'b' })).toMatchObject({ repeated: true })
    await history.append(assistant('mine', { id: 'm1' }))
    expect(await history.append(assistant('mine', { id: 'm1' }))).toMatchObject({ repeated: true })
    await expect(history.append(assistant('other', { id: 'm1' }))).rejects.toMatchObject({ code: 'id_conflict' })
    expect(await textsOf(history)).toEqual(['one', '[Used tool: look]\nk', 'interrupted', 'next', 'mine'])
  })

  test('refuses an append whose expectation is stale and names the head', async () => {
    const history = await fresh()
    const { head } = await history.append(user('one'))
    await history.append(assistant('two'), { expect: head })
    const late = history.append(assistant('zwei'), { expect: head })
    await expect(late).rejects.toMatchObject({ code: 'head_moved' })
    expect(await textsOf(history)).toEqual(['one', 'two'])
  })

  test('edits, answers again, forks and switches without a copy, and old paths stay [S1-F7] [S1-F8]', async () => {
    const history = await fresh()
    await history.append([
      user('one', { id: 'u1' }),
      assistant('two', { id: 'a1' }),
      user('three', { id: 'u2' }),
      assistant('four', { id: 'a2' }),
    ])
    const edited = await history.edit('u2', user('drei', { id: 'u2' }))
    expect(await textsOf(history, edited.branch)).toEqual(['one', 'two', 'drei'])
    const again = await history.regenerate('a2')
    expect(again.head).toBe('u2')
    await history.append(assistant('vier'), { branch: again.name })
    await expect(history.regenerate('u1')).rejects.toMatchObject({ code: 'invalid' })
    const fork = await history.fork('a1', 'side')
    await history.switch(fork.name)
    await history.append(user('elsewhere'))
    expect(history.branch).toBe('side')
    await expect(history.switch('nowhere')).rejects.toMatchObject({ code: 'not_found' })
    expect(await textsOf(history)).toEqual(['one', 'two', 'elsewhere'])
    expect(await textsOf(history, 'main')).toEqual(['one', 'two', 'three', 'four'])
    expect(await textsOf(history, again.name)).toEqual(['one', 'two', 'three', 'vier'])
    expect(await history.describe()).toMatchObject({ entries: 7 })
    expect((await windowOf(history, { branch: 'main' })).items.map(({ text }) => text)).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
    expect(await history.verify()).toEqual({ ok: true, entries: 7 })
  })

  test('takes from a client that resends everything only what is new, and finds the branch it is on', async () => {
    const history = await fresh()
    const turns = [user('one'), assistant('two'), user('three')]
    await history.reconcile(turns)
    const forked = await history.reconcile([turns[0], assistant('zwei')])
    expect(forked).toMatchObject({ forked: true, known: 1 })
    const more = await history.reconcile([turns[0], assistant('zwei'), user('drei')])
    expect(more).toMatchObject({ forked: false, known: 2, branch: forked.branch, added: [{ text: 'drei' }] })
    expect(await history.reconcile([turns[0], assistant('zwei')])).toMatchObject({ added: [], known: 2 })
    expect(await history.reconcile(turns.slice(0, 2))).toMatchObject({ branch: 'main', added: [], forked: false })
    expect(await history.reconcile([...turns.slice(1), assistant('four')])).toMatchObject({ branch: 'main', known: 2 })
    expect(await history.describe()).toMatchObject({ entries: 6 })
  })

  test('begins a branch before what the client does not have, where it is asked to', async () => {
    const history = await fresh()
    const turns = [user('one'), assistant('two'), user('three'), assistant('four')]
    await history.reconcile(turns)
    const behind = await history.reconcile(turns.slice(0, 3), { later: 'fork' })
    expect(behind).toMatchObject({ forked: true, known: 3, added: [] })
    expect(behind.head).toBe((await history.path())[2]?.id)
    expect(await history.reconcile(turns, { later: 'fork' })).toMatchObject({ branch: 'main', forked: false })
    expect(await history.reconcile([...turns, user('five')], { later: 'fork' })).toMatchObject({
      branch: 'main',
      added: [{ text: 'five' }],
    })
  })

  test('knows an answer again without what was thought, and however its texts were divided', async () => {
    const history = await fresh()
    const parts = [
      { type: 'think', text: 'hm' },
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two' },
    ]
    await history.append([user('ask'), { role: 'assistant', parts }])
    expect(await history.reconcile([user('ask'), assistant('one two')])).toMatchObject({ added: [], forked: false })
    expect(await history.reconcile([user('ask'), assistant('one three')])).toMatchObject({ forked: true })
  })

  test('keeps facts beside a message, and notes that are never sent', async () => {
    const history = await fresh()
    const { entries } = await history.append([
      { kind: 'said', id: 'mine', message: user('one'), meta: { colour: 'blue' } },
      { kind: 'note', label: 'mark', data: { a: 1 } },
    ])
    expect(entries).toMatchObject([
      { id: 'mine', text: 'one', meta: { colour: 'blue' } },
      { body: { kind: 'note', label: 'mark', data: { a: 1 } } },
    ])
    expect((await windowOf(history)).items.map(({ text }) => text)).toEqual(['one'])
    await expect(history.append({ kind: 'other', message: user('two') })).rejects.toThrow()
  })

  test('knows a resent history again though it was cut, closed, stopped or redacted meanwhile', async () => {
    const history = await fresh({ limits: { resultChars: 100 } })
    const long = [user('look'), calling('a', 'b'), found('a', 'x'.repeat(500))]
    await history.append(long)
    await history.append(user('go on'))
    const draft = await history.draft()
    await draft.save([{ type: 'text', text: 'half' }])
    await draft.abort()
    await history.note('stopped', {})
    const sent = [...long, user('go on'), assistant('half')]
    expect(await history.reconcile(sent)).toMatchObject({ added: [], forked: false })
    expect(
      await history.reconcile([...sent.slice(0, 3), found('b', 'late'), ...sent.slice(3), user('more')]),
    ).toMatchObject({ forked: false, added: [{ text: 'more' }] })
    const secret = (await history.path())[0]?.id as string
    await history.redact(secret)
    expect(await history.reconcile([...sent, user('more')])).toMatchObject({ added: [], forked: false })
    expect(JSON.stringify(await history.export())).not.toContain('"look"}')
  })

  test('keeps a result over 50,000 chars cut with its marker, and the whole of it on the shelf [S3-9] [L-28] [T-96]', async () => {
    const history = await fresh()
    const whole = `${'é'.repeat(50_000)}\u{1f44b} the end`
    const { entries } = await history.append([user('read it'), calling('a'), found('a', whole)])
    const [, , entry] = entries
    expect(entry?.text).toBe(`${'é'.repeat(50_000)}\n[truncated for storage]`)
    expect(await history.expand(entry?.id as string)).toBe(whole)
    expect(await history.expand(entries[0]?.id as string)).toBe('read it')
    const exported = await history.export()
    expect(Buffer.from(exported.blobs[0]?.base64 ?? '', 'base64').toString()).toBe(whole)
    const { removed } = await history.redact(entry?.id as string)
    expect(removed).toMatchObject({ entry: 1, blob: 1 })
    expect((await history.export()).blobs).toEqual([])
    expect(await history.verify()).toEqual({ ok: true, entries: 3 })
    const exact = await history.append([calling('b'), found('b', 'y'.repeat(50_000))])
    expect(exact.entries.at(-1)?.text).toBe('y'.repeat(50_000))
  })

  test('exports everything it holds, every branch and receipt, in order [S1-F2]', async () => {
    const history = await fresh({ title: 'Tea' })
    for (let i = 0; i < 3; i++) await history.append(Array.from({ length: 700 }, (_, k) => user(`${i}.${k}`)))
    await history.fork(null, 'empty')
    const made = await windowOf(history, { budget: 4_000 })
    await history.keep(made.receipt)
    await history.draft()
    const exported = await history.export()
    expect(exported.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 2_100 }, (_, i) => i + 1))
    expect(exported).toMatchObject({ schema: 'throughline.conversation/1', conversation: { title: 'Tea' } })
    expect([exported.branches.length, exported.receipts.length, exported.drafts.length]).toEqual([2, 1, 1])
    expect(JSON.parse(JSON.stringify(exported))).toEqual(exported)
    await history.remove()
    await expect(history.export()).rejects.toMatchObject({ code: 'gone' })
    await expect(history.append(user('late'))).rejects.toMatchObject({ code: 'gone' })
  })

  test('warns before a limit is reached and refuses beyond it', async () => {
    const history = await fresh({ limits: { entryBytes: 100, conversationEntries: 5, batchEntries: 3 } })
    const codes = async (messages: object) =>
      (await history.append(messages)).warnings.map(({ code, field }) => `${code} ${field}`)
    expect(await codes(user('x'.repeat(50)))).toEqual([])
    expect(await codes(user('x'.repeat(90)))).toEqual(['limit.near messages[0]'])
    await expect(history.append(user('é'.repeat(51)))).rejects.toMatchObject({ code: 'too_large' })
    expect(await codes([user('a'), user('b'), user('c')])).toEqual(['limit.near messages', 'limit.near conversation'])
    await expect(history.append(user('d'))).rejects.toMatchObject({ code: 'too_large' })
    await expect(history.append([1, 2, 3, 4].map((n) => user(`${n}`)))).rejects.toMatchObject({ code: 'too_large' })
    expect(await history.describe()).toMatchObject({ entries: 5 })
  })

  test('expires only when told to: softly, after a dry run, and reversibly until it is purged [S4-F3] [L-25]', async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString()
    const history = await fresh({ env: { now: () => day(1) } })
    await history.append(user('old'))
    const w = history.workspace
    await openHistory({ store: store(), workspace: w, conversation: 'new', env: { now: () => day(29) } })
    await openHistory({ store: store(), workspace: w, conversation: 'pinned', env: { now: () => day(1) } })
    await store().update(w, 'pinned', { pinned: true, at: day(1) })
    expect(await retain(store(), w, {}, { now: day(31), dryRun: false })).toEqual({
      archived: [],
      purged: [],
      dryRun: false,
    })
    const policy = { archiveAfterDays: 20, purgeAfterDays: 10 }
    expect(await retain(store(), w, policy, { now: day(31) })).toEqual({ archived: ['c'], purged: [], dryRun: true })
    expect((await store().get(w, 'c'))?.archived).toBe(false)
    await retain(store(), w, policy, { now: day(31), dryRun: false })
    expect((await store().get(w, 'c'))?.archived).toBe(true)
    expect(await textsOf(history)).toEqual(['old'])
    await store().update(w, 'c', { archived: false, at: day(32) })
    await store().update(w, 'c', { archived: true, at: day(33) })
    expect((await retain(store(), w, policy, { now: day(42), dryRun: false })).purged).toEqual([])
    expect((await retain(store(), w, policy, { now: day(43), dryRun: false })).purged).toEqual(['c'])
    expect(await store().get(w, 'c')).toBeNull()
    expect((await store().list(w, { limit: 10 })).items.map(({ id }) => id).toSorted()).toEqual(['new', 'pinned'])
  })

  test('opened by many at once is made once, and a deleted one does not come back', async () => {
    const workspace = `many-${name}`
    const all = await Promise.all([1, 2, 3, 4].map(() => openHistory({ store: store(), workspace, conversation: 'c' })))
    await Promise.all(all.map((one, i) => one.append(user(`${i}`))))
    expect((await all[0]?.describe())?.entries).toBe(4)
    await all[0]?.remove()
    await expect(openHistory({ store: store(), workspace, conversation: 'c' })).rejects.toMatchObject({ code: 'gone' })
  })
})

const server = await askServer()
const url = 'url' in server ? server.url : ''
const folder = await mkdtemp(join(tmpdir(), 'throughline-log-'))
const fileIn = () => join(folder, `${crypto.randomUUID()}.db`)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('SQLite', () => {
  test('ends the wait for an earlier write after a set time [L-9]', async () => {
    const file = fileIn()
    const store = await sqliteStore(file, { patience: 0.2 })
    const history = await openHistory({ store })
    const other = await openFile(file, 1)
    other.run('begin immediate')
    await expect(history.append(user('late'))).rejects.toMatchObject({ code: 'unavailable' })
    other.run('rollback')
    await history.append(user('on'))
    expect(await textsOf(history)).toEqual(['on'])
    other.close()
    await store.close()
  })

  test('has tables of its own for conversations, and writes as much as is new [S1-F1] [P-24] [T-95]', async () => {
    const file = fileIn()
    const sizes: number[] = []
    for (let i = 0; i < 4; i++) {
      const store = await sqliteStore(file)
      const history = await openHistory({ store, conversation: 'c' })
      for (let k = 0; k < 10; k++) await history.append(Array.from({ length: 50 }, () => user('word '.repeat(100))))
      await store.close()
      sizes.push((await stat(file)).size)
    }
    const steps = sizes.slice(1).map((size, i) => size - (sizes[i] as number))
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.2)
    const db = await openFile(file, 1)
    const tables = db.all("select name from sqlite_schema where type = 'table'").map((row) => row.name)
    expect(tables).toEqual(expect.arrayContaining(['conversation', 'entry', 'branch', 'draft', 'receipt']))
    db.close()
  })

  test('is set up once when many open a new file at once [T-97]', async () => {
    const file = fileIn()
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => sqliteStore(file)))
    await Promise.all(
      stores.map(async (store, i) => (await openHistory({ store, conversation: 'c' })).append(user(`${i}`))),
    )
    expect((await stores[0]?.get('default', 'c'))?.entries).toBe(5)
    for (const store of stores) await store.close()
  })
})

describe.skipIf('reason' in server)('PostgreSQL', () => {
  test('ends the wait for an earlier write after a set time [L-9]', async () => {
    const schema = freshSchema()
    const store = await postgresStore(url, { schema, timeoutSeconds: 0.5 })
    const history = await openHistory({ store, conversation: 'c' })
    const raw = await rawClient(url)
    await raw.query('begin')
    await raw.query("select set_config('throughline.workspace', 'default', true)")
    await raw.query(`select 1 from "${schema}".conversation for update`)
    await expect(history.append(user('late'))).rejects.toMatchObject({ code: 'unavailable' })
    await raw.query('rollback')
    await history.append(user('on'))
    expect(await textsOf(history)).toEqual(['on'])
    await raw.end()
    await store.close()
  })

  test('is set up once when many replicas start at once [T-97]', async () => {
    const schema = freshSchema()
    const stores = await Promise.all([1, 2, 3, 4, 5, 6].map(() => postgresStore(url, { schema })))
    await Promise.all(
      stores.map(async (store, i) => (await openHistory({ store, conversation: 'c' })).append(user(`${i}`))),
    )
    expect((await stores[0]?.get('default', 'c'))?.entries).toBe(6)
    const raw = await rawClient(url)
    expect(await raw.query(`select count(*)::int as rows from "${schema}".format`)).toEqual([{ rows: 1 }])
    await raw.end()
    for (const store of stores) await store.close()
  })
})
