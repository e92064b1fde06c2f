import { expect, test } from 'vitest'
import { check } from '../../src/core/rules/check.js'
import type { Statement, Summariser } from '../../src/engine/compact/contract.js'
import type { History } from '../../src/engine/history.js'
import { runs } from '../runs.js'
import { assistant, calling, found, onEveryStore, user } from './stage.js'

const budget = 1_200
const request = { policy: 'balanced', budget, model: 'gpt-4o' } as const

/** A talk of which only the last turns fit. */
async function talk(history: History, turns: number, from = 0): Promise<void> {
  for (let turn = from; turn < from + turns; turn++)
    await history.append([
      user(`Question ${turn}: what does item ITEM-${1000 + turn} cost, and who sells it in Lyon?`),
      ...(turn % 5 === 3 ? [calling(`call-${turn}`), found(`call-${turn}`, 'row '.repeat(60))] : []),
      assistant(`Item ITEM-${1000 + turn} costs ${turn * 37 + 100} euros. We decided to buy it from seller ${turn}.`),
    ])
}

const bytesOf = async (history: History, more = {}): Promise<string> => {
  const made = await history.window({ ...request, ...more })
  if (!made.ok) throw new Error(made.error.message)
  return made.receipt.wire.hash
}

const saying = (statements: readonly Statement[]): Summariser => ({ author: 'test', summarise: async () => statements })
const short: readonly Statement[] = [
  { section: 'fact', text: 'We decided to buy each item from its seller.', sources: [] },
]

onEveryStore('compaction', ({ fresh }) => {
  test('covers what the window leaves out, from the oldest on, and the rest is kept [P-23] [T-29] [S3-F4] [S1-F10]', async () => {
    // a question about the past would make the tail give way to what is recalled
    const history = await fresh({ recaller: null })
    await talk(history, 20)
    const before = await history.path()
    const made = await history.compact(request)
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    expect(made.tokens[1]).toBeLessThan(made.tokens[0])
    const window = await history.window(request)
    if (!window.ok) throw new Error(window.error.message)
    const { lines, totals, summary, gaps } = window.receipt
    expect(summary).toMatchObject({ id: made.entry, until: made.until, messages: made.covers })
    const until = before.findIndex(({ id }) => id === made.until)
    expect(until).toBe(made.covers - 1)
    for (const line of lines) {
      // the opener keeps its own place
      if (line.fate === 'summarised' || line.fate === 'recalled') expect(line.to).toBeLessThanOrEqual(until)
      else if (line.from > 0) expect(line.from).toBeGreaterThan(until)
    }
    expect(lines.some(({ fate, stage }) => fate === 'dropped' && stage === 'fit')).toBe(false)
    expect(totals.kept + totals.clipped + totals.folded + totals.summarised + totals.recalled + totals.dropped).toBe(
      totals.messages,
    )
    // the summary's own entry is no message that was lost
    expect([totals.dropped, totals.messages]).toEqual([0, before.length])
    expect(gaps).toEqual([])
    expect(window.items.filter(({ mark }) => mark === 'summary')).toHaveLength(1)
    // nothing that it covers has changed
    expect((await history.path()).slice(0, before.length)).toEqual(before)
  })

  test('undone, it leaves the window as it was, to the byte; nothing was destroyed, so nobody need be asked [L-30]', async () => {
    const history = await fresh()
    await talk(history, 20)
    const before = await bytesOf(history)
    const made = await history.compact(request)
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    expect(await bytesOf(history)).not.toBe(before)
    await history.mark(made.entry, { excluded: true })
    expect(await bytesOf(history)).toBe(before)
    // nobody who undid it gets the same one again
    expect(await history.compact(request)).toEqual({ state: 'unneeded' })
    await history.mark(made.entry, { excluded: false })
    expect(await bytesOf(history)).not.toBe(before)
  })

  test('what is said while the summary is written is kept, and stands behind what was said before [T-30]', async () => {
    for (let round = 0; round < Math.min(runs, 100); round += 20) {
      const history = await fresh()
      await talk(history, 20)
      const late: Summariser = {
        author: 'test',
        async summarise() {
          await talk(history, 1, 500 + round)
          return short
        },
      }
      const made = await history.compact({ ...request, summariser: late })
      if (made.state !== 'done') throw new Error(JSON.stringify(made))
      const window = await history.window(request)
      if (!window.ok) throw new Error(window.error.message)
      const sent = window.items.map(({ text }) => text).join('\n')
      expect(sent).toContain(`Question ${500 + round}:`)
      const path = await history.path()
      expect(path.at(-1)?.id).toBe(made.entry)
    }
  })

  test.each([
    ['throws', { author: 'test', summarise: () => Promise.reject(new Error('529 overloaded')) }, 'summary_failed'],
    ['never answers', { author: 'test', summarise: () => new Promise<never>(() => {}) }, 'summary_failed'],
    ['says nothing', saying([]), 'summary_empty'],
    ['says an error', saying([{ section: 'fact', text: 'Error: 529 overloaded', sources: [] }]), 'summary_empty'],
  ] as const)(
    'a summariser that %s is asked twice at most, and nothing changes [L-15] [T-58] [T-57]',
    async (_, given, cause) => {
      const history = await fresh()
      await talk(history, 20)
      const before = [await bytesOf(history), await history.path()]
      let asked = 0
      const summariser: Summariser = {
        author: given.author,
        summarise(...args) {
          asked++
          return (given as Summariser).summarise(...args)
        },
      }
      const made = await history.compact({ ...request, summariser, patienceMs: 50 })
      expect(made).toEqual({ state: 'refused', cause, attempts: 2 })
      expect(asked).toBe(2)
      expect([await bytesOf(history), await history.path()]).toEqual(before)
    },
  )

  test('the next one takes up the one before, and there is no next one before enough is missing [L-16] [T-58]', async () => {
    const history = await fresh()
    await talk(history, 20)
    const first = await history.compact(request)
    if (first.state !== 'done') throw new Error(JSON.stringify(first))
    expect(await history.compact(request)).toEqual({ state: 'unneeded' })
    await talk(history, 1, 20)
    expect(await history.compact(request)).toEqual({ state: 'unneeded' })
    await talk(history, 20, 21)
    let folded: readonly Statement[] = []
    const summariser: Summariser = {
      author: 'test',
      async summarise({ previous, words }) {
        folded = previous
        expect(words).toBeGreaterThan(0)
        return [...previous.slice(0, 3), ...short]
      },
    }
    const second = await history.compact({ ...request, summariser })
    if (second.state !== 'done') throw new Error(JSON.stringify(second))
    expect(folded.length).toBeGreaterThan(0)
    expect(second.covers).toBeGreaterThan(first.covers)
    const window = await history.window(request)
    if (!window.ok) throw new Error(window.error.message)
    expect(window.receipt.summary?.id).toBe(second.entry)
    expect(window.items.filter(({ mark }) => mark === 'summary')).toHaveLength(1)
  })

  test('a summary is long in coming, and goes on where the one before ended until it is full [P-18] [L-16]', async () => {
    const history = await fresh()
    const texts: string[] = []
    for (let turn = 0; turn < 60; turn++) {
      await talk(history, 1, turn)
      const made = await history.compact({ ...request, budget: 1_500 })
      if (made.state === 'done') texts.push((await history.path()).at(-1)?.text ?? '')
    }
    expect(texts.length).toBeGreaterThan(3)
    // a summary leaves room for several turns
    expect(texts.length).toBeLessThan(60 / 4)
    const grown = texts.filter((text, at) => at > 0 && text.startsWith(`${texts[at - 1]}\n`))
    expect(grown.length).toBeGreaterThan(0)
    expect(grown.length).toBeLessThan(texts.length - 1)
    // the sources stand in the order of the lines
    const last = (await history.path()).findLast(({ body }) => body.kind === 'summary')
    const lines = (last?.text ?? '').split('\n').filter((line) => line.startsWith('- '))
    expect(last?.meta?.sources).toHaveLength(lines.length)
  })

  test('what a person wrote as a summary is not continued, but taken up', async () => {
    const history = await fresh()
    await talk(history, 20)
    const until = (await history.path())[9]?.id ?? ''
    await history.summarise('They buy one item after another.', until)
    const made = await history.compact({ ...request, force: true })
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    expect((await history.path()).at(-1)?.text.startsWith('They buy')).toBe(false)
  })

  test('one is written before the next message would make something go [P-18]', async () => {
    const history = await fresh({ recaller: null })
    let turn = 0
    for (; turn < 40; turn++) {
      await talk(history, 1, turn)
      const made = await history.compact(request)
      if (made.state === 'done') break
      const window = await history.window({ ...request, current: 'And now?' })
      if (!window.ok) throw new Error(window.error.message)
      expect(window.receipt.totals.dropped).toBe(0)
    }
    expect(turn).toBeGreaterThan(3)
    expect(turn).toBeLessThan(39)
  })

  test('behind a summary, quotes that would free little do not break the prefix before the next one does [P-18]', async () => {
    const history = await fresh({ recaller: null })
    const asked = { ...request, budget: 6_000 }
    let before: readonly string[] = []
    const breaks = { summary: 0, quotes: 0 }
    for (let turn = 0; turn < 40; turn++) {
      const made = await history.compact(asked)
      const window = await history.window({ ...asked, current: user(`Question ${turn}`), target: 'openai-chat' })
      if (!window.ok) throw new Error(window.error.message)
      const now = window.rendered.messages.map((message) => JSON.stringify(message))
      const same = now.findIndex((message, at) => message !== before[at])
      if (before.length > 0 && same < before.length / 2) breaks[made.state === 'done' ? 'summary' : 'quotes']++
      before = now
      await history.append([
        user(`Question ${turn}: what about ITEM-${1000 + turn}?`),
        ...[0, 1, 2].flatMap((n) => [
          calling(`call-${turn}-${n}`),
          found(`call-${turn}-${n}`, `row ${turn} ${n} costs ${turn * 37 + n} `.repeat(14)),
        ]),
        assistant(`We decided to buy it from seller ${turn}.`),
      ])
    }
    expect(breaks.summary).toBeGreaterThan(2)
    expect(breaks.quotes).toBeLessThan(breaks.summary)
  })

  test('the newest turn is never covered while it fits [P-03]', async () => {
    const history = await fresh()
    await talk(history, 12)
    await history.append([user(`Last: ${'a long question '.repeat(60)}`), assistant('A long answer. '.repeat(60))])
    const path = await history.path()
    const made = await history.compact(request)
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    expect(made.covers).toBeLessThanOrEqual(path.length - 2)
  })

  test('a long paste does not keep a talk from its summary', async () => {
    const history = await fresh()
    const log = Array.from({ length: 200 }, (_, n) => `${n * 7919} WARN src/queue/worker-${n}.ts took ${n * 31} ms`)
    await history.append([user(`Why does order ORD-4417 wait?\n\n${log.join('\n')}`), assistant('It is the lock.')])
    for (let turn = 0; turn < 40; turn++)
      await history.append([
        user('Is there another way to do this?'),
        assistant('There is, but it is slower. '.repeat(6)),
      ])
    const made = await history.compact({ ...request, budget: 2_400 })
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    expect((await history.path()).at(-1)?.text).toContain('ORD-4417')
  })

  test('every statement names entries that it covers', async () => {
    const history = await fresh()
    await talk(history, 20)
    const made = await history.compact(request)
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    const path = await history.path()
    const covered = new Set(path.slice(0, made.covers).map(({ id }) => id))
    const sources = path.at(-1)?.meta?.sources as readonly (readonly string[])[]
    expect(sources.length).toBeGreaterThan(0)
    for (const list of sources) {
      expect(list.length).toBeGreaterThan(0)
      for (const source of list) expect(covered.has(source)).toBe(true)
    }
  })

  test('when the words of a source are removed, the summary is gone with them', async () => {
    const history = await fresh()
    await talk(history, 20)
    const made = await history.compact(request)
    if (made.state !== 'done') throw new Error(JSON.stringify(made))
    const [, second] = await history.path()
    await history.redact(second?.id ?? '')
    const window = await history.window(request)
    if (!window.ok) throw new Error(window.error.message)
    expect(window.receipt.summary).toBeUndefined()
    const last = (await history.path()).at(-1)
    expect([last?.id, last?.text, last?.redacted]).toEqual([made.entry, '', true])
  })

  test('a window with a summary is legal for every provider', async () => {
    const history = await fresh()
    await talk(history, 20)
    expect((await history.compact(request)).state).toBe('done')
    for (const target of ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk'] as const) {
      const window = await history.window({ ...request, target, current: 'And now?' })
      if (!window.ok) throw new Error(window.error.message)
      expect(check(target, window.rendered)).toEqual([])
      expect(JSON.stringify(window.rendered)).toContain('[Summary of ')
    }
  })

  test('a policy that writes no summaries gets none, and a short talk needs none', async () => {
    const history = await fresh()
    await talk(history, 3)
    expect(await history.compact(request)).toEqual({ state: 'unneeded' })
    await talk(history, 20, 3)
    expect(await history.compact({ ...request, policy: 'session-window' })).toEqual({ state: 'unneeded' })
  })
})
