/** Search: all the words, the newest first, and nothing that anyone had removed. */
import assert from 'node:assert/strict'
import type { Hit, SearchQuery } from '../../store/contract/search.js'
import { append } from './commits.js'
import {
  add,
  ask,
  at,
  begin,
  type Case,
  call,
  later,
  note,
  refused,
  result,
  type Stage,
  say,
  sum,
  upTo,
} from './stage.js'

const find = async ({ store, workspace }: Stage, text: string, more: Partial<SearchQuery> = {}) =>
  (await store.search(workspace, { text, limit: 100, ...more })).items
/** The ids of what is found, in order. */
const found = async (stage: Stage, text: string, more: Partial<SearchQuery> = {}) =>
  (await find(stage, text, more)).map(({ entry }) => entry).join(' ')

const texts = async (stage: Stage, words: Readonly<Record<string, string>>) => {
  const c = await begin(stage)
  for (const [id, said] of Object.entries(words)) await add(stage, c, [ask(said, { id })])
  return c
}

const marked = ({ snippet, marks }: Hit): string[] => marks.map(([from, to]) => snippet.slice(from, to))

export const search: readonly Case[] = [
  {
    name: 'finds entries that have all the words, the last one as a beginning, the newest first',
    run: async (stage) => {
      await texts(stage, { a: 'Green tea and black tea', b: 'A teapot, green', c: 'black coffee', d: 'teagreen' })
      assert.equal(await found(stage, 'green tea'), 'b a')
      assert.equal(await found(stage, 'tea green'), 'a')
      assert.equal(await found(stage, 'te'), 'd b a')
      assert.equal(await found(stage, 'tea'), 'd b a')
      assert.equal(await found(stage, 'tea gree'), 'a')
      assert.equal(await found(stage, 'tea black coffee'), '')
      assert.equal(await found(stage, 'eapot'), '')
      assert.equal(await found(stage, 'gre green'), '')
      assert.equal(await found(stage, 'green green'), 'b a')
    },
  },
  {
    name: 'finds words whatever their case, accents and width',
    run: async (stage) => {
      await texts(stage, {
        a: 'Crème BRÛLÉE',
        b: 'cre\u0300me bru\u0302le\u0301e',
        c: 'ＣＲＥＭＥ brulee',
        d: 'ЧАЙ Ёлка',
        e: 'İstanbul Straße',
        f: 'don\u2019t e-mail x_y 3.14 ﬁne',
      })
      for (const query of ['creme brulee', 'CRÈME brûl', 'crème BRULÉE', 'ｃｒｅｍｅ'])
        assert.equal(await found(stage, query), 'c b a')
      assert.equal(await found(stage, 'чай ёлк'), 'd')
      assert.equal(await found(stage, 'istanbul STRA'), 'e')
      assert.equal(await found(stage, 'don t mail 14 fine'), 'f')
      assert.equal(await found(stage, "don't e-mail x_y 3.14"), 'f')
    },
  },
  {
    name: 'finds a stretch of a script that has no spaces',
    run: async (stage) => {
      await texts(stage, {
        a: '東京都に住んでいます。',
        b: '京都の黒猫',
        c: '한국어를 배워요',
        d: 'ฉันกินข้าว',
        e: 'ﾊﾟｿｺﾝと東',
        f: 'The city 東京 in English',
      })
      assert.equal(await found(stage, '東京'), 'f a')
      assert.equal(await found(stage, '東京都'), 'a')
      assert.equal(await found(stage, '京都'), 'b a')
      assert.equal(await found(stage, '京東'), '')
      assert.equal(await found(stage, '東'), 'f e a')
      assert.equal(await found(stage, '猫'), 'b')
      assert.equal(await found(stage, '한국'), 'c')
      assert.equal(await found(stage, '국어를 배'), 'c')
      assert.equal(await found(stage, 'กินข้าว'), 'd')
      assert.equal(await found(stage, 'パソコン'), 'e')
      assert.equal(await found(stage, 'city東京'), 'f')
      assert.equal(await found(stage, '東京 engl'), 'f')
    },
  },
  {
    name: 'sees every append before it, however many there are and wherever they go',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [ask('common first', { id: 'first' })])
      assert.equal(await found(stage, 'common'), 'first')
      await add(stage, c, [say('common second', { id: 'second' })])
      await add(stage, c, [say('common side', { id: 'side' })], { branch: 'side', from: 'first' })
      assert.equal(await found(stage, 'common'), 'side second first')
      const many = upTo(260).map((n) => ask(`common number${n}`, { id: `n${n}` }))
      await add(stage, c, many)
      assert.equal(await found(stage, 'number260'), 'n260')
      assert.equal((await find(stage, 'common', { limit: 1_000 })).length, 263)
      await stage.store.commit(stage.workspace, c, [append([ask('common last', { id: 'last' })])])
      assert.equal(await found(stage, 'common last'), 'last')
      const order = (await find(stage, 'common', { limit: 1_000 })).map(({ seq }) => seq)
      assert.deepEqual(order, upTo(264).toReversed())
    },
  },
  {
    name: 'finds what was said in a hundred conversations, each with its title of now',
    run: async (stage) => {
      const { store, workspace } = stage
      const names = upTo(120).map((n) => `c${n}`)
      await Promise.all(names.map((id) => store.create(workspace, { id, at, title: `old ${id}` })))
      await Promise.all(names.map((c) => add(stage, c, [ask(`shared own${c}`), say('shared too')])))
      await store.update(workspace, 'c7', { title: 'new', at })
      const all = await find(stage, 'shared', { limit: 1_000 })
      assert.equal(all.length, 240)
      assert.equal(new Set(all.map(({ conversation, seq }) => `${conversation} ${seq}`)).size, 240)
      for (const id of names) {
        const own = all.filter(({ conversation }) => conversation === id)
        assert.deepEqual([own.map(({ seq }) => seq), own[0]?.title], [[2, 1], id === 'c7' ? 'new' : `old ${id}`])
      }
      assert.equal((await find(stage, 'ownc77')).length, 1)
    },
  },
  {
    name: 'gives hits in pages that miss and repeat none, whatever is written meanwhile',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(
        stage,
        c,
        upTo(25).map((n) => ask(`page word${n % 2}`, { id: `e${n}` })),
      )
      const pages = async (text: string, limit: number, meanwhile: () => Promise<unknown>) => {
        const out: string[] = []
        for (let cursor: string | null = '', count = 0; cursor !== null && count < 50; count++) {
          const page = await store.search(workspace, { text, limit, ...(cursor === '' ? null : { cursor }) })
          assert.ok(page.items.length <= limit)
          out.push(...page.items.map(({ entry }) => entry))
          cursor = page.cursor
          await meanwhile()
        }
        return out
      }
      const newest = upTo(25).map((n) => `e${26 - n}`)
      for (const limit of [1, 7, 25]) assert.deepEqual(await pages('page', limit, async () => {}), newest)
      const odd = newest.filter((_, i) => i % 2 === 0)
      assert.deepEqual(await pages('page word1', 3, async () => {}), odd)
      assert.deepEqual(await pages('page', 6, () => add(stage, c, [ask('page late')])), newest)
      const key = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      for (const cursor of ['', 'x', key(['x']), key(['1', '2'])])
        await refused(store.search(workspace, { text: 'page', limit: 9, cursor }), 'invalid')
    },
  },
  {
    name: 'tells who said it, and finds by that: tools have their own voice, and notes none',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [
        ask('voice', { id: 'user' }),
        { ...say('voice'), id: 'system', body: { kind: 'message', role: 'system', parts: [], status: 'complete' } },
        call('k'),
        { ...result('k', 'voice'), id: 'tool' },
        say('voice', { id: 'assistant', at: later(1) }),
        note({ voice: 'voice' }, { id: 'note', text: 'voice' }),
        sum('user', { id: 'summary', text: 'voice in short' }),
      ])
      const hits = await find(stage, 'voice')
      assert.deepEqual(
        hits.map(({ entry, role }) => [entry, role]),
        [
          ['summary', 'assistant'],
          ['assistant', 'assistant'],
          ['tool', 'tool'],
          ['system', 'system'],
          ['user', 'user'],
        ],
      )
      const facts = { conversation: c, title: '', entry: 'assistant', seq: 5, role: 'assistant', at: later(1) }
      assert.deepEqual(hits[1], { ...facts, snippet: 'voice', marks: [[0, 5]] })
      assert.equal(await found(stage, 'voice', { role: 'tool' }), 'tool')
      assert.equal(await found(stage, 'voice', { role: 'assistant' }), 'summary assistant')
      assert.equal(await found(stage, 'voice', { role: 'user' }), 'user')
      await refused(find(stage, 'voice', { role: 'note' as 'user' }), 'invalid')
    },
  },
  {
    name: 'finds by the time at which it was said, as a point in time',
    run: async (stage) => {
      const c = await begin(stage)
      const times = {
        a: '2026-01-01T10:00:00Z',
        b: '2026-01-01T12:00:00+02:00',
        c: '2026-01-01T11:00:00.000Z',
        d: 'yesterday',
        e: '2026-01-02',
        f: '2026-01-01T23:30:00-01:00',
      }
      for (const [id, at] of Object.entries(times)) await add(stage, c, [ask('time', { id, at })])
      assert.equal(await found(stage, 'time'), 'f e d c b a')
      assert.equal(await found(stage, 'time', { since: '2026-01-01T10:00:00Z', until: '2026-01-01T11:00:00Z' }), 'b a')
      assert.equal(await found(stage, 'time', { since: '2026-01-01T13:00:00+02:00' }), 'f e c')
      assert.equal(await found(stage, 'time', { since: '2026-01-02' }), 'f e')
      assert.equal(await found(stage, 'time', { until: '2026-01-01T10:00:00.001Z' }), 'b a')
      for (const bad of ['yesterday', '', '2026-13-01', '1'])
        await refused(find(stage, 'time', { since: bad }), 'invalid')
    },
  },
  {
    name: 'finds in one conversation, or in all of a workspace and no other',
    run: async (stage) => {
      const foreign = { ...stage, workspace: `${stage.workspace} foreign` }
      const c = await texts(stage, { a: 'wall one', b: 'wall two' })
      const d = await texts(stage, { a: 'wall three' })
      await stage.store.create(foreign.workspace, { id: c, at })
      await add(foreign, c, [ask('wall foreign', { id: 'x' })])
      assert.equal((await find(stage, 'wall')).length, 3)
      assert.equal(await found(stage, 'wall', { conversation: c }), 'b a')
      assert.equal(await found(stage, 'wall', { conversation: d }), 'a')
      assert.equal(await found(foreign, 'wall'), 'x')
      assert.equal(await found(foreign, 'wall', { conversation: d }), '')
      assert.equal(await found(stage, 'wall', { conversation: 'nowhere' }), '')
      assert.equal(await found(stage, 'foreign'), '')
      assert.equal(await found(stage, 'wall', { conversation: 'a\0' }), '')
    },
  },
  {
    name: 'finds on the path of one branch, whatever else was said',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [ask('fork root', { id: 'root' }), say('fork old', { id: 'old' })])
      await add(stage, c, [say('fork new', { id: 'new' })], { branch: 'side', from: 'root' })
      await add(stage, c, [ask('fork main', { id: 'main' })])
      await add(stage, c, [ask('fork side', { id: 'side' })], { branch: 'side' })
      assert.equal(await found(stage, 'fork', { conversation: c }), 'side main new old root')
      assert.equal(await found(stage, 'fork', { conversation: c, branch: 'main' }), 'main old root')
      assert.equal(await found(stage, 'fork', { conversation: c, branch: 'side' }), 'side new root')
      assert.equal(await found(stage, 'fork', { conversation: c, branch: 'nowhere' }), '')
      await stage.store.setBranch(stage.workspace, c, { name: 'main', head: 'old', expect: 'main', at })
      assert.equal(await found(stage, 'fork', { conversation: c, branch: 'main' }), 'old root')
    },
  },
  {
    name: 'finds in conversations with a tag, as they are tagged now',
    run: async (stage) => {
      const { store, workspace } = stage
      await store.create(workspace, { id: 'one', at, tags: ['tea', 'shop'] })
      await store.create(workspace, { id: 'two', at, tags: ['shop'] })
      for (const id of ['one', 'two']) await add(stage, id, [ask('leaf', { id })])
      assert.equal(await found(stage, 'leaf', { tag: 'tea' }), 'one')
      assert.equal(await found(stage, 'leaf', { tag: 'shop' }), 'two one')
      assert.equal(await found(stage, 'leaf', { tag: 'shop', conversation: 'two' }), 'two')
      assert.equal(await found(stage, 'leaf', { tag: 'te' }), '')
      await store.update(workspace, 'two', { tags: ['tea'], at })
      assert.equal(await found(stage, 'leaf', { tag: 'tea' }), 'two one')
      assert.equal(await found(stage, 'leaf', { tag: 'tea', conversation: 'one' }), 'one')
    },
  },
  {
    name: 'finds nothing by a query without words, and takes the signs of query languages for none',
    run: async (stage) => {
      await texts(stage, { a: 'near or and not tea', b: 'w c * tea' })
      for (const text of ['', '   ', '!?', '"', '*', "'", '\0', '\ud83d', '\u{1f600}', '-- ;', '& | ! <-> :*'])
        assert.deepEqual(await stage.store.search(stage.workspace, { text, limit: 9 }), { items: [], cursor: null })
      assert.equal(await found(stage, 'tea OR coffee'), '')
      assert.equal(await found(stage, '"near" AND not:*'), 'a')
      assert.equal(await found(stage, "te'; drop table entry --"), '')
      assert.equal(await found(stage, 'terms:tea'), '')
      assert.equal(await found(stage, '-tea !near'), 'a')
      assert.equal(await found(stage, '(te)*'), 'b a')
      await refused(find(stage, 'x'.repeat(2_001)), 'too_large')
      await refused(find(stage, 5 as unknown as string), 'invalid')
      await refused(find(stage, 'tea', { limit: 0 }), 'invalid')
      await refused(find(stage, 'tea', { folder: 'x' } as Partial<SearchQuery>), 'invalid')
      await refused(find(stage, 'tea', { branch: 'main' }), 'invalid')
    },
  },
  {
    name: 'finds words of any length, and a query of many',
    run: async (stage) => {
      const long = 'x'.repeat(100)
      const many = upTo(300)
        .map((n) => `w${n}`)
        .join(' ')
      await texts(stage, { a: `${long}a`, b: many, c: '漢'.repeat(400), d: 'y'.repeat(300_000) })
      assert.equal(await found(stage, long), 'a')
      assert.equal(await found(stage, 'xxx'), 'a')
      assert.equal(await found(stage, many), 'b')
      assert.equal(await found(stage, `${many} w301`), '')
      assert.equal(await found(stage, '漢'.repeat(400)), 'c')
      assert.equal(await found(stage, 'y'.repeat(70)), 'd')
    },
  },
  {
    name: 'shows a stretch around the first word it found, and where the words stand in it',
    run: async (stage) => {
      const filler = '\u{1f600} lorem '.repeat(60)
      const c = await texts(stage, {
        short: 'Tea, and more TÉA: teapots.',
        long: `${filler}the needle is here, needles ${filler}`,
        cjk: '黒い東京都の猫',
      })
      const [short] = await find(stage, 'tea', { conversation: c })
      assert.equal(short?.snippet, 'Tea, and more TÉA: teapots.')
      assert.deepEqual(marked(short as Hit), ['Tea', 'TÉA', 'teapots'])
      const [long] = await find(stage, 'needle')
      assert.deepEqual(marked(long as Hit), ['needle', 'needles'])
      assert.equal(Array.from(long?.snippet ?? '').length, 240)
      assert.ok(`${filler}the needle is here, needles ${filler}`.includes(long?.snippet ?? '-'))
      assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(long?.snippet ?? ''))
      const [both] = await find(stage, 'lorem needle')
      assert.equal(marked(both as Hit)[0], 'lorem')
      assert.deepEqual(marked((await find(stage, '東京都'))[0] as Hit), ['東京都'])
      assert.deepEqual(marked((await find(stage, '猫'))[0] as Hit), ['猫'])
    },
  },
  {
    name: 'finds nothing of what was redacted or removed, and says that it went',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await texts(stage, { a: 'secret one', b: 'secret two', c: 'secret three' })
      const other = await texts(stage, { d: 'secret four' })
      assert.equal((await store.redact(workspace, c, 'a')).removed.search_entry, 0)
      assert.equal(await found(stage, 'one'), '')
      assert.equal(await found(stage, 'secret', { conversation: c }), 'c b')
      assert.equal((await store.redact(workspace, c, 'b')).removed.search_entry, 1)
      assert.equal((await store.redact(workspace, c, 'b')).removed.search_entry, 0)
      assert.equal(await found(stage, 'secret', { conversation: c }), 'c')
      assert.equal(await found(stage, 'two'), '')
      assert.equal((await store.remove(workspace, c)).removed.search_entry, 1)
      assert.equal(await found(stage, 'secret'), 'd')
      assert.equal(await found(stage, 'secret', { conversation: c }), '')
      assert.equal(await found(stage, 'secret', { conversation: other }), 'd')
    },
  },
  {
    name: 'finds the same while many search and write at once',
    run: async (stage) => {
      const c = await begin(stage)
      await Promise.all(
        upTo(12).map(async (n) => {
          await add(stage, c, [ask(`busy b${n}x`)])
          assert.equal((await find(stage, `b${n}x`)).length, 1)
        }),
      )
      const hits = await find(stage, 'busy')
      assert.deepEqual(
        hits.map(({ seq }) => seq),
        upTo(12).toReversed(),
      )
    },
  },
]
