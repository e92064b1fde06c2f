/** What is stored comes back as it was; what cannot is refused, and by every store. */
import assert from 'node:assert/strict'
import { bounds } from '../../store/shared/gate.js'
import { add, all, ask, at, begin, type Case, message, note, refused, type Stage, say, write } from './stage.js'

const samples: Readonly<Record<string, string>> = {
  emoji:
    '\u{1f468}\u{1f3fd}\u200d\u{1f4bb} \u{1f1e9}\u{1f1ea} \u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} 1\ufe0f\u20e3',
  'bidirectional controls': 'abc \u202e cba \u202c \u2066\u05d0\u05d1\u2069 \u200f\u061c',
  'composed and decomposed twins': 'caf\u00e9 cafe\u0301 \u212b \u00c5 A\u030a \uac00 \u1100\u1161',
  'last characters of planes': '\ufffe\uffff \ufffd \u{1fffe}\u{1ffff} \u{10ffff} \ufeff',
  'control characters': '\u0001\u0007\b\t\n\v\f\r\u001b[0m\u001f \u007f\u0080\u009f \u2028\u2029',
  'quotes and escapes': `' " \\ \`; DROP TABLE entries; -- $1 :a ? %s {{x}} </script> \\u0000 \\ud800 \\x00`,
  'white space alone': ' \t\n\u00a0\u3000 ',
  'no character': '',
}

export const texts: readonly Case[] = [
  ...Object.entries(samples).map(
    ([what, words]): Case => ({
      name: `gives back ${what} as it was`,
      run: async (stage) => {
        const c = await begin(stage)
        const entry = ask(words, { author: words, model: words, at: words, meta: { [words]: words, n: [words] } })
        await add(stage, c, [entry])
        await unchanged(stage, c, entry)
        await draft(stage, c, words)
      },
    }),
  ),
  {
    name: 'gives back ten million characters as they were',
    run: async (stage) => {
      const c = await begin(stage)
      const words = 'Zeile \u{1f600} "é"\n'.repeat(800_000).slice(0, 10_000_000)
      const entry = write(message('user', ''), words)
      await add(stage, c, [entry])
      const stored = await stage.store.entry(stage.workspace, c, entry.id)
      assert.ok(stored?.text === words, 'the text has changed')
      const inside = say('', { body: message('assistant', words.slice(0, 5_000_000)) })
      await add(stage, c, [inside])
      const body = (await stage.store.window(stage.workspace, c, 'main', { entries: 0 })).head?.body
      assert.ok(JSON.stringify(body) === JSON.stringify(inside.body), 'the body has changed')
    },
  },
  {
    name: 'gives back numbers, keys and their order as JSON has them',
    run: async (stage) => {
      const c = await begin(stage)
      const json = `{"z":1,"a":{"10":1,"9":2,"b":[],"":{}},"one":1e21,"big":9007199254740993,"tenth":0.1,"tiny":5e-324,
        "max":1.7976931348623157e308,"zero":-0,"neg":-1.5,"yes":true,"none":null,"text":"1e21","__proto__":{"x":1},
        "constructor":{"prototype":{}},"toString":"no","lc":1,"type":"constructor","deep":[[[{"a":[1,[2]]}]]]}`
      const data: unknown = JSON.parse(json)
      const entry = note(data, { meta: data as Record<string, unknown> })
      await add(stage, c, [entry])
      const stored = await unchanged(stage, c, entry)
      assert.equal(JSON.stringify(stored.body), JSON.stringify(entry.body))
      assert.equal(JSON.stringify(stored.meta), JSON.stringify(entry.meta))
      const back = (stored.body as { data: Record<string, unknown> }).data
      assert.deepEqual(Object.keys(back), Object.keys(data as object))
      assert.ok(Object.hasOwn(back, '__proto__') && !('x' in back), 'a key has become a prototype')
      assert.equal(Object.getPrototypeOf(back), Object.prototype)
      assert.ok(Object.is(back.zero, 0), 'JSON has no negative zero')
    },
  },
  {
    name: 'stores what JSON makes of a value, and its hash is of that',
    run: async (stage) => {
      const c = await begin(stage)
      const data = { when: new Date(0), gone: undefined, nan: Number.NaN, list: [undefined, () => 0], kept: 1 }
      const { entries } = await add(stage, c, [note(data)])
      const expected = { when: new Date(0).toISOString(), nan: null, list: [null, null], kept: 1 }
      const body = entries[0]?.body
      assert.deepEqual(body?.kind === 'note' && body.data, expected)
      assert.deepEqual(await all(stage, c), entries)
      assert.deepEqual(await stage.store.verify(stage.workspace, c), { ok: true, entries: 1 })
    },
  },
  {
    name: 'refuses a value that JSON cannot hold',
    run: async (stage) => {
      const c = await begin(stage)
      const loop: { self?: unknown } = {}
      loop.self = loop
      for (const data of [loop, 1n, nested(100_000), nested(2_000), nested(bounds.depth)])
        await refused(add(stage, c, [note(data)]), 'invalid')
      assert.deepEqual(await all(stage, c), [])
      const deep = note(nested(bounds.depth - 1))
      await add(stage, c, [deep])
      await unchanged(stage, c, deep)
    },
  },
  {
    name: 'takes ids, names and workspaces of any script, and knows twins apart',
    run: async (stage) => {
      const workspace = `${stage.workspace} \u{1f3e0}`
      const twins = ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9', '\u{1f600}', '\uffff', ' ', "'", 'a/b?c#d%20']
      for (const id of twins) {
        await stage.store.create(workspace, { id, at })
        const there = { ...stage, workspace }
        await add(
          there,
          id,
          twins.map((twin) => ask(twin, { id: twin })),
          { branch: id, key: id },
        )
      }
      for (const id of twins) {
        assert.equal((await stage.store.get(workspace, id))?.id, id)
        for (const twin of twins) assert.equal((await stage.store.entry(workspace, id, twin))?.text, twin)
        assert.deepEqual(
          (await stage.store.branches(workspace, id)).map(({ name }) => name),
          [id],
        )
      }
      const { items } = await stage.store.list(workspace, { limit: 100 })
      assert.equal(items.length, twins.length)
    },
  },
]

function nested(levels: number): unknown {
  let value: unknown = 0
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

/** The entry must come back by every way of reading just as it was written. */
async function unchanged({ store, workspace }: Stage, c: string, entry: ReturnType<typeof ask>) {
  const stored = await store.entry(workspace, c, entry.id)
  assert.ok(stored)
  const { id, body, text, tokens, at: said, author, model, meta } = stored
  const given = { author: undefined, model: undefined, ...entry }
  assert.equal(
    JSON.stringify([id, body, text, tokens, said, author, model, meta]),
    JSON.stringify([given.id, given.body, given.text, given.tokens, given.at, given.author, given.model, given.meta]),
  )
  assert.deepEqual(await store.path(workspace, c, entry.id), [stored])
  assert.deepEqual(await store.feed(workspace, c, 0, 1), [stored])
  assert.deepEqual((await store.window(workspace, c, 'main', {})).entries, [stored])
  assert.deepEqual(await store.children(workspace, c, null), [stored])
  assert.equal((await store.append(workspace, c, [entry], { branch: 'main', at })).repeated, true)
  assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 1 })
  return stored
}

async function draft({ store, workspace }: Stage, c: string, text: string): Promise<void> {
  await store.openDraft(workspace, c, { id: 'd', branch: 'main', parent: null, leaseSeconds: 60, at })
  await store.saveDraft(workspace, c, { id: 'd', epoch: 1, text, body: { [text]: text }, leaseSeconds: 60 })
  const [stored] = await store.drafts(workspace, c)
  assert.deepEqual([stored?.text, stored?.body], [text, { [text]: text }])
  await store.update(workspace, c, { title: text, tags: [text], folder: text, at })
  const { title, tags, folder } = (await store.get(workspace, c)) ?? {}
  assert.deepEqual([title, tags, folder], [text, [text], text])
}
