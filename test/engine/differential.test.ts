import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assemble } from '../../src/core/assemble.js'
import { presets } from '../../src/core/policy/presets/index.js'
import { messageOf } from '../../src/engine/messages.js'
import { runs } from '../runs.js'
import { assistant, calling, found, onEveryStore, user } from './stage.js'

/** Turns of every kind: long and short, with tools, cut off, begun by no user. */
const words = fc
  .tuple(fc.constantFrom('tea ', 'a much longer sentence, ', 'né 漢 '), fc.nat(120))
  .map(([w, n]) => w.repeat(n + 1))
const turn = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('talk' as const), ask: words, say: words }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tools' as const),
      ask: words,
      say: words,
      calls: fc.integer({ min: 1, max: 3 }),
      lost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unanswered' as const), ask: words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('greeting' as const), say: words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), say: words }) },
)
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

function messagesOf(one: Turn, i: number): object[] {
  if (one.kind === 'talk') return [user(`${i} ${one.ask}`), assistant(one.say)]
  if (one.kind === 'unanswered') return [user(`${i} ${one.ask}`)]
  if (one.kind === 'greeting') return [assistant(one.say)]
  if (one.kind === 'system') return [{ role: 'system', content: one.say }]
  const ids = Array.from({ length: one.calls }, (_, k) => `call-${i}-${k}`)
  return [
    user(`${i} ${one.ask}`),
    calling(...ids),
    ...ids.slice(one.lost ? 1 : 0).map((id) => found(id, one.say)),
    assistant(one.say),
  ]
}

const targets = ['openai-chat', 'anthropic', 'google', 'messages'] as const

onEveryStore('the window', ({ fresh, name }) => {
  test('through the store is what the whole path gives, byte for byte, under every policy [S4-3] [S3-1] [T-50]', async () => {
    let partly = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.array(turn, { maxLength: 20 }), fc.array(turn, { minLength: 40, maxLength: 60, size: 'max' })),
        fc.integer({ min: 300, max: 3_000 }),
        fc.constantFrom(...targets),
        fc.constantFrom(undefined, 'What now?'),
        fc.constantFrom(undefined, 'gpt-4o', 'claude-sonnet-4-5'),
        async (turns, budget, target, current, model) => {
          const history = await fresh()
          const all = turns.flatMap(messagesOf)
          for (let i = 0; i < all.length; i += 7) await history.append(all.slice(i, i + 7))
          const path = await history.path()
          for (const [policy, parsed] of Object.entries(presets)) {
            const places = path.map((entry) => messageOf(entry, parsed))
            const messages = parsed.intake.invalid === 'reject' ? places.filter((one) => one !== undefined) : places
            const options = { budget, target, ...(model ? { model } : null) }
            const input = { messages, ...(current ? { current } : null) }
            const whole = assemble(input, policy, options)
            const made = await history.window({ ...options, policy, ...(current ? { current } : null) })
            if (made.hydrated.loaded < made.hydrated.stored) partly++
            const shown = (one: typeof whole) => (one.ok ? one.rendered : one.error)
            expect(shown(made), policy).toEqual(shown(whole))
            if (made.ok && whole.ok) expect(made.receipt.wire.hash).toBe(whole.receipt.wire.hash)
          }
        },
      ),
      { numRuns: Math.ceil(runs / (name === 'memory' ? 4 : 15)) },
    )
    expect(partly).toBeGreaterThan(10)
  }, 120_000)
})
