import { describe, expect, test } from 'vitest'
import { isWellFormed } from '../../src/core/message/text.js'
import { assemble, counters } from '../../src/index.js'
import {
  formatTaskEnrichmentPrompt,
  truncateConversationHistory,
  type ValidMessage,
  validateConversationHistory,
} from '../../src/recipes/index.js'
import { jwt } from './examples.fixture.js'
import { alternating, assistant, build, now, orchestrator, refusedBy, stamp, times, user } from './specs.fixture.js'

const validate = (history: unknown) => validateConversationHistory(history, { policy: 'handoff-user-first', now })
const truncate = (messages: readonly ValidMessage[]) => truncateConversationHistory(messages, { now })

describe('validation', () => {
  test.each(['user', 'assistant', 'orchestrator'])('takes the role %s [S0-2]', (role) => {
    expect(validate([{ role, content: 'hi', timestamp: stamp }])).toEqual({
      history: [{ role, content: 'hi', timestamp: stamp }],
      warnings: [],
    })
  })

  test.each([
    [42, '42'],
    [0, '0'],
    [true, 'true'],
    [{ a: 1 }, '{"a":1}'],
  ])('makes a string of the content %j [S0-3]', (content, text) => {
    expect(validate([{ role: 'user', content, timestamp: stamp }]).history?.[0]?.content).toBe(text)
  })

  test('fills a missing timestamp with the time of the call, without a warning [S0-4] [S0-36]', () => {
    expect(validate([{ role: 'user', content: 'No timestamp provided' }])).toEqual({
      history: [{ role: 'user', content: 'No timestamp provided', timestamp: now }],
      warnings: [],
    })
  })

  test('fills a timestamp that parses as ISO 8601 when no time is given [S0-41]', () => {
    const before = Date.now()
    const { history } = validateConversationHistory([{ role: 'user', content: 'no timestamp' }], {
      policy: 'handoff-user-first',
    })
    const filled = history?.[0]?.timestamp ?? ''
    expect(filled).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
    expect(Date.parse(filled)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(filled)).toBeLessThanOrEqual(Date.now())
  })

  test.each([['hello'], [{ role: 'user' }], [7], [''], [{}], [0], [false]])(
    'refuses %j as a list [S0-7]',
    (history) => {
      expect(refusedBy(() => validate(history))).toMatchObject({
        message: 'conversation_history must be a list of message dicts',
        error_type: 'type_error',
        field: 'conversation_history',
      })
    },
  )

  test('warns over 50 messages and keeps the last 50 [S0-8] [S0-34]', () => {
    const { history, warnings } = validate(times(100, (index) => ({ role: 'user', content: `msg ${index}` })))
    expect(history?.map(({ content }) => content)).toEqual(times(50, (index) => `msg ${index + 50}`))
    expect(warnings).toEqual([
      {
        code: 'admit.count',
        field: 'conversation_history',
        severity: 'medium',
        message: 'conversation_history has 100 messages, truncating to most recent 50',
        suggestion: 'Consider providing only recent relevant messages',
      },
    ])
  })

  test('does not warn at 50 messages [S0-8]', () => {
    const { history, warnings } = validate(times(50, (index) => user(`msg ${index}`)))
    expect(history).toHaveLength(50)
    expect(warnings).toEqual([])
  })

  test('60 messages become 50 and the warning says so [S0-40]', () => {
    const { history, warnings } = validate(times(60, (index) => ({ role: 'user', content: `msg ${index}` })))
    expect(history).toHaveLength(50)
    expect(warnings.some(({ message }) => message.includes('truncating to most recent 50'))).toBe(true)
  })

  test.each([
    ['hello', 'str'],
    [5, 'int'],
    [1.5, 'float'],
    [null, 'NoneType'],
    [true, 'bool'],
    [['x'], 'list'],
  ])('refuses %j as a message [S0-9]', (message, type) => {
    expect(refusedBy(() => validate([user('ok'), message]))).toMatchObject({
      message: `Message at index 1 must be a dict, got ${type}`,
      error_type: 'type_error',
    })
  })

  test('counts the index of a refusal after the last 50 were taken [S0-9]', () => {
    const history: unknown[] = times(60, (index) => user(`msg ${index}`))
    history[12] = 'junk'
    expect(refusedBy(() => validate(history)).message).toBe('Message at index 2 must be a dict, got str')
    history[12] = user('fine')
    history[3] = 'junk that is not looked at'
    expect(validate(history).history).toHaveLength(50)
  })

  test('refuses a message without a role [S0-10] [S0-39]', () => {
    const error = refusedBy(() => validate([{ content: 'no role' }]))
    expect(error.message).toBe("Message at index 0 missing required field 'role'")
    expect(error.error_type).toBe('missing_field')
  })

  test('refuses a message without content [S0-11] [S0-33]', () => {
    const error = refusedBy(() => validate([{ role: 'user' }]))
    expect(error.message).toBe("Message at index 0 missing required field 'content'")
    expect(error.error_type).toBe('missing_field')
  })

  test('names the role first when both fields are missing [S0-10]', () => {
    expect(refusedBy(() => validate([{}])).message).toBe("Message at index 0 missing required field 'role'")
  })

  test.each(['system', 'User', ' user', 'tool', '', 'developer', 'model'])(
    'refuses the role %j [S0-12] [S0-35]',
    (role) => {
      expect(refusedBy(() => validate([user('ok'), { role, content: 'Invalid role' }]))).toMatchObject({
        message: `Message at index 1 has invalid role '${role}', must be user|assistant|orchestrator`,
        error_type: 'invalid_value',
      })
    },
  )

  test('raises the first fault in the order of the history [S0-12]', () => {
    const history = [user('ok'), { role: 'user' }, 'junk', { role: 'system', content: 'x' }]
    expect(refusedBy(() => validate(history)).message).toBe("Message at index 1 missing required field 'content'")
  })

  test('gives the messages and the warnings, or null when there is no history [S0-13]', () => {
    expect(validate([user('a'), assistant('b')])).toEqual({ history: [user('a'), assistant('b')], warnings: [] })
    expect(validate(null)).toEqual({ history: null, warnings: [] })
    expect(validate(undefined)).toEqual({ history: null, warnings: [] })
  })

  test('passes over an empty list in silence, and no section comes of it [S0-32]', () => {
    expect(validate([])).toEqual({ history: null, warnings: [] })
    expect(truncate([])).toMatchObject({ messages: [], total_messages: 0, truncated_count: 0 })
    expect(formatTaskEnrichmentPrompt({ task_context: { conversation_history: truncate([]) } })).toBe('')
  })

  test('keeps a message with empty content, as the specification does [S0-13]', () => {
    expect(validate([user(''), assistant('b')])).toEqual({ history: [user(''), assistant('b')], warnings: [] })
  })

  test('does not cut: truncation is a function of its own over what it gives [S0-22]', () => {
    const long = [user('u'.repeat(9000)), assistant('a'.repeat(900))]
    const { history } = validate(long)
    expect(history).toEqual(long)
    expect(truncate(history ?? []).messages.map(({ content }) => content.length)).toEqual([7938, 166])
  })

  test('does not change what it was given', () => {
    const history = Object.freeze([Object.freeze({ role: 'user', content: 'x'.repeat(9000) })])
    expect(() => truncate(validate(history).history ?? [])).not.toThrow()
    expect(history[0]?.content).toHaveLength(9000)
  })

  test("looks at the last 50 messages only and counts each text once: the milliseconds are the bench's [S0-45]", () => {
    let counted = 0
    const counter = {
      name: 'test',
      exact: false,
      count: (text: string) => {
        counted++
        return Math.floor(text.length / 4)
      },
    }
    const long = alternating(5_000, (index) => `${index} `.repeat(100))
    const made = assemble({ messages: long }, 'handoff-user-first', { counter, account: 'window', now })
    expect(made.ok).toBe(true)
    // before and after a cut, and the fixed texts around them
    expect(counted).toBeLessThanOrEqual(2 * 50 + 10)
  })
})

describe('truncation', () => {
  test.each([1, 200, 7999, 8000])('leaves %i chars of user text alone [S0-14]', (size) => {
    const content = 'x'.repeat(size)
    expect(truncate([user(content)]).messages[0]).toMatchObject({ content, truncated: false, original_length: size })
  })

  test.each([8001, 8200, 12_345])('cuts %i chars of user text to 7,900 and the suffix [S0-15]', (size) => {
    expect(truncate([user('x'.repeat(size))]).messages[0]).toMatchObject({
      content: `${'x'.repeat(7900)} ... (truncated, original: ${size} chars)`,
      truncated: true,
      original_length: size,
    })
  })

  test.each([assistant, orchestrator])('cuts other text over 150 chars, and no shorter one [S0-16]', (say) => {
    const { messages } = truncate([say('x'.repeat(150)), say('y'.repeat(151))])
    expect(messages[0]).toMatchObject({ content: 'x'.repeat(150), truncated: false })
    expect(messages[1]).toMatchObject({ content: `${'y'.repeat(150)} ... (truncated)`, truncated: true })
  })

  test('tells the length before the cut, also where nothing was cut [S0-17]', () => {
    const { messages } = truncate([user('x'.repeat(9000)), assistant('y'.repeat(500)), assistant('z'.repeat(40))])
    expect(messages.map(({ original_length }) => original_length)).toEqual([9000, 500, 40])
  })

  test('flags and counts what was cut [S0-18]', () => {
    const result = truncate([user('x'.repeat(9000)), assistant('y'.repeat(500)), assistant('z'), user('short')])
    expect(result.messages.map(({ truncated }) => truncated)).toEqual([true, true, false, false])
    expect(result.truncated_count).toBe(2)
  })

  test('keeps the order in which the messages were given, whatever their times say [S0-19]', () => {
    const given = [user('late', '2025-10-29T12:00:00'), user('early', '2025-10-29T08:00:00'), user('last', stamp)]
    expect(truncate(given).messages.map(({ content }) => content)).toEqual(['late', 'early', 'last'])
  })

  test('gives no more than 50 messages [S0-20]', () => {
    const result = truncate(times(70, (index) => user(`msg ${index}`)))
    expect(result.total_messages).toBe(50)
    expect(result.messages[0]?.content).toBe('msg 20')
  })

  test('stores messages, counts and metadata [S0-5]', () => {
    const { history } = validate(jwt)
    expect(truncate(history ?? [])).toEqual({
      messages: expect.any(Array),
      total_messages: 3,
      truncated_count: 1,
      metadata: {
        collection_time: now,
        oldest_message: '2025-10-29T10:00:00',
        newest_message: '2025-10-29T10:01:00',
      },
    })
  })

  test('stores five fields of each message [S0-6]', () => {
    expect(truncate([orchestrator('x'.repeat(151), '2025-10-29T13:25:00')]).messages).toEqual([
      {
        role: 'orchestrator',
        content: `${'x'.repeat(150)} ... (truncated)`,
        timestamp: '2025-10-29T13:25:00',
        truncated: true,
        original_length: 151,
      },
    ])
  })

  test('finds the earliest and the latest instant, and null in an empty history [S0-21]', () => {
    const zones = ['2025-10-29T12:00:00+02:00', '2025-10-29T11:00:00Z', '2025-10-29T09:30:00-01:00', 'no time']
    const { metadata } = truncate(zones.map((at) => user('x', at)))
    expect(metadata).toEqual({
      collection_time: now,
      oldest_message: '2025-10-29T12:00:00+02:00',
      newest_message: '2025-10-29T11:00:00Z',
    })
    expect(truncate([]).metadata).toEqual({ collection_time: now, oldest_message: null, newest_message: null })
  })

  test('takes the time of the call for the collection when none is given [S0-21]', () => {
    const before = Date.now()
    const { collection_time } = truncateConversationHistory([user('x')]).metadata
    expect(Date.parse(collection_time)).toBeGreaterThanOrEqual(before)
  })

  test('200 chars of user text are kept whole [S0-37]', () => {
    const content = 'x'.repeat(200)
    const result = truncate([{ role: 'user', content, timestamp: '2025-10-29T10:00:00' }])
    expect(result.truncated_count).toBe(0)
    expect(result.messages[0]?.content).toBe(content)
    expect(result.messages[0]?.truncated).toBe(false)
    expect(result.messages[0]?.original_length).toBe(200)
  })

  test('500 chars of assistant text are cut [S0-38]', () => {
    const result = truncate([{ role: 'assistant', content: 'x'.repeat(500), timestamp: '2025-10-29T10:00:00' }])
    expect(result.truncated_count).toBe(1)
    expect(result.messages[0]?.content.length).toBeLessThanOrEqual(150 + ' ... (truncated)'.length)
    expect(result.messages[0]?.truncated).toBe(true)
  })

  test.each([
    ['emoji', '👩‍💻🎉'],
    ['CJK', '漢字かな交じり文'],
    ['beyond the basic plane', '𝒳𝓎'],
    ['combining marks', 'é̄ñ'],
    ['right to left', 'שלום مرحبا'],
  ])('leaves %s whole where it cuts [S0-P2]', (_, unit) => {
    const whole = unit.repeat(400)
    const points = [...whole]
    const cut = truncate([assistant(whole)]).messages[0]
    expect(cut?.content).toBe(`${points.slice(0, 150).join('')} ... (truncated)`)
    expect(isWellFormed(cut?.content ?? '')).toBe(true)
    expect(cut?.original_length).toBe(points.length)
    const long = truncate([user(unit.repeat(9000))]).messages[0]
    expect([...(long?.content ?? '')].slice(0, 7900).join('')).toBe([...unit.repeat(9000)].slice(0, 7900).join(''))
  })

  test('a lone surrogate does not get out [S0-P2]', () => {
    const { history } = validate([assistant(`${'x'.repeat(149)}\ud83d`)])
    expect(JSON.stringify(truncate(history ?? []))).not.toMatch(/\\ud[89a-f]/i)
  })

  test('null entries are passed over with warnings where the policy is lenient [S0-P3]', () => {
    const result = build([null, user('a'), null, assistant('b'), null], 'handoff-balanced', { now })
    expect(result.items.map(({ text }) => text)).toEqual(['a', 'b'])
    expect(result.warnings.map(({ code, field }) => [code, field])).toEqual([
      ['admit.object', 'messages[0]'],
      ['admit.object', 'messages[2]'],
      ['admit.object', 'messages[4]'],
    ])
  })
})

describe('claims', () => {
  const english =
    'The user dashboard page is taking over ten seconds to load, and we are running multiple queries in the layer. '
  const worst = times(50, (index) => user(`${index} ${english.repeat(80)}`.slice(0, 8000)))

  test('the history of a task stays under 20,000 tokens, however long its messages are [S0-43]', async () => {
    const result = build(worst, 'handoff-user-first', { now })
    const exact = await counters.exact('o200k')
    expect(exact.exact).toBe(true)
    expect(result.receipt.budget).toMatchObject({ tokens: 20_000, limit: 'tokens' })
    expect(result.receipt.budget.used).toBeLessThanOrEqual(20_000)
    expect(exact.count(String(result.rendered))).toBeLessThan(20_000)
    expect(result.receipt.totals.dropped).toBeGreaterThan(0)
    // what was left out is said in the text too
    expect(result.rendered).toContain(`(${result.receipt.totals.dropped} earlier messages are not shown here.)`)
  })

  test('the letter of the specification has no such limit [S0-43]', () => {
    const result = build(worst, 'handoff-user-first', { now, compat: 'literal' })
    expect(result.receipt.totals).toMatchObject({ kept: 50, dropped: 0 })
  })

  test('a stored history stays near 80 KB [S0-44]', () => {
    const typical = alternating(50, () => english.repeat(20).slice(0, 2000))
    const bytes = (messages: readonly ValidMessage[]) => Buffer.byteLength(JSON.stringify(truncate(messages)))
    expect(bytes(typical)).toBeLessThan(80 * 1024)
    expect(bytes(worst)).toBeLessThan(84 * 1024)
    expect(truncate(worst).omitted_count).toBe(50 - truncate(worst).total_messages)
  })

  test('costs at least a fifth fewer tokens than the plain history [S0-46]', async () => {
    const messages = alternating(50, () => english.repeat(20).slice(0, 2000))
    const exact = await counters.exact('o200k')
    const plain = messages.reduce((sum, { content }) => sum + exact.count(content), 0)
    const { receipt, rendered } = build(messages, 'handoff-user-first', { now, compat: 'literal' })
    expect(exact.count(String(rendered))).toBeLessThan(plain * 0.8)
    expect(receipt.totals.tokens.after).toBeLessThan((receipt.totals.tokens.before ?? 0) * 0.8)
  })
})
