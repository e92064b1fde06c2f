import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { presets } from '../../core/policy/presets/index.js'
import { memoryStore } from '../../store/memory/store.js'
import { type History, openHistory } from '../history.js'
import { recallOf } from './partial.js'
import type { WindowRequest } from './window.js'

const call = (id: string, input: object) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: JSON.stringify(input) },
})
const turn = (n: number, words: number): object[] => [
  { role: 'user', content: `question ${n} ${'word '.repeat(words)}` },
  { role: 'assistant', content: null, tool_calls: [call(`call-${n}`, { n })] },
  { role: 'tool', tool_call_id: `call-${n}`, content: `found ${n} ${'text '.repeat(words)}` },
  { role: 'assistant', content: `answer ${n}` },
]

/** A window without the time it took. */
async function shown(history: History, request: WindowRequest) {
  const { hydrated, ...made } = await history.window(request)
  return { ...made, hydrated: { ...hydrated, milliseconds: 0 } }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('say' as const), words: fc.nat(120) }),
  fc.record({ do: fc.constant('redact' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('edit' as const), at: fc.nat() }),
)
const request = fc.record({
  policy: fc.constantFrom('balanced', 'session-window', 'handoff-balanced', 'agent-turns'),
  target: fc.constantFrom('openai-chat' as const, 'anthropic' as const),
  model: fc.constantFrom('gpt-4o', 'claude-sonnet-4-5'),
  budget: fc.constantFrom(600, 3_000),
})

async function take(history: History, one: typeof step extends fc.Arbitrary<infer T> ? T : never, n: number) {
  if (one.do === 'say') return void (await history.append(turn(n, one.words)))
  const entry = (await history.path()).filter(({ text, body }) => text !== '' && body.kind === 'message')[one.at % 40]
  if (!entry) return
  if (one.do === 'redact') return void (await history.redact(entry.id))
  await history.switch((await history.edit(entry.id, 'said in other words')).branch)
}

test('a history that has made windows before makes the same ones as a history that has not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, request), { minLength: 1, maxLength: 30 }), async (steps) => {
      const store = memoryStore()
      const history = await openHistory({ store, conversation: 'c' })
      for (const [n, [one, asked]] of steps.entries()) {
        await take(history, one, n)
        const other = await openHistory({ store, conversation: 'c' })
        const where = { ...asked, branch: history.branch }
        expect(await shown(history, where)).toEqual(await shown(other, where))
      }
    }),
    { numRuns: Math.ceil(runs / 4) },
  )
})

test('whoever changes the input of a call in a window changes no other window', async () => {
  const history = await openHistory({ store: memoryStore(), conversation: 'c' })
  await history.append(turn(1, 5))
  const asked = { current: 'and?', target: 'anthropic', model: 'claude-sonnet-4-5' } as const
  const before = JSON.stringify(await shown(history, asked))
  const made = await history.window(asked)
  if (!made.ok) throw new Error(made.error.message)
  for (const part of made.items.flatMap(({ parts }) => parts))
    if (part.type === 'call') Object.assign(part.input as object, { n: 'other' })
  expect(JSON.stringify(await shown(history, asked))).toBe(before)
})

test('what all histories remember of their windows has a bound: the one that was used longest ago forgets', async () => {
  const history = await openHistory({ store: memoryStore(), conversation: 'c' })
  for (const word of ['one', 'two']) await history.append({ role: 'user', content: `${word} `.repeat(250_000) })
  const entries = await history.path()
  const policy = presets.balanced
  const made = (source: object): void => {
    const recall = recallOf(source)
    for (const entry of entries) recall.message(entry, policy)
    recall.reached(1)
  }
  const sources = Array.from({ length: 12 }, () => ({}))
  for (const source of sources) made(source)
  // 2,000,000 characters each, of 16,000,000
  const remembered = sources.map((source) => recallOf(source).doublings === 1)
  expect(remembered.indexOf(true)).toBeGreaterThan(3)
  expect(remembered.lastIndexOf(false)).toBeLessThan(6)
})
