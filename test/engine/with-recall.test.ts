/** Messages that no store keeps have the window that a stored conversation has. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openHistory } from '../../src/engine/index.js'
import { assembleWithRecall } from '../../src/engine/with-recall.js'
import { assemble } from '../../src/index.js'
import { memoryStore } from '../../src/store/index.js'
import { runs } from '../runs.js'

const now = '2024-06-01T00:00:00Z'
const filler = (n: number) => [
  { id: `u${n}`, role: 'user', content: `Item ${n}: how should the parser treat line ${n} of the log file?` },
  { id: `a${n}`, role: 'assistant', content: `For line ${n} the parser reads the stamp, then the level. `.repeat(4) },
]
const fact = { id: 'fact', role: 'user', content: 'By the way, my sister Ada adopted a greyhound called Bolt.' }
const talk = [...filler(0), fact, { id: 'nice', role: 'assistant', content: 'How lovely!' }]
const long = [...talk, ...Array.from({ length: 40 }, (_, n) => filler(n + 1)).flat()]
const dated = long.map((message, at) => ({ ...message, timestamp: new Date(1.7e12 + at * 60_000).toISOString() }))
const asked = { current: 'What is the name of the dog that my sister has?' }

const quoted = (made: { readonly items: readonly { readonly mark?: string; readonly text: string }[] }): string =>
  made.items.find(({ mark }) => mark === 'recall')?.text ?? ''

async function made(messages: readonly unknown[], more: object = {}) {
  const built = await assembleWithRecall({ messages, ...asked }, 'balanced', { budget: 1_200, now, ...more })
  if (!built.ok) throw new Error(built.error.message)
  return built
}

test.each([800, 1_200, 2_000, 100_000])('the same window as from a store, at %d tokens', async (budget) => {
  const history = await openHistory({ store: memoryStore() })
  await history.append(dated)
  const stored = await history.window({ ...asked, budget, now })
  if (!stored.ok) throw new Error(stored.error.message)
  const { items, receipt } = await made(dated, { budget })
  const told = (all: typeof items) => all.map(({ id, role, text, fate }) => ({ id, role, text, fate }))
  expect(told(items)).toEqual(told(stored.items))
  expect(receipt.recall).toEqual(stored.receipt.recall)
})

test('without ids and times: what is recalled is named by its place, and by no day', async () => {
  const bare = long.map(({ role, content }) => ({ role, content }))
  const built = await made(bare)
  expect(quoted(built)).toContain('\n3 user: By the way, my sister Ada adopted')
  expect(quoted(built)).not.toContain('1970')
  expect(built.receipt.recall?.items.map(({ index }) => index)).toContain(2)
})

test('ids that come twice, results without calls and what is no message do not hinder it', async () => {
  const odd = [null, 7, { role: 'tool', tool_call_id: 'lost', content: 'gone' }, { role: 'user' }, fact]
  const built = await made([...odd, ...long, ...long])
  expect(quoted(built)).toContain('greyhound called Bolt')
})

test('several results in one message: places are those of messages', async () => {
  const call = { type: 'tool_use', id: 't1', name: 'look', input: {} }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'Nothing.' }
  const tools = [
    { role: 'assistant', content: [call, { ...call, id: 't2' }] },
    { role: 'user', content: [result, { ...result, tool_use_id: 't2' }, { type: 'text', text: 'Go on.' }] },
  ]
  const messages = [...filler(90), ...tools, ...long]
  const built = await made(messages)
  const places = built.receipt.recall?.items.map(({ index }) => index) ?? []
  expect(places).toContain(messages.indexOf(fact))
})

test('a policy without recall, and a recaller that is turned off, change nothing', async () => {
  const input = { messages: dated, ...asked }
  const options = { budget: 1_200, now }
  expect(await assembleWithRecall(input, 'handoff-user-first', options)).toEqual(
    assemble(input, 'handoff-user-first', options),
  )
  expect(await assembleWithRecall(input, 'balanced', options, null)).toEqual(assemble(input, 'balanced', options))
})

test('a recaller that fails costs no window, and is told', async () => {
  const input = { messages: dated, ...asked }
  const built = await assembleWithRecall(input, 'balanced', { budget: 1_200, now }, async () => {
    throw new Error('out of order')
  })
  expect(built.ok).toBe(true)
  expect(built.warnings.map(({ code }) => code)).toContain('recall.failed')
})

test('whatever the messages are, there is an answer, and it keeps to the budget', async () => {
  const message = fc.oneof(
    fc.constantFrom(...long),
    fc.anything(),
    fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'x'), content: fc.string({ unit: 'binary' }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 30, maxLength: 80 }), async (messages) => {
      const built = await assembleWithRecall({ messages, ...asked }, 'balanced', { budget: 700, now })
      const plain = assemble({ messages, ...asked }, 'balanced', { budget: 700, now })
      expect(built.ok).toBe(plain.ok)
      if (built.ok) expect(built.receipt.budget.used).toBeLessThanOrEqual(700)
      expect(built.warnings.map(({ code }) => code)).not.toContain('recall.failed')
    }),
    { numRuns: Math.ceil(runs / 6) },
  )
})
