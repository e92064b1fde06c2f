/** Redaction takes the words and leaves the order, the links and the chain. */
import assert from 'node:assert/strict'
import { text } from '../../core/message/item.js'
import { add, all, ask, at, begin, type Case, call, ids, note, refused, result, type Stage, say, sum } from './stage.js'

const secret = 'hunter2'
const none = { event: 0, record: 0, search_entry: 0 }

/** Everything that a reader can get out of a conversation, as one text. */
const everything = async ({ store, workspace }: Stage, c: string): Promise<string> => {
  const entries = await store.feed(workspace, c, 0, 1_000)
  return JSON.stringify([
    entries,
    await store.get(workspace, c),
    await store.children(workspace, c, null),
    await Promise.all(entries.map(({ id }) => store.path(workspace, c, id))),
    await Promise.all(entries.map(({ id }) => store.entry(workspace, c, id))),
    await store.window(workspace, c, 'main', {}),
    await store.window(workspace, c, 'main', { entries: 0 }),
    await store.receipts(workspace, c, { limit: 100 }),
    await store.events(workspace, c, 0, 1_000),
    await store.records(workspace, { kind: 'share', conversation: c, limit: 100 }),
    await store.search(workspace, { text: 'hunter', limit: 100 }),
  ])
}

export const redaction: readonly Case[] = [
  {
    name: 'takes the title that was made of the opening message, and those in records (B10)',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await store.update(workspace, c, { title: `The password is ${secret}`, at })
      await add(stage, c, [ask(`The password is ${secret} and nobody may know`, { id: 'u' }), say('ok', { id: 'a' })])
      const body = { mode: 'snapshot', title: `The password is ${secret}…`, branch: 'main' }
      await store.putRecord(workspace, { kind: 'share', id: 'one', body, conversation: c, at })
      assert.equal((await store.redact(workspace, c, 'u')).removed.title, 2)
      assert.ok(!(await everything(stage, c)).includes(secret))
      assert.equal((await store.get(workspace, c))?.title, '')
      assert.deepEqual((await store.getRecord(workspace, 'share', 'one'))?.body, { ...body, title: '' })
    },
  },
  {
    name: 'takes a title that quotes any message, and leaves one that does not (B10)',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(stage, c, [
        ask('Hello', { id: 'u' }),
        say('The launch code is 70a9c2f1.', { id: 'a' }),
        ask('Thanks', { id: 'v' }),
      ])
      await store.update(workspace, c, { title: 'What 70a9c2f1 opens', at })
      await store.redact(workspace, c, 'v')
      assert.equal((await store.get(workspace, c))?.title, 'What 70a9c2f1 opens')
      await store.redact(workspace, c, 'a')
      assert.equal((await store.get(workspace, c))?.title, '')
    },
  },
  {
    name: 'removes the words of an entry from every read, and the chain still holds',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(stage, c, [
        ask(secret, { id: 'u', meta: { secret } }),
        call('k'),
        { ...result('k', secret), id: 'r' },
        note({ secret }, { id: 'n' }),
        sum('u', { id: 's', text: secret, body: { kind: 'summary', parts: [text(secret)], until: 'u' } }),
        say(`not ${secret}`, { id: 'a' }),
        ask('end'),
      ])
      await store.putReceipt(workspace, { id: 'receipt', conversation: c, entry: 'a', at, body: { secret } })
      const before = await all(stage, c)
      for (const id of ['u', 'r', 'n', 's', 'a']) {
        const removal = await store.redact(workspace, c, id)
        assert.deepEqual([removal.conversation, removal.entry, removal.removed.entry], [c, id, 1])
      }
      assert.ok(!(await everything(stage, c)).includes(secret))
      assert.equal(await store.getReceipt(workspace, 'receipt'), null)
      const after = await all(stage, c)
      const links = (rows: typeof after) =>
        rows.map(({ body, text: _, meta, redacted, ...link }) => ({ ...link, kind: body.kind }))
      assert.deepEqual(links(after), links(before))
      assert.deepEqual(ids(after.filter(({ redacted }) => redacted)), ['u', 'r', 'n', 's', 'a'])
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 7 })
    },
  },
  {
    name: 'says how many receipts went with the words',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      await add(stage, c, [ask(secret, { id: 'u' })])
      for (const id of ['1', '2']) await store.putReceipt(workspace, { id, conversation: c, entry: null, at, body: {} })
      await store.putReceipt(workspace, { id: '3', conversation: other, entry: null, at, body: {} })
      const expected = { conversation: c, entry: 'u', removed: { entry: 1, receipt: 2, blob: 0, ...none } }
      assert.deepEqual(await store.redact(workspace, c, 'u'), expected)
      assert.equal((await store.getReceipt(workspace, '3'))?.id, '3')
      await refused(store.redact(workspace, c, 'nowhere'), 'not_found')
      await refused(store.redact(workspace, other, 'u'), 'not_found')
    },
  },
  {
    name: 'removes events, quoting records and found words with the words of an entry, and leaves other records',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      const share = (id: string, body: unknown, conversation = c) =>
        store.putRecord(workspace, { kind: 'share', id, conversation, body, at })
      await add(stage, c, [ask(secret, { id: 'u' }), say('fine', { id: 'a' })])
      await add(stage, other, [ask(secret, { id: 'u' })])
      const told = ['hun', 'ter2'].map((text) => ({ type: 'text-delta', data: { text } }))
      for (const one of [c, other]) await store.commit(workspace, one, [{ do: 'emit', events: told, at }])
      await share('quotes', { messages: [{ text: `I said ${secret}!` }] })
      await share('key', { [secret]: 1 })
      await share('longer', { text: `${secret}2 and x${secret}` })
      await share('fine', { text: 'hunter' })
      await share('other', { text: secret }, other)
      assert.equal((await store.search(workspace, { text: secret, limit: 9 })).items.length, 2)
      const { removed } = await store.redact(workspace, c, 'u')
      assert.deepEqual(removed, { entry: 1, receipt: 0, blob: 0, event: 2, record: 2, search_entry: 1 })
      assert.deepEqual(await store.events(workspace, c, 0, 9), { events: [], oldest: 3, newest: 2 })
      const left = await store.records(workspace, { kind: 'share', limit: 9 })
      assert.deepEqual(ids(left.items), ['other', 'fine', 'longer'])
      assert.equal((await store.events(workspace, other, 0, 9)).events.length, 2)
      const found = await store.search(workspace, { text: secret, limit: 9 })
      assert.deepEqual(
        found.items.map(({ conversation }) => conversation),
        [other],
      )
      await store.commit(workspace, c, [{ do: 'emit', events: told, at }])
      assert.equal((await store.events(workspace, c, 0, 9)).newest, 4)
    },
  },
  {
    name: 'brings no words back with a retry, by id or by key',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const entry = ask(secret)
      await add(stage, c, [entry], { key: 'k' })
      await store.redact(workspace, c, entry.id)
      for (const options of [{ key: 'k' }, {}]) {
        const again = await add(stage, c, [entry], options)
        assert.equal(again.repeated, true)
        assert.ok(!JSON.stringify(again).includes(secret))
      }
      await refused(add(stage, c, [ask('other')], { key: 'k' }), 'key_reused')
      await refused(add(stage, c, [ask('other', { id: entry.id })]), 'id_conflict')
      assert.ok(!(await everything(stage, c)).includes(secret))
    },
  },
  {
    name: 'removes the blobs that only a redacted entry names',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      const put = async (where: string, words: string) =>
        (await store.putBlob(workspace, where, { bytes: Buffer.from(words), mediaType: 'text/plain' })).sha256
      const isThere = async (sha256: string) => (await store.getBlob(workspace, sha256)) !== null
      const redact = async (id: string) => (await store.redact(workspace, c, id)).removed.blob
      const [alone, twice, both] = [await put(c, secret), await put(c, 'twice'), await put(c, 'both')]
      const [shown, unnamed] = [await put(c, 'shown'), await put(c, 'unnamed')]
      await put(other, 'both')
      const file = { type: 'file', mediaType: 'image/png', source: { kind: 'ref', id: shown } } as const
      await add(stage, c, [
        ask('a', { id: 'alone', meta: { blob: alone } }),
        ask('b', { id: 'first', meta: { blob: twice } }),
        ask('c', { id: 'second', meta: { blob: twice } }),
        ask('d', { id: 'both', meta: { blob: both } }),
        ask('e', { id: 'file', body: { kind: 'message', role: 'user', parts: [file], status: 'complete' } }),
        ask(`${alone} and ${twice}`, { id: 'words' }),
        ask('f', { id: 'nothing', meta: { blob: 'no blob' } }),
      ])
      assert.deepEqual([await redact('alone'), await isThere(alone)], [1, false])
      assert.deepEqual([await redact('first'), await isThere(twice)], [0, true])
      assert.deepEqual([await redact('first'), await isThere(twice)], [0, true])
      assert.deepEqual([await redact('second'), await isThere(twice)], [1, false])
      assert.deepEqual([await redact('both'), await isThere(both)], [0, true])
      assert.deepEqual([await redact('file'), await isThere(shown)], [1, false])
      assert.deepEqual([await redact('nothing'), await isThere(unnamed)], [0, true])
      assert.equal((await store.remove(workspace, other)).removed.blob, 1)
      assert.equal((await store.remove(workspace, c)).removed.blob, 1)
      assert.deepEqual([await isThere(both), await isThere(unnamed)], [false, false])
    },
  },
  {
    name: 'keeps calls and results together when one of them is redacted',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const asked = call(secret.replace('2', ''), 'k')
      await add(stage, c, [ask('a'), asked, result('k')])
      await store.redact(workspace, c, asked.id)
      const stored = await store.entry(workspace, c, asked.id)
      assert.ok(stored?.body.kind === 'message')
      assert.deepEqual(stored.body.parts, [
        { type: 'call', id: 'hunter', name: 'look', input: {}, outcome: { state: 'pending' } },
        { type: 'call', id: 'k', name: 'look', input: {}, outcome: { state: 'pending' } },
      ])
      await refused(add(stage, c, [result('k')]), 'already_answered')
      await add(stage, c, [result('hunter')])
    },
  },
  {
    name: 'goes on after a redacted head',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(stage, c, [ask(secret, { id: 'u', tokens: 7 })])
      await store.redact(workspace, c, 'u')
      await store.redact(workspace, c, 'u')
      const { entries } = await add(stage, c, [say('b', { tokens: 1 })])
      assert.deepEqual([entries[0]?.parent, entries[0]?.total, entries[0]?.opener], ['u', 8, 'u'])
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 2 })
    },
  },
]
