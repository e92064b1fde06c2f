/** The laws about two windows: the same input twice, a bigger budget, one turn more. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBlank } from '../../src/core/message/text.js'
import { freeze } from '../../src/core/window/mend/damage.fixture.js'
import {
  assemble,
  counters,
  createMemo,
  type Options,
  type PresetName,
  presets,
  type Target,
  targets,
  type WindowItem,
} from '../../src/index.js'
import { deep, runs } from '../runs.js'
import { conversations } from './histories.js'
import { minimal, monotone } from './law/more.js'
import { extended } from './law/prefix.js'
import { aliases, idempotent, sameBytes, trueHash } from './law/same.js'
import { cases, costOf, isGood, named, presetNames, type Trial, trialOf, unlimited, wishful } from './trial.js'

const trialsFrom = (some: typeof cases): fc.Arbitrary<Trial> =>
  fc
    .tuple(some, fc.constantFrom(...presetNames), fc.constantFrom(...targets))
    .map(([one, preset, target]) => trialOf(one, preset, target))

const trials = trialsFrom(cases)
const wishing = trialsFrom(fc.oneof(cases, wishful))

const settings = { numRuns: runs, ...(deep ? {} : { interruptAfterTimeLimit: 40_000 }) }

/** Fails with every trial that a checker finds fault with. */
function always(find: (trial: Trial) => readonly string[], some = trials): void {
  fc.assert(
    fc.property(some, (trial) => {
      expect(find(trial).map((what) => `${named(trial)}: ${what}`)).toEqual([])
    }),
    settings,
  )
}

const rerun = (trial: Trial, change: Partial<Pick<Trial, 'input' | 'options'>> = {}): Trial => {
  const { input, options } = { ...trial, ...change }
  return { ...trial, input, options, result: assemble(input, trial.preset, options) }
}

/** The same value with the keys of its objects in the opposite order; arguments and outputs of tools are data. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

/** Schemas are data too: they are counted as they are written. */
const shuffled = (input: Trial['input']): Trial['input'] => ({
  ...input,
  messages: reversed(input.messages) as readonly unknown[],
  ...(input.current === undefined ? {} : { current: reversed(input.current) }),
})

const says = (item: WindowItem): boolean => item.parts.some((part) => part.type !== 'text' || !isBlank(part.text))

describe('a window', () => {
  /**
   * Not for the two hand-offs of specifications 0 and 2, whose caps leave out their own suffix (D1): a text cut once is
   * over the cap again. In `balanced` the text is stable and tools may be abbreviated further.
   */
  const stable: readonly PresetName[] = [
    'balanced',
    'handoff-balanced',
    'stateless-query',
    'agent-turns',
    'session-window',
  ]

  test('of a window is the window again [P-08]', () => {
    always((trial) => {
      if (!isGood(trial) || !stable.includes(trial.preset)) return []
      // a message that had to be cut may be whole where nothing is missing beside it any more
      if (trial.result.receipt.current?.rule === 'fit.oversize') return []
      const strings = trial.policy.intake.content === 'string'
      const messages = trial.result.items
        .filter((item) => item.fate !== 'marker' && item.fate !== 'current' && says(item))
        .map(({ role, text, parts, id, author, at, model }) => ({
          role,
          ...(strings ? { content: text } : { parts }),
          ...(id === undefined ? {} : { id }),
          ...(author === undefined ? {} : { author }),
          ...(at === undefined ? {} : { at }),
          ...(model === undefined ? {} : { model }),
        }))
      const items = trial.result.items.filter(says)
      return idempotent(
        { ...trial, result: { ...trial.result, items } },
        rerun(trial, { input: { ...trial.input, messages } }),
      )
    })
  })

  test('is the same for the same input, whatever the order of keys [P-09]', () => {
    always(
      (trial) => [
        ...sameBytes(trial, rerun(trial)),
        ...sameBytes(trial, rerun(trial, { input: shuffled(trial.input) }), false),
        ...(isGood(trial) ? trueHash(trial) : []),
      ],
      wishing,
    )
  })

  test('is the same for the same policy in another order of keys [P-09]', () => {
    always((trial) => {
      const result = assemble(trial.input, reversed(presets[trial.preset]) as Trial['policy'], trial.options)
      return sameBytes(trial, { ...trial, result })
    })
  })

  test('is the same with a memo, at every length of the history [P-09]', () => {
    always((trial) => {
      const memo = createMemo()
      const { messages } = trial.input
      const lengths = [Math.floor(messages.length / 3), Math.floor(messages.length / 2), messages.length]
      return lengths.flatMap((length) => {
        const input = { ...trial.input, messages: messages.slice(0, length) }
        return sameBytes(rerun(trial, { input }), rerun(trial, { input, options: { ...trial.options, memo } }))
      })
    }, wishing)
  })

  test('shares nothing with a frozen input [P-10]', () => {
    always((trial) => {
      const input = freeze(structuredClone(trial.input))
      const again = rerun(trial, { input })
      const { tools: _, ...given } = input
      return [...sameBytes(trial, again), ...aliases(given, again.result)]
    }, wishing)
  })

  test('leaves the originals as they were [P-11]', () => {
    always((trial) => {
      const before = structuredClone(trial.input)
      rerun(trial, { options: { ...trial.options, risks: true, memo: createMemo() } })
      expect(trial.input).toStrictEqual(before)
      return []
    }, wishing)
  })

  test('never keeps less with a bigger budget [P-12]', () => {
    always((trial) => {
      const cost = costOf(trial.input, trial.preset, trial.options)
      const first = trial.options.budget ?? cost
      const most = Number.MAX_SAFE_INTEGER
      const budgets = [0.3, 0.6, 0.9, 1]
        .map((of) => Math.floor(cost * of))
        .concat(first, Math.min(most, first + 1), cost + 3)
      const windows = budgets
        .sort((a, b) => a - b)
        .map((budget) => rerun(trial, { options: { ...trial.options, budget } }))
      return windows.slice(1).flatMap((window, i) => monotone(windows[i] as Trial, window))
    }, wishing)
  })

  test('leaves nothing out when everything fits [P-15]', () => {
    always((trial) => {
      const whole = rerun(trial, { options: { ...trial.options, ...unlimited } })
      if (!isGood(trial) || !isGood(whole)) return []
      return [...minimal(trial, whole), ...minimal(whole, whole)]
    }, wishing)
  })

  test('of a branch knows nothing of another branch, even with one memo [P-20]', () => {
    always((trial) => {
      const memo = createMemo()
      const { messages } = trial.input
      const half = Math.floor(messages.length / 2)
      const branch = [...messages.slice(0, half), { role: 'user', content: 'another way' }]
      rerun(trial, { options: { ...trial.options, memo } })
      const input = { ...trial.input, messages: branch }
      const [alone, beside] = [rerun(trial, { input }), rerun(trial, { input, options: { ...trial.options, memo } })]
      return [...sameBytes(alone, beside), ...sameBytes(trial, rerun(trial, { options: { ...trial.options, memo } }))]
    })
  })
})

describe('a conversation that grows', () => {
  /**
   * While nothing is left out, what was sent is a byte prefix of what is sent next: for every target, without the last
   * element (which may be a cue, or merge with what follows) and without the frame's end in a text rendering.
   */
  test('extends its request, turn by turn [P-18] [L-27]', () => {
    fc.assert(
      fc.property(
        conversations,
        fc.constantFrom(...presetNames),
        fc.constantFrom(...targets),
        (turns, preset, target) => {
          let earlier: unknown
          for (let n = 1; n <= turns.length; n++) {
            const result = assemble({ messages: takeable(turns.slice(0, n).flat(), preset) }, preset, {
              target,
              overrides: {
                fit: { messages: null, turns: null, tokens: null, covers: 'history' },
                intake: { last: null },
              },
            })
            if (!result.ok) continue
            if (earlier !== undefined) expect(extended(earlier, result.rendered)).toEqual([])
            earlier = result.rendered
          }
        },
      ),
      settings,
    )
  })

  test('moves its cut in steps, so that the prefix outlives most turns [P-18]', () => {
    const turns = Array.from({ length: 80 }, (_, n) => [
      { role: 'user', content: `question ${n} ${'about this and that '.repeat(6)}` },
      { role: 'assistant', content: `answer ${n} ${'so and so '.repeat(20)}` },
    ])
    for (const target of targets) {
      let breaks = 0
      let cuts = 0
      let earlier: unknown
      for (let n = 1; n <= turns.length; n++) {
        const result = assemble({ messages: turns.slice(0, n).flat() }, 'balanced', { target, budget: 2_500 })
        if (!result.ok) throw new Error(result.error.message)
        if (result.receipt.budget.limit !== null) cuts++
        if (earlier !== undefined && extended(earlier, result.rendered).length > 0) breaks++
        earlier = result.rendered
      }
      expect(cuts).toBeGreaterThan(40)
      // a third of the window is freed at least, so a prefix outlives three turns or more
      expect(breaks, target).toBeLessThan(cuts / 3)
    }
  })
})

/** A strict preset is given what it takes. */
function takeable(messages: readonly unknown[], preset: PresetName): readonly unknown[] {
  const { roles, content } = presets[preset].intake
  if (presets[preset].intake.invalid === 'drop' || content === 'any') return messages
  return messages.filter((message) => {
    const { role, content: said } = message as { role?: string; content?: unknown }
    return (roles as readonly string[]).includes(role ?? '') && typeof said === 'string'
  })
}

describe('the work', () => {
  test.each([0, 1, 2, 63, 64, Number.MAX_SAFE_INTEGER])('ends for a budget of %i [P-19]', (budget) => {
    const messages = Array.from({ length: 60 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: 'word '.repeat(n * 9),
    }))
    for (const preset of presetNames)
      for (const target of targets) {
        const result = assemble({ messages, current: 'now' }, preset, { budget, target })
        if (!result.ok) expect(result.error.code).toMatch(/^fit\.budget$|^admit\.hard$/)
      }
  })

  test.each([Number.NaN, -1, 1.5, '5', null, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1, {}, true])(
    'is refused by type for a budget of %s [P-19]',
    (budget) => {
      const result = assemble([], 'balanced', { budget: budget as number })
      expect(result).toMatchObject({ ok: false, error: { code: 'options.budget', field: 'budget' } })
    },
  )

  test.each([
    ['target', {}, { target: 'openai' }],
    ['model', {}, { model: 5 }],
    ['counter', {}, { counter: 'o200k' }],
    ['memo', {}, { memo: 5, overrides: { fit: { messages: 3 } } }],
    ['system', { system: ['Be brief.'] }, {}],
    ['tools', { tools: { name: 'read_file' } }, {}],
    ['marks.pinned', { marks: { pinned: 'm-1' } }, {}],
    ['recall.items', { recall: true }, {}],
  ])('is refused by type for a wrong %s, and says what it must be [P-19]', (field, input, options) => {
    const result = assemble({ messages: [], ...input } as object, 'balanced', options as Options)
    expect(result).toMatchObject({ ok: false, error: { code: 'options.invalid', field } })
    expect(result.ok ? '' : result.error.message).toMatch(/^\S+ must be /)
    const nothing = Object.fromEntries(Object.keys({ ...input, ...options }).map((name) => [name, null]))
    expect(assemble({ messages: [], current: 'now', ...nothing } as object, 'balanced', {})).toMatchObject({ ok: true })
  })

  test('does not grow with the history when only the window is accounted for [P-19]', () => {
    for (const preset of presetNames.filter((name) => presets[name].intake.invalid === 'drop'))
      for (const target of ['openai-chat', 'text-tagged'] as const)
        expect(countsOf(preset, target, 20_000)).toBeLessThanOrEqual(countsOf(preset, target, 2_000) * 1.1 + 20)
  })

  test('is not done again for what was estimated, when messages are added [P-19]', () => {
    const messages = Array.from({ length: 1_500 }, (_, n) => line(n))
    const real = counters.estimate('o200k')
    let asked = 0
    const counter = { ...real, count: (text: string) => real.count(text) + 0 * asked++ }
    const memo = createMemo()
    const added = 50
    for (let n = 0; n <= added; n++) {
      expect(assemble({ messages, current: 'now' }, 'balanced', { counter, budget: 3_000, memo }).ok).toBe(true)
      // the first window counts what it looks at
      if (n === 0) asked = 0
      messages.push(line(messages.length))
    }
    // the new message, the one to answer and a marker, and now and then another of the old ones
    expect(asked).toBeLessThan(added * 5)
  })

  test('is linear in the history when all of it is accounted for [P-19]', () => {
    for (const preset of presetNames) {
      const [some, more] = [500, 5_000].map((length) => countsOf(preset, 'messages', length, { account: 'full' }))
      expect(more).toBeLessThanOrEqual((some as number) * 12)
    }
  })
})

const line = (n: number) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content: `message ${n} says this` })

/** How often a window of so many messages asks the counter. */
function countsOf(
  preset: PresetName,
  target: Target,
  length: number,
  options: Options = { account: 'window' },
): number {
  const messages = Array.from({ length }, (_, n) => line(n))
  const real = counters.estimate('o200k')
  let asked = 0
  const counter = { ...real, name: 'counted', count: (text: string) => real.count(text) + 0 * asked++ }
  const result = assemble({ messages, current: 'now' }, preset, { target, counter, budget: 3_000, ...options })
  expect(result.ok).toBe(true)
  return asked
}
