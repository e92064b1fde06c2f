/** Builds windows of odd histories, one after the other; the cell of shared memory tells which one is being built. */
import { workerData } from 'node:worker_threads'
import fc from 'fast-check'
import { openHistory } from '../../src/engine/history.js'
import { assemble, type Input, type PresetName, type Target, targets } from '../../src/index.js'
import type { Recaller } from '../../src/recall/contract.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { presetNames, trialsOf, wishful } from './trial.js'

export interface Work {
  readonly from: number
  readonly to: number
  /** The seed that is being tried, then one more. */
  readonly cell: SharedArrayBuffer
  /** A seed whose window never ends, for the proof that this would be seen. */
  readonly endless: number | null
}

const { from, to, cell, endless } = workerData as Work
const now = new Int32Array(cell)

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n\n',
    '…',
    '.'.repeat(3_000),
    '👩‍👩‍👧'.repeat(700),
    '\u200d'.repeat(500),
    '\ud800',
    '('.repeat(900),
  ),
  fc.nat(900).map((n) => 'about the tea and the cups on the shelf. '.repeat(n / 10)),
  fc.nat(60).map((n) => `ITEM-${n} costs ${n * 37} euros in Lyon; see src/shop/cart.ts. `.repeat(1 + (n % 7))),
  fc.nat(40_000).map((n) => 'x'.repeat(n)),
)

const message = fc.record({
  kind: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'call', 'summary'),
  text: odd,
  until: fc.nat(60),
})

const story = fc.record({
  messages: fc.array(message, { maxLength: 40, size: 'max' }),
  pinned: fc.array(fc.nat(60), { maxLength: 4 }),
  excluded: fc.array(fc.nat(60), { maxLength: 4 }),
  until: fc.constantFrom('none', 'first', 'middle', 'last', 'newest', 'result', 'unknown', 'stored'),
  words: odd,
  quoted: fc.array(fc.record({ place: fc.integer({ min: -2, max: 60 }), text: odd, far: fc.boolean() }), {
    maxLength: 12,
  }),
  recalls: fc.constantFrom('none', 'given', 'asked', 'fails'),
  budget: fc.oneof(fc.constantFrom(0, 1, 60, 300, 1_200, 2_000, 5_000), fc.nat(5_000)),
  current: fc.constantFrom('none', 'text', 'with id', 'head'),
  preset: fc.constantFrom(...presetNames),
  target: fc.constantFrom(...targets),
  compacts: fc.boolean(),
})

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

async function live(one: Story): Promise<void> {
  const store = memoryStore()
  const history = await openHistory({ store, conversation: 'c' })
  const ids: string[] = []
  const pick = (place: number): string => ids[((place % ids.length) + ids.length) % ids.length] ?? 'nobody'
  for (const [n, { kind, text, until }] of one.messages.entries()) {
    const id = `m${n}`
    const said = { role: kind, content: text, id }
    const call = { id: `c${n}`, type: 'function', function: { name: 'look', arguments: '{}' } }
    try {
      if (kind === 'summary') {
        if (ids.length > 0) await history.summarise(text, pick(until))
        continue
      }
      if (kind === 'call') {
        await history.append([
          { role: 'assistant', content: null, id, tool_calls: [call] },
          { role: 'tool', id: `${id}r`, tool_call_id: `c${n}`, content: text },
        ])
        ids.push(id, `${id}r`)
        continue
      }
      await history.append([said])
      ids.push(id)
    } catch {
      // a message or a summary that is refused is no part of the story
    }
  }
  const path = await history.path()
  const until = {
    none: undefined,
    stored: undefined,
    unknown: 'nobody',
    first: path[0]?.id,
    middle: path[path.length >> 1]?.id,
    last: path.at(-2)?.id,
    newest: path.at(-1)?.id,
    result: path.find(({ body }) => body.kind === 'result')?.id,
  }[one.until]
  for (const place of one.excluded) if (ids.length > 0) await history.mark(pick(place), { excluded: true })
  for (const place of one.pinned) if (ids.length > 0) await history.mark(pick(place), { pinned: true })
  const items = one.quoted.map(({ place, text, far }, n) => ({
    id: place < 0 ? 'now' : pick(place),
    role: 'user' as const,
    text,
    score: 1 / (n + 1),
    reason: 'asked',
    place,
    ...(far ? { from: text.slice(0, 30) } : null),
  }))
  const recaller: Recaller = async () => {
    if (one.recalls === 'fails') throw new Error('no')
    return { items }
  }
  const head = path.at(-1)
  const current = {
    none: undefined,
    text: 'And now?',
    'with id': { role: 'user', content: 'And now?', id: 'now' },
    head:
      head?.body.kind === 'message' && head.body.role === 'user'
        ? { role: 'user', content: head.text, id: head.id }
        : undefined,
  }[one.current]
  const request = {
    policy: one.preset as PresetName,
    target: one.target as Target,
    budget: one.budget,
    ...(current === undefined ? null : { current }),
    ...(until === undefined ? null : { summary: { text: one.words, until } }),
    ...(one.recalls === 'given' ? { recall: { items } } : null),
    ...(one.recalls === 'asked' || one.recalls === 'fails' ? { recaller } : null),
  }
  await history.window(request)
  if (one.compacts) {
    await history.compact({ policy: one.preset, budget: one.budget, force: true })
    await history.window(request)
  }
}

for (let seed = from; seed < to; seed++) {
  Atomics.store(now, 0, seed)
  while (seed === endless);
  for (const one of fc.sample(story, { seed, numRuns: 1 })) await live(one)
  for (const one of fc.sample(wishful, { seed, numRuns: 1 }))
    for (const { input, preset, options } of trialsOf(one))
      for (const budget of [0, 1, 300, 1_200, 5_000]) assemble(input as Input, preset, { ...options, budget })
}
Atomics.store(now, 0, to)
