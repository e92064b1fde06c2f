/** The usual recaller behind real histories, on every store. */
import { expect, test } from 'vitest'
import type { History } from '../../src/engine/index.js'
import { openHistory } from '../../src/engine/index.js'
import { createRecaller } from '../../src/recall/index.js'
import type { Store } from '../../src/store/contract/store.js'
import { assistant, onEveryStore, user, windowOf } from '../engine/stage.js'

/** Talk that fills a window and says nothing of what is asked. */
const filler = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => n + from).flatMap((n) => [
    user(`Item ${n}: how should the parser treat line ${n} of the log file?`, { id: `u${n}` }),
    assistant(
      `For line ${n} the parser reads the stamp, then the level, then the words that are left over. `.repeat(3),
      {
        id: `a${n}`,
      },
    ),
  ])

const fact = user('By the way, my sister Ada adopted a greyhound called Bolt.', { id: 'fact' })
const small = {
  budget: 1_200,
  target: 'openai-chat',
  current: 'What is the name of the dog that my sister has?',
} as const

const recalled = (made: Awaited<ReturnType<typeof windowOf>>): readonly string[] =>
  made.receipt.recall?.items.flatMap(({ id }) => id ?? []) ?? []

const said = [...filler(3), fact, assistant('How lovely!', { id: 'lovely' }), ...filler(40, 3)]

async function talk(history: History): Promise<void> {
  await history.append(said)
}

/** The same, and something else weeks later. */
async function talkLater(history: History, later: readonly object[]): Promise<void> {
  const on = (timestamp: string) => (message: object) => ({ ...message, timestamp })
  await history.append([...said.map(on('2024-05-03T10:00:00Z')), ...later.map(on('2024-06-20T10:00:00Z'))])
}

onEveryStore('recall', ({ fresh, store }) => {
  test('brings back what was said long ago in other words [S3-F1]', async () => {
    const history = await fresh()
    await talk(history)
    const made = await windowOf(history, small)
    expect(recalled(made)).toContain('fact')
    expect(JSON.stringify(made.rendered)).toContain('a greyhound called Bolt')
    expect(made.warnings.map(({ code }) => code)).not.toContain('recall.lexical')
  })

  test('looks for what a long message asks before a pasted file or behind it', async () => {
    const history = await fresh()
    await talk(history)
    const paste = filler(100, 900)
      .map(({ content }) => content)
      .join('\n')
    for (const current of [`${small.current}\n${paste}`, `${paste}\n${small.current}`])
      expect(recalled(await windowOf(history, { ...small, budget: 15_500, current }))).toContain('fact')
  })

  test('goes by the words alone without an embedder, and says so', async () => {
    const history = await fresh({ recaller: createRecaller({ embedder: null }) })
    await talk(history)
    const made = await windowOf(history, small)
    expect(recalled(made)).toContain('fact')
    expect(made.warnings.map(({ code }) => code)).toContain('recall.lexical')
  })

  test('brings back nothing when it is turned off', async () => {
    const history = await fresh({ recaller: null })
    await talk(history)
    expect(recalled(await windowOf(history, small))).toEqual([])
  })

  test('looks at its own path only, and at all of it', async () => {
    const history = await fresh()
    await talk(history)
    expect(recalled(await windowOf(history, small))).toContain('fact')
    const { branch } = await history.edit('fact', user('By the way, it rains.', { id: 'rain' }))
    await history.switch(branch)
    await history.append(filler(40, 50))
    expect(recalled(await windowOf(history, small))).not.toContain('fact')
    await history.switch('main')
    expect(recalled(await windowOf(history, small))).toContain('fact')
  })

  test('never says again what was removed, however well it was known', async () => {
    const history = await fresh()
    await talk(history)
    expect(recalled(await windowOf(history, small))).toContain('fact')
    await history.redact('fact')
    const made = await windowOf(history, small)
    expect(recalled(made)).not.toContain('fact')
    expect(JSON.stringify(made)).not.toContain('Bolt')
  })

  test('reads only what is new on a path that it knows', async () => {
    const read: number[] = []
    const kept = store()
    const noted = async (reading: ReturnType<Store['path']>) => {
      read.push((await reading).length)
      return reading
    }
    const counting: Store = {
      ...kept,
      path: (...given) => noted(kept.path(...given)),
      feed: (...given) => noted(kept.feed(...given)),
    }
    const history = await fresh({ store: counting, recaller: createRecaller() })
    await talk(history)
    await windowOf(history, small)
    expect(read).toContain(said.length)
    await history.append([user('My brother Tim has a parrot called Coco.', { id: 'late' }), ...filler(10, 60)])
    read.length = 0
    const made = await windowOf(history, { ...small, current: 'What is the name of the parrot of my brother?' })
    expect(recalled(made)).toContain('late')
    expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThan(60)
  })

  test('has most of the room for a question about the past, and the usual share while the talk goes on [S3-F3]', async () => {
    const history = await fresh()
    await talk(history)
    const tailOf = (made: Awaited<ReturnType<typeof windowOf>>): number =>
      made.items.filter(({ index }) => index !== null && index > 0).length
    const past = await windowOf(history, small)
    expect(past.receipt.recall).toMatchObject({ why: 'past', share: 0.9 })
    expect(past.items.find(({ id }) => id === 'a42')?.fate).toBe('kept')
    const on = await windowOf(history, { ...small, current: 'Thanks. Go on with line 43 of the log file.' })
    expect(on.receipt.recall).toMatchObject({ why: 'usual', share: 0.1 })
    expect(on.receipt.recall?.tokens).toBeLessThan(past.receipt.recall?.tokens ?? 0)
    expect(tailOf(on)).toBeGreaterThan(tailOf(past))
    for (const made of [past, on]) expect(made.receipt.budget.used).toBeLessThanOrEqual(small.budget)
  })

  test('cuts a long newest answer for a question about the past alone, and not for one that goes on with it', async () => {
    const history = await fresh()
    const manual = 'The manual says how the machine is cleaned and oiled. '.repeat(40)
    await talkLater(history, [user('Write the manual.', { id: 'ask' }), assistant(manual, { id: 'manual' })])
    const newest = async (current: string) => {
      const made = await windowOf(history, { ...small, current })
      expect(made.items.find(({ id }) => id === 'ask')?.fate).toBe('kept')
      expect(made.receipt.budget.used).toBeLessThanOrEqual(small.budget)
      return { made, answer: made.items.find(({ id }) => id === 'manual') }
    }
    const past = await newest(small.current)
    expect(past.made.receipt.recall?.why).toBe('alone')
    expect(past.answer?.text).toMatch(/^The manual says .*characters omitted …\].* oiled\.\s*$/s)
    expect(past.answer?.fate).toBe('clipped')
    expect(recalled(past.made)).toContain('fact')
    for (const current of ['How is the machine of the manual cleaned and oiled?', 'Go on.'])
      expect((await newest(current)).answer?.fate).toBe('kept')
  })

  test('cuts no newest turn in which tools were at work', async () => {
    const history = await fresh()
    const result = 'line of the listing of files '.repeat(40)
    await talkLater(history, [
      user('List the files.', { id: 'ask' }),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call', content: result },
      assistant('These are the files. '.repeat(60), { id: 'files' }),
    ])
    const made = await windowOf(history, small)
    expect(made.receipt.recall?.why).toBe('past')
    expect(made.items.find(({ id }) => id === 'files')?.fate).toBe('kept')
  })

  test('quotes no bare "ok" and nothing that has nothing to do with the message, and no turn gives way to that', async () => {
    const history = await fresh()
    await history.append(user('My sister Ines lives in Porto.', { id: 'fact' }))
    for (let n = 0; n < 80; n++)
      await history.append([
        assistant('ok', { id: `ok${n}` }),
        user(`Step ${n}: please sort column ${n} of the ledger. ${'by date '.repeat(20)}`),
      ])
    const strange = await windowOf(history, { budget: 1_200, current: 'How tall is the Eiffel tower?' })
    expect(strange.receipt.recall?.items ?? []).toEqual([])
    // when they gave way, two were left
    expect(strange.items.filter(({ index }) => index !== null).length).toBeGreaterThan(4)
    for (const current of ['Go on.', 'Thanks!', 'Where does Ines live?', 'What did I say about column 12?'])
      expect(recalled(await windowOf(history, { budget: 1_200, current })).filter((id) => id.startsWith('ok'))).toEqual(
        [],
      )
  })

  test('leaves the prefix as it is while the talk goes on, whatever is recalled [S3-F3]', async () => {
    const history = await fresh()
    await talk(history)
    const stable = async (current: string): Promise<string> => {
      const made = await windowOf(history, { ...small, current })
      expect(made.receipt.recall?.why ?? 'usual').toBe('usual')
      const upTo = made.items.findIndex(({ mark }) => mark === 'recall')
      return JSON.stringify((upTo < 0 ? made.items.slice(0, -1) : made.items.slice(0, upTo)).map(({ text }) => text))
    }
    expect(await stable('Please go on with my sister and her dog Bolt.')).toBe(await stable('Go on with line 43.'))
  })

  test('brings back a long answer that the message answers, cut where it must be', async () => {
    const history = await fresh()
    await talk(history)
    await history.append([
      user('Write the whole manual.', { id: 'ask' }),
      assistant('The manual says how the machine is cleaned and oiled. '.repeat(200), { id: 'manual' }),
      user('Wait.', { id: 'wait' }),
    ])
    const made = await windowOf(history, { ...small, current: 'Shorten it.' })
    expect([...recalled(made), ...made.items.flatMap(({ id }) => id ?? [])]).toContain('manual')
    expect(made.receipt.budget.used).toBeLessThanOrEqual(small.budget)
  })

  test('finds what another conversation of the workspace says, with its title [S3-F2] [S4-F2]', async () => {
    const workspace = `shared`
    const other = await openHistory({ store: store(), workspace, conversation: 'other', title: 'Family news' })
    await other.append([fact])
    const stranger = await openHistory({
      store: store(),
      workspace: `${workspace}-not`,
      conversation: 'x',
      title: 'Strangers',
    })
    await stranger.append([user('My sister has a dog with the name Rex.', { id: 'foreign' })])
    const history = await openHistory({ store: store(), workspace, conversation: 'mine' })
    await history.append(filler(40))
    expect(JSON.stringify(await windowOf(history, small))).not.toContain('Bolt')
    const made = await windowOf(history, { ...small, overrides: { recall: { from: 'workspace' } } })
    expect(made.receipt.recall?.items.find(({ id }) => id === 'fact')).toMatchObject({ from: 'Family news' })
    expect(JSON.stringify(made)).not.toContain('Rex')
  })
})
