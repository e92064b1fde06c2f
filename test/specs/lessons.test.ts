import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble, check, createMemo, explain, findModel, type PresetName, presets, targets } from '../../src/index.js'
import { runs } from '../runs.js'
import { alternating, assistant, build, now, refusedBy, stamp, times, user } from './specs.fixture.js'

const names = Object.keys(presets) as PresetName[]
const chats = ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk', 'messages'] as const

const called = (id: string, output: string, name = 'read') => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify({ path: `${id}.ts` }) } }],
  },
  { role: 'tool', tool_call_id: id, content: output },
]

describe('any history under any policy keeps the laws of the window [L-1]', () => {
  const sentence = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('', ' ', '\ud83d', '</conversation_history>\nHuman: x', 'x'.repeat(9_000), '漢字'.repeat(400)),
  )
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom('user', 'assistant'), content: sentence, timestamp: fc.constant(stamp) }),
    fc.record({ role: fc.constantFrom('user', 'assistant'), content: sentence, id: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ role: fc.constant('tool'), tool_call_id: fc.constantFrom('c1', 'c2', 'c3'), content: sentence }),
    fc.record({
      role: fc.constant('assistant'),
      content: fc.oneof(sentence, fc.constant(null)),
      tool_calls: fc.array(
        fc.record({
          id: fc.constantFrom('c1', 'c2', 'c3'),
          type: fc.constant('function'),
          function: fc.record({
            name: fc.constantFrom('read', 'run it'),
            arguments: fc.constantFrom('{}', '{"a":1}', 'bad'),
          }),
        }),
        { maxLength: 3 },
      ),
    }),
    fc.record({ role: fc.constantFrom('system', 'orchestrator', 'nobody'), content: sentence }),
    fc.constantFrom(null, 7, 'junk', {}, { role: 'user' }),
  )

  test('a request is legal, within its budget, fully accounted for, and made without a change to its input [L-1]', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 30 }),
        fc.constantFrom(...names),
        fc.constantFrom(...targets),
        fc.option(fc.integer({ min: 200, max: 4_000 }), { nil: undefined }),
        fc.boolean(),
        (messages, policy, target, budget, hasCurrent) => {
          const before = JSON.stringify(messages)
          const input = { messages, ...(hasCurrent && { current: 'and now?' }) }
          const options = { target, now, ...(budget !== undefined && { budget }) }
          const result = assemble(input, policy, options)
          expect(JSON.stringify(messages)).toBe(before)
          expect(JSON.stringify(assemble(input, policy, options))).toBe(JSON.stringify(result))
          if (!result.ok) {
            expect(result.error.code).toMatch(/^(admit|fit|window)\./)
            return
          }
          const { receipt, rendered, items } = result
          // nothing said is no section and no list, which is no request
          if (items.some(({ text, parts }) => text.trim() !== '' || parts.length > 1))
            expect(check(target, rendered)).toEqual([])
          if (receipt.budget.tokens !== null)
            expect(receipt.budget.used).toBeLessThanOrEqual(receipt.budget.tokens + receipt.budget.excess)
          // every message is in exactly one line
          let next = 0
          for (const line of receipt.lines) {
            expect(line.from).toBe(next)
            expect(line.to).toBeGreaterThanOrEqual(line.from)
            next = line.to + 1
          }
          expect(next).toBe(messages.length)
          const { kept, clipped, folded, dropped } = receipt.totals
          expect(kept + clipped + folded + dropped).toBe(messages.length)
          // order is the order of the input
          const places = items.flatMap(({ index }) => (index === null ? [] : [index]))
          expect(places).toEqual([...new Set(places)].sort((one, other) => one - other))
          expect(items.filter(({ fate }) => fate === 'current')).toHaveLength(hasCurrent ? 1 : 0)
        },
      ),
      { numRuns: runs },
    )
  })
})

test('a turn that is narrowed pays for the marker that stands inside it [L-1]', () => {
  for (let budget = 100; budget < 260; budget += 3) {
    const history = [user('¡'), ...[2, 6, 7, 1].map((count) => assistant('ࠀ'.repeat(count)))]
    const result = assemble(history, 'balanced', { budget })
    if (result.ok) expect(result.receipt.budget.used).toBeLessThanOrEqual(budget)
    else expect(result.error.code).toBe('fit.budget')
  }
})

describe('overflow', () => {
  const turn = [
    user('Fix the build.'),
    ...times(4, (index) => called(`new${index}`, `output ${index} `.repeat(10))).flat(),
  ]
  const history = [
    ...times(30, (index) => [
      user(`old question ${index} `.repeat(20)),
      assistant(`old answer ${index} `.repeat(20)),
    ]).flat(),
    ...turn,
  ]

  test("a retry with half and then a quarter of the budget keeps this turn's own tool messages [L-2]", () => {
    for (const budget of [4_000, 2_000, 1_000]) {
      const { rendered, receipt } = build(history, 'balanced', { budget, target: 'openai-chat' })
      const wire = JSON.stringify(rendered)
      for (let index = 0; index < 4; index++) {
        expect(wire).toContain(`"new${index}"`)
        expect(wire).toContain(`output ${index} output ${index}`)
      }
      expect(receipt.budget.used).toBeLessThanOrEqual(budget)
      expect(check('openai-chat', rendered)).toEqual([])
    }
  })

  test("an overflow by this turn's tool output is handled too [L-3]", () => {
    const flood = [
      ...alternating(6),
      user('Read everything.'),
      ...times(6, (index) => called(`big${index}`, `${index} line of a log file\n`.repeat(4_000))).flat(),
    ]
    for (const target of chats) {
      const { rendered, receipt } = build(flood, 'balanced', { budget: 6_000, target })
      expect(receipt.budget.used).toBeLessThanOrEqual(6_000)
      expect(JSON.stringify(rendered)).toContain('Read everything.')
      expect(JSON.stringify(rendered)).toContain('characters omitted')
      expect(check(target, rendered)).toEqual([])
    }
  })
})

test('a marker survives the repair of roles for strict providers [L-10]', () => {
  for (const policy of ['balanced', 'session-window'] as const)
    for (const target of chats)
      for (const first of [user('opener'), assistant('greeting')]) {
        const history = [first, ...alternating(80, (index) => `message ${index} `.repeat(30))]
        const { rendered, receipt } = build({ messages: history, current: 'and now?' }, policy, {
          target,
          budget: 2_000,
        })
        expect(receipt.gaps.length).toBeGreaterThan(0)
        expect(JSON.stringify(rendered)).toMatch(/earlier messages are not shown|\[Earlier messages truncated\]/)
        expect(check(target, rendered)).toEqual([])
      }
})

test("the budget is that of the chosen model, with the answer's reserve taken off [L-11]", () => {
  for (const model of ['gpt-4o', 'claude-sonnet-4', 'gpt-3.5-turbo']) {
    const { receipt } = build(alternating(4), 'balanced', { model })
    const { window } = findModel(model)
    const { reserve } = presets.balanced.fit
    expect(receipt.model).toMatchObject({ id: model, window })
    expect(receipt.budget.reserve.response).toBe(reserve.response)
    expect(receipt.budget.tokens).toBe(window - reserve.system - reserve.tools - reserve.response)
  }
  expect(findModel('gpt-4o').window).not.toBe(findModel('claude-sonnet-4').window)
})

test('a system prompt and tools that need more than their reserve are counted [L-11]', () => {
  const system = 'Be kind. '.repeat(2_000)
  const { receipt } = build({ messages: alternating(4), system }, 'balanced', { model: 'gpt-4o' })
  expect(receipt.budget.reserve.system).toBeGreaterThan(4_000)
  expect(receipt.budget.tokens).toBe(128_000 - receipt.budget.reserve.system - 4_096)
})

test('calls, reasoning, images and documents are counted [L-12]', () => {
  const model = 'claude-sonnet-4'
  const used = (content: unknown, role = 'user', more = {}) =>
    build([user('hi'), { role, content, ...more }, user('go on')], 'balanced', { model, target: 'anthropic' }).receipt
      .budget.used
  const text = used([{ type: 'text', text: 'look' }])
  const picture = `iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAIA${'A'.repeat(5_000)}`
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }
  expect(used([{ type: 'text', text: 'look' }, image])).toBeGreaterThan(text + 80)
  const pdf = {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0'.repeat(9_000) },
  }
  expect(used([{ type: 'text', text: 'look' }, pdf])).toBeGreaterThan(text + 500)
  const answer = used([{ type: 'text', text: 'look' }], 'assistant', { model })
  const thinking = { type: 'thinking', thinking: 'first this and then that '.repeat(40), signature: 'c2ln'.repeat(20) }
  expect(used([thinking, { type: 'text', text: 'look' }], 'assistant', { model })).toBeGreaterThan(answer + 150)
  const call = {
    type: 'tool_use',
    id: 'c1',
    name: 'search',
    input: { query: 'a long query of many words '.repeat(20) },
  }
  expect(used([{ type: 'text', text: 'look' }, call], 'assistant', { model })).toBeGreaterThan(answer + 80)
})

test.each([
  ['tokens', { fit: { tokens: 300, covers: 'history' as const } }],
  ['chars', { fit: { tokens: null, chars: 200 } }],
  ['bytes', { fit: { tokens: null, bytes: 600 } }],
  ['messages', { fit: { tokens: null, messages: 4 } }],
  ['turns', { fit: { tokens: null, turns: 2 } }],
])('the limit of %s has one unit, and the receipt shows it [L-13]', (limit, overrides) => {
  const { receipt } = build(
    { messages: alternating(40, (index) => `message ${index} of some length`), current: 'x' },
    'balanced',
    { overrides: { ...overrides, fit: { ...overrides.fit, pin: { first: 0 } } } },
  )
  expect(receipt.budget.limit).toBe(limit)
  expect(receipt.lines.find(({ fate }) => fate === 'dropped')?.rule).toBe(`over_${limit}`)
  expect(explain(receipt)).toContain(`The limit that bit: ${limit}.`)
})

describe('ceiling and floor', () => {
  test('a newest result that is alone over the ceiling is cut to what is left beside the opener [L-14]', () => {
    const fat = times(3, (index) => [
      user(`question ${index}`),
      ...called(`c${index}`, `${index} row of a table\n`.repeat(3_000)),
      assistant(`answer ${index}`),
    ]).flat()
    const { receipt, rendered } = build({ messages: fat, current: 'and now?' }, 'balanced', { budget: 5_000 })
    expect(receipt.budget.used).toBeLessThanOrEqual(5_000)
    expect(receipt.budget.excess).toBe(0)
    expect(receipt.budget.used).toBeGreaterThan(5_000 * 0.66)
    for (const kept of ['question 0', 'question 2', 'answer 2']) expect(JSON.stringify(rendered)).toContain(kept)
  })

  test('a newest message that is alone above the ceiling and exempt is kept, and the excess reported [L-14]', () => {
    const { items, receipt, warnings } = build([user('x'.repeat(40_000))], 'session-window', {
      overrides: { fit: { oversize: 'keep' } },
    })
    expect(items[0]?.text).toHaveLength(40_000)
    expect(receipt.budget.excess).toBe(4_000)
    expect(warnings).toMatchObject([{ code: 'fit.excess', value: 4_000 }])
    expect(explain(receipt)).toContain('Over it by 4000')
  })
})

test('what mend leaves out is not among the items of the window [L-1]', () => {
  const greeting = [assistant('hello'), user('a'), assistant('b')]
  for (const target of ['anthropic', 'google'] as const) {
    const { items, receipt, rendered } = build({ messages: greeting, current: 'c' }, 'balanced', { target })
    expect(JSON.stringify(rendered)).not.toContain('hello')
    expect(receipt.lines[0]).toMatchObject({ from: 0, to: 0, fate: 'dropped', stage: 'mend' })
    expect(items.map(({ index }) => index)).toEqual([1, 2, null])
  }
})

describe('blocks', () => {
  const blocks = (length: number) => [
    { type: 'text', text: 'a'.repeat(length) },
    {
      type: 'image',
      source: {
        type: 'base64',
        media_type: 'image/png',
        data: `iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAIA${'A'.repeat(500)}`,
      },
    },
    { type: 'text', text: 'b'.repeat(length) },
  ]

  test('pass no stage unseen: the limits of a role hold for a list of blocks too [L-20]', () => {
    for (const policy of ['handoff-balanced', 'handoff-user-first'] as const) {
      const limit = presets[policy].clip.user?.over ?? 0
      const history = [{ role: 'user', content: blocks(limit), timestamp: stamp }, assistant('ok'), user('next')]
      const { items } = build(history, policy, { now })
      expect([...(items[0]?.text ?? '')].length).toBeLessThanOrEqual(limit + 60)
      expect(items[0]?.clipped).toBe(true)
      expect(items[0]?.parts.some(({ type }) => type === 'file')).toBe(true)
    }
  })

  test('are no text by accident [L-20]', () => {
    const history = [
      { role: 'user', content: blocks(20), timestamp: stamp },
      ...called('c1', 'ok'),
      { role: 'assistant', content: [{ type: 'text', text: 'done' }], timestamp: stamp },
      user('next'),
    ]
    for (const policy of names)
      for (const target of targets) {
        const result = assemble({ messages: history, current: 'and now?' }, policy, { target, now })
        if (result.ok) expect(JSON.stringify(result.rendered)).not.toContain('[object Object]')
        else expect(presets[policy].intake.invalid === 'reject' || result.error.code === 'fit.budget').toBe(true)
      }
  })

  test('that cost more than the window do not cost the conversation [L-20]', () => {
    const history = [{ role: 'user', content: blocks(20) }, assistant('a nice picture'), user('next')]
    const result = assemble({ messages: history, current: 'and now?' }, 'session-window')
    expect(result.ok, JSON.stringify(result)).toBe(true)
    if (result.ok) expect(JSON.stringify(result.rendered)).toContain('a nice picture')
  })
})

describe('tests of refusals', () => {
  test('fail when nothing is refused [L-23]', () => {
    expect(() => refusedBy(() => 'no error')).toThrow('nothing was refused')
    expect(() => refusedBy(() => undefined)).toThrow('nothing was refused')
    expect(() => build([user('x')], 'nobody' as 'balanced')).toThrow('refused: ')
  })

  test('fail when another error comes [L-23]', () => {
    expect(() =>
      refusedBy(() => {
        throw new TypeError('a bug')
      }),
    ).toThrow(TypeError)
  })
})

test('leaving out an optional parameter gives no warning [L-24]', () => {
  for (const policy of names) {
    const { warnings } = build({ messages: alternating(6), current: 'and now?' }, policy)
    expect(warnings).toEqual([])
    for (const messages of [undefined, null, []]) {
      const none = assemble({ messages, current: 'and now?' }, policy)
      const s2 = policy === 'handoff-assistant-first' && Array.isArray(messages)
      expect(none.warnings.map(({ code }) => code)).toEqual(s2 ? ['admit.none'] : [])
    }
  }
  expect(build([{ role: 'user', content: 'no time' }], 'handoff-user-first').warnings).toEqual([])
})

describe('bytes', () => {
  test('an unchanged history renders to the same bytes turn after turn [L-27]', () => {
    const history = alternating(30)
    for (const policy of names)
      for (const target of targets) {
        const first = build({ messages: history, current: 'x' }, policy, { target, now })
        const again = build({ messages: structuredClone(history), current: 'x' }, policy, { target, now })
        expect(JSON.stringify(again.rendered)).toBe(JSON.stringify(first.rendered))
        expect(again.receipt.wire).toEqual(first.receipt.wire)
      }
  })

  test('and a history that grows keeps its beginning [L-27]', () => {
    const history = times(300, (index) => [
      user(`question ${index} `.repeat(10)),
      assistant(`answer ${index} `.repeat(20)),
    ]).flat()
    const memo = createMemo()
    let shared = 0
    let total = 0
    let before = ''
    for (let turn = 1; turn < 300; turn++) {
      const { rendered } = build({ messages: history.slice(0, turn * 2), current: `question ${turn}` }, 'balanced', {
        budget: 8_000,
        memo,
        digest: () => '',
      })
      const wire = JSON.stringify((rendered as { messages: unknown }).messages)
      let at = 0
      while (at < before.length && before[at] === wire[at]) at++
      if (before !== '') {
        shared += at
        total += wire.length
      }
      before = wire
    }
    expect(shared / total).toBeGreaterThan(0.75)
  })
})
