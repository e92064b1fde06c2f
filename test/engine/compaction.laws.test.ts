/** The laws of compaction, over talks of every density, any budget and summarisers of every kind. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Statement, Summariser } from '../../src/engine/compact/contract.js'
import { extractive } from '../../src/engine/compact/extract.js'
import { keepsOf, missingFrom } from '../../src/engine/compact/keep.js'
import { saidIn } from '../../src/engine/compact/material.js'
import { type History, openHistory } from '../../src/engine/index.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { runs } from '../runs.js'
import { assistant, calling, found, user, windowOf } from './stage.js'

const shapes = ['plain', 'dense', 'tools', 'long', 'silent'] as const
type Shape = (typeof shapes)[number]

const turnOf = (shape: Shape, n: number): readonly object[] => {
  switch (shape) {
    case 'plain':
      return [user(`Shall we plant the roses by the wall, then? ${n}`), assistant('They like the evening sun there.')]
    case 'dense':
      return [
        user(`Move ORD-${4000 + n} from src/cart/part${n}.ts to https://shop.example/${n}?x=1 for €${1000 + n}.50.`),
        assistant(`Done: ORD-${4000 + n} is moved, in ${n * 733 + 100} ms.`),
      ]
    case 'tools':
      return [
        user(`Look up item ${n}.`),
        calling(`call-${n}`),
        found(`call-${n}`, 'row '.repeat(40)),
        assistant('It is there.'),
      ]
    case 'long':
      return [user(`Tell me of part ${n}.`), assistant('It was a long way, and we went on. '.repeat(12))]
    case 'silent':
      return [user(`The question of ${n} is still open.`)]
  }
}

const kinds = ['extractive', 'careless', 'late', 'failing', 'erring', 'huge'] as const
const careless: readonly Statement[] = [{ section: 'fact', text: 'They spoke of roses by the wall.', sources: [] }]

interface Writer extends Summariser {
  readonly asked: () => number
}

function summariserOf(kind: (typeof kinds)[number], history: History): Writer {
  let asked = 0
  const answer: Readonly<Record<typeof kind, Summariser['summarise']>> = {
    extractive: extractive.summarise,
    careless: async ({ said: [first] }) => [{ ...(careless[0] as Statement), sources: first ? [first.id] : [] }],
    late: async (brief, signal) => {
      await history.append([user('This came meanwhile.'), assistant('So it did.')])
      return extractive.summarise(brief, signal)
    },
    failing: () => Promise.reject(new Error('529 overloaded')),
    erring: async () => [{ section: 'fact', text: 'Error: 529 overloaded', sources: [] }],
    huge: async ({ said }) => said.map(({ id, text }) => ({ section: 'fact', text: text.repeat(60), sources: [id] })),
  }
  return {
    author: kind,
    asked: () => asked,
    summarise(...args) {
      asked++
      return answer[kind](...args)
    },
  }
}

interface Case {
  readonly turns: readonly Shape[]
  readonly budget: number
  readonly kind: (typeof kinds)[number]
  readonly pin: number
}

const talks: fc.Arbitrary<Case> = fc.record({
  turns: fc.array(fc.constantFrom(...shapes), { minLength: 4, maxLength: 40, size: 'max' }),
  budget: fc.integer({ min: 250, max: 2_500 }),
  kind: fc.constantFrom(...kinds),
  pin: fc.nat(200),
})

async function spoken(turns: readonly Shape[]): Promise<History> {
  const history = await openHistory({ store: memoryStore(), conversation: 'c', recaller: null })
  for (const [n, shape] of turns.entries()) await history.append(turnOf(shape, n))
  return history
}

const requestOf = ({ budget }: Case) => ({ policy: 'balanced', budget, model: 'gpt-4o' }) as const
const current = 'And now?'

/** What is wrong with a window behind a summary. */
async function faultsOf(history: History, one: Case, covers: number): Promise<string[]> {
  const { receipt, items } = await windowOf(history, { ...requestOf(one), current })
  const out: string[] = []
  // in a window with no room for it nothing is covered
  const until = receipt.summary ? covers : 0
  if (receipt.summary && receipt.summary.messages !== covers) out.push(`it covers ${receipt.summary.messages}`)
  let next = 0
  for (const { from, to, fate, stage } of receipt.lines) {
    if (from !== next) out.push(`nothing is said of ${next} to ${from}`)
    next = to + 1
    if (fate === 'summarised' && to >= until) out.push(`${to} is not covered`)
    if (fate === 'dropped' && stage === 'fit' && from < until) out.push(`${from} is covered, yet dropped`)
  }
  const left = receipt.lines.some(({ fate, stage }) => fate === 'dropped' && stage === 'fit')
  if (left !== items.some(({ mark }) => mark === 'gap')) out.push('the markers do not tell what is missing')
  return out
}

test('nothing is uncovered or lost, what comes meanwhile is kept, it ends, and undone it was never there [P-23] [T-29] [T-30] [T-58]', async () => {
  await fc.assert(
    fc.asyncProperty(talks, async (one) => {
      const history = await spoken(one.turns)
      const request = requestOf(one)
      const path = await history.path()
      await history.mark((path[one.pin % path.length] as { id: string }).id, { pinned: true })
      const bytes = async () => (await windowOf(history, { ...request, current })).receipt.wire.hash
      let covered = 0
      let folded = false
      for (let step = 0; ; step++) {
        // each step covers at least one message more
        expect(step).toBeLessThanOrEqual(path.length * 2)
        const [before, log] = [await bytes(), await history.path()]
        const summariser = summariserOf(one.kind, history)
        const made = await history.compact({ ...request, summariser, force: step === 0 })
        expect(summariser.asked()).toBeLessThanOrEqual(2)
        const after = await history.path()
        // the log is as it was, and what is new stands behind it
        expect(after.slice(0, log.length)).toEqual(log)
        if (one.kind === 'late' && summariser.asked() > 0)
          expect(after.filter(({ text }) => text === 'This came meanwhile.').length).toBeGreaterThan(step)
        if (made.state !== 'done') {
          if (one.kind !== 'late') expect([await bytes(), after.length]).toEqual([before, log.length])
          break
        }
        expect(made.covers).toBeGreaterThan(covered)
        expect(made.tokens[1]).toBeLessThan(made.tokens[0])
        expect(await faultsOf(history, one, made.covers)).toEqual([])
        const said = saidIn(after.slice(covered, made.covers))
        const summary = after.find(({ id }) => id === made.entry)
        expect(missingFrom(summary?.text ?? '', keepsOf(said).must)).toEqual([])
        if (one.kind !== 'late' && !folded) {
          await history.mark(made.entry, { excluded: true })
          expect(await bytes()).toBe(before)
          await history.mark(made.entry, { excluded: false })
        }
        ;[covered, folded] = [made.covers, true]
        if (one.kind === 'late') break
      }
    }),
    { numRuns: Math.ceil(runs / 5) },
  )
})

test('a pinned message stays in the window when a summary covers it [P-16] [P-23]', async () => {
  const history = await spoken(Array.from({ length: 30 }, (_, n) => shapes[n % 2] as Shape))
  const [, , pinned] = await history.path()
  await history.mark(pinned?.id ?? '', { pinned: true })
  const request = { policy: 'balanced', budget: 900, model: 'gpt-4o' } as const
  expect(await history.compact(request)).toMatchObject({ state: 'done' })
  const { items } = await windowOf(history, { ...request, current })
  expect(items.map(({ id }) => id)).toContain(pinned?.id)
})

test('a summary larger than what it stands for is refused, after two attempts [L-15] [T-58]', async () => {
  const history = await spoken(Array.from({ length: 30 }, () => 'plain' as const))
  const summariser = summariserOf('huge', history)
  const before = await history.path()
  const made = await history.compact({ policy: 'balanced', budget: 500, model: 'gpt-4o', summariser })
  expect(made).toEqual({ state: 'refused', cause: 'summary_too_large', attempts: 2 })
  expect(summariser.asked()).toBe(2)
  expect(await history.path()).toEqual(before)
})

test('a talk of nothing but specifics is covered step by step, none of them lost on the way [P-23]', async () => {
  const history = await spoken(Array.from({ length: 40 }, () => 'dense' as const))
  const request = { policy: 'balanced', budget: 1_200, model: 'gpt-4o' } as const
  const covers: number[] = []
  for (;;) {
    const made = await history.compact(request)
    if (made.state !== 'done') break
    covers.push(made.covers)
  }
  expect(covers.length).toBeGreaterThan(2)
  expect(await faultsOf(history, { turns: [], budget: 1_200, kind: 'extractive', pin: 0 }, covers.at(-1) ?? 0)).toEqual(
    [],
  )
  const { receipt } = await windowOf(history, { ...request, current })
  const left = receipt.lines.filter(({ fate, stage }) => fate === 'dropped' && stage === 'fit')
  // less is missing than is worth a summary
  expect(left.reduce((sum, { tokens }) => sum + (tokens?.[0] ?? 0), 0)).toBeLessThan(1_200 * 0.25)
})
