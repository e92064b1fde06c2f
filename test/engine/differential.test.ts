import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presetNames, presets } from '../../src/core/policy/presets/index.js'
import { assemble } from '../../src/core/window/assemble.js'
import { counterFor } from '../../src/core/window/plan.js'
import { messageOf } from '../../src/engine/window/entries.js'
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
          const history = await fresh({ recaller: null })
          const all = turns.flatMap(messagesOf)
          for (let i = 0; i < all.length; i += 7) await history.append(all.slice(i, i + 7))
          const path = await history.path()
          for (const policy of presetNames) {
            const parsed = presets[policy]
            const places = path.map((entry) => messageOf(entry, parsed))
            const messages = parsed.intake.invalid === 'reject' ? places.filter((one) => one !== undefined) : places
            const options = { budget, target, ...(model ? { model } : null) }
            const input = { messages, ...(current ? { current } : null) }
            const whole = assemble(input, policy, { ...options, ...(await counterFor(parsed, options)) })
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

  test('with marks, a summary and what is recalled is what the whole path gives with them', async () => {
    const seen = { partly: 0, pinned: 0, summary: 0, recall: 0 }
    const place = fc.nat(400)
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 20, maxLength: 60, size: 'max' }),
        fc.integer({ min: 300, max: 3_000 }),
        fc.constantFrom(...targets),
        fc.record({ pinned: fc.array(place, { maxLength: 3 }), excluded: fc.array(place, { maxLength: 3 }) }),
        fc.option(place),
        fc.array(place, { maxLength: 6 }),
        fc.boolean(),
        async (turns, budget, target, marks, until, recalled, forked) => {
          const history = await fresh({ recaller: async () => ({ items }) })
          const all = turns.flatMap(messagesOf)
          for (let i = 0; i < all.length; i += 7) await history.append(all.slice(i, i + 7))
          const first = await history.path()
          const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
          // an answer that was left behind: what is older is no longer found by its number
          if (forked) await history.append(user('left behind'), { branch: 'side', expect: null }).catch(() => undefined)
          if (until !== null) await history.summarise('They spoke of tea.', at(first, until).id)
          const path = await history.path()
          const ids = (places: readonly number[]) => places.map((n) => at(path, n).id)
          const given = { pinned: ids(marks.pinned), excluded: ids(marks.excluded) }
          for (const id of given.pinned) await history.mark(id, { pinned: true })
          for (const id of given.excluded) await history.mark(id, { excluded: true })
          const items = recalled.map((n) => {
            const { id, text, depth } = at(path, n)
            return { id, text, place: depth, role: 'user' as const, score: 1, reason: 'asked' }
          })
          const summary = path.find(({ body, id }) => body.kind === 'summary' && !given.excluded.includes(id))
          for (const policy of ['balanced', 'handoff-balanced', 'session-window', 'agent-turns'] as const) {
            const messages = path.map((entry) => messageOf(entry, presets[policy]))
            const options = { budget, target, current: 'What now?' }
            const heeded = {
              marks: given,
              ...(summary?.body.kind === 'summary'
                ? { summary: { id: summary.id, text: summary.text, until: summary.body.until } }
                : null),
              ...(presets[policy].recall.share > 0 ? { recall: { items } } : null),
            }
            const whole = assemble({ messages, current: options.current, ...heeded }, policy, { budget, target })
            const made = await history.window({ ...options, policy })
            const shown = (one: typeof whole) => (one.ok ? one.rendered : one.error)
            expect(shown(made), policy).toEqual(shown(whole))
            if (!made.ok) continue
            if (made.hydrated.loaded < made.hydrated.stored) seen.partly++
            if (made.receipt.lines.some(({ rule }) => rule === 'mark.pinned')) seen.pinned++
            if (made.receipt.summary) seen.summary++
            if (made.receipt.recall) seen.recall++
          }
        },
      ),
      { numRuns: Math.ceil(runs / (name === 'memory' ? 6 : 25)), endOnFailure: true },
    )
    // a few cases on the slower stores need not meet everything
    if (name === 'memory') for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
  }, 120_000)
})
