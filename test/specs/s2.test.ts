import { describe, expect, test } from 'vitest'
import { HistoryError, presets } from '../../src/index.js'
import { calculateHistorySize, validateConversationHistory } from '../../src/recipes/index.js'
import { alternating, assistant, build, now, refusedBy, stamp, times, user } from './specs.fixture.js'

const validate = (history: unknown) => validateConversationHistory(history, { now })
const told = (history: unknown) => validate(history).warnings.map(({ field, message }) => ({ field, message }))

const none = {
  field: 'conversation_history',
  message: 'All messages were filtered out due to validation issues. History will be omitted.',
}
const skipped = (index: number) => ({
  field: `conversation_history[${index}].content`,
  message: 'Empty message content - message will be skipped',
})
const cut = (index: number, from: number, to: number) => ({
  field: `conversation_history[${index}].content`,
  message: `Message truncated from ${from} to ${to} characters`,
})
const marker = '... (earlier messages omitted for brevity)\n\n'

describe('structure and limits', () => {
  test('a message is a role, content and a timestamp [S2-1] [S2-21]', () => {
    const history = [user('hello'), assistant('hi', '2025-10-29T13:30:05+01:00'), user('bye', '2025-10-29T13:31:00Z')]
    expect(validate(history)).toEqual({ history, warnings: [] })
  })

  test('other fields are not part of it [S2-1]', () => {
    expect(validate([{ ...user('hello'), extra: 1, metadata: { a: 2 } }]).history).toEqual([user('hello')])
  })

  test('the limits are those of the specification [S2-2]', () => {
    const { intake, clip, fit } = presets['handoff-assistant-first']
    expect(intake).toMatchObject({ last: 50, roles: ['user', 'assistant'], hard: { user: 300, assistant: 16_384 } })
    expect(clip.user).toMatchObject({ over: 150, head: 150, mark: '... [truncated]' })
    expect(clip.assistant).toMatchObject({ over: 8192, head: 8192, mark: '... [truncated]' })
    expect(fit).toMatchObject({ chars: 15_360, floor: 5 })
  })
})

describe('what is fatal', () => {
  test.each([
    ['hello', 'str'],
    [{ role: 'user', content: 'x' }, 'dict'],
    [12, 'int'],
    [1.5, 'float'],
    [true, 'bool'],
    ['', 'str'],
    [false, 'bool'],
  ])('a history that is no list: %j [S2-3]', (history, type) => {
    const error = refusedBy(() => validate(history))
    expect(error).toMatchObject({
      field: 'conversation_history',
      reason: 'Must be a list of message dictionaries',
      value: type,
      message: "Validation failed for 'conversation_history': Must be a list of message dictionaries",
    })
    expect(HistoryError.is(error)).toBe(true)
  })

  test.each([
    ['hello', 'str'],
    [null, 'NoneType'],
    [7, 'int'],
    [['x'], 'list'],
  ])('a message that is no object: %j [S2-4]', (message, type) => {
    expect(refusedBy(() => validate([user('ok'), message]))).toMatchObject({
      field: 'conversation_history[1]',
      reason: 'Each message must be a dictionary',
      value: type,
      message: "Validation failed for 'conversation_history[1]': Each message must be a dictionary",
    })
  })

  test.each([
    [{ timestamp: stamp, note: 1 }, 'role, content', ['timestamp', 'note']],
    [{ content: 'x' }, 'role', ['content']],
    [{ role: 'user', timestamp: stamp }, 'content', ['role', 'timestamp']],
    [{}, 'role, content', []],
  ])('missing fields, all named at once: %j [S2-5] [S2-29]', (message, fields, keys) => {
    expect(refusedBy(() => validate([message]))).toMatchObject({
      field: 'conversation_history[0]',
      reason: `Missing required fields: ${fields}`,
      value: keys,
    })
  })

  test.each([
    ['system', 'system'],
    ['  System ', 'system'],
    ['orchestrator', 'orchestrator'],
    ['', ''],
  ])('the role %j [S2-6] [S2-28]', (role, shown) => {
    expect(refusedBy(() => validate([user('ok'), { role, content: 'x', timestamp: stamp }]))).toMatchObject({
      field: 'conversation_history[1].role',
      reason: `Role must be one of {'user', 'assistant'}, got '${shown}'`,
      value: shown,
    })
  })

  test.each([' User ', 'USER', 'user\n'])('but the role %j is a user [S2-6] [S2-18]', (role) => {
    expect(validate([{ role, content: 'x', timestamp: stamp }]).history).toEqual([user('x')])
  })

  test('a message over the hard limit, after trimming [S2-7]', () => {
    const over = (message: unknown) => refusedBy(() => validate([message]))
    expect(over(user('x'.repeat(301)))).toMatchObject({
      field: 'conversation_history[0].content',
      reason: 'Message exceeds hard limit of 300 characters',
      value: '301 characters',
      message: "Validation failed for 'conversation_history[0].content': Message exceeds hard limit of 300 characters",
    })
    expect(over(assistant('x'.repeat(16_385)))).toMatchObject({
      reason: 'Message exceeds hard limit of 16384 characters',
      value: '16385 characters',
    })
    expect(validate([user(`${' '.repeat(200)}${'x'.repeat(300)}`)]).history).toHaveLength(1)
    expect(validate([assistant('x'.repeat(16_384))]).history).toHaveLength(1)
  })

  test.each([
    [42, 'int'],
    [null, 'NoneType'],
    [['x'], 'list'],
    [{ a: 1 }, 'dict'],
  ])('content that is no string: %j [S2-11]', (content, value) => {
    expect(refusedBy(() => validate([{ role: 'user', content, timestamp: stamp }]))).toMatchObject({
      field: 'conversation_history[0].content',
      reason: 'Content must be a string',
      value,
    })
  })

  test('parts are no content [S2-5]', () => {
    const message = { role: 'user', parts: [{ type: 'text', text: 'x' }] }
    expect(refusedBy(() => validate([message])).reason).toBe('Missing required fields: content')
  })
})

describe('what is warned of', () => {
  test('more than 50 messages [S2-8] [S2-24]', () => {
    const { history, warnings } = validate(times(53, (index) => user(`m${index}`)))
    expect(history?.map(({ content }) => content)).toEqual(times(50, (index) => `m${index + 3}`))
    expect(warnings).toEqual([
      {
        code: 'admit.count',
        field: 'conversation_history',
        message: 'Too many messages (53 > 50). Keeping only the last 50 messages.',
      },
    ])
    expect(told(times(50, (index) => user(`m${index}`)))).toEqual([])
  })

  test.each([[undefined], [''], [null]])('a missing timestamp: %j [S2-9] [S2-22]', (timestamp) => {
    const message = timestamp === undefined ? { role: 'user', content: 'x' } : { role: 'user', content: 'x', timestamp }
    expect(validate([message]).history).toEqual([user('x', now)])
    expect(told([message])).toEqual([
      {
        field: 'conversation_history[0].timestamp',
        message: `Missing timestamp - added current time: ${now}`,
      },
    ])
  })

  test.each([
    'not-a-date',
    '29.10.2025',
    '2025-13-45T00:00:00',
    '2025-02-30T10:00:00',
    '2025-10-29T25:00:00',
    '2025-10-29T24:00:00',
    'soon',
    ' ',
  ])('an invalid timestamp: %s [S2-10] [S2-23]', (timestamp) => {
    expect(validate([user('x', timestamp)]).history).toEqual([user('x', now)])
    expect(told([user('x', timestamp)])).toEqual([
      {
        field: 'conversation_history[0].timestamp',
        message: `Invalid timestamp format '${timestamp}' - replaced with current time`,
      },
    ])
  })

  test.each([
    '2025-10-29T13:30:00Z',
    '2025-10-29T13:30:00.123456',
    '2025-10-29T13:30:00+02:00',
    '2025-10-29 13:30:00',
    '2025-10-29',
  ])('but not %s [S2-10]', (timestamp) => {
    expect(validate([user('x', timestamp)])).toEqual({ history: [user('x', timestamp)], warnings: [] })
  })

  test('a message that is empty after trimming [S2-11] [S2-30]', () => {
    const history = [user('a'), user('  \n\t '), assistant(''), user('b')]
    expect(validate(history).history).toEqual([user('a'), user('b')])
    expect(told(history)).toEqual([skipped(1), skipped(2)])
  })

  test('a message over the soft limit [S2-12]', () => {
    const history = [user('u'.repeat(151)), assistant('a'.repeat(8193))]
    expect(validate(history).history).toEqual([
      user(`${'u'.repeat(150)}... [truncated]`),
      assistant(`${'a'.repeat(8192)}... [truncated]`),
    ])
    expect(told(history)).toEqual([cut(0, 151, 165), cut(1, 8193, 8207)])
    expect(told([user('u'.repeat(150)), assistant('a'.repeat(8192))])).toEqual([])
  })

  test('a long user message [S2-25]', () => {
    expect(validate([user('x'.repeat(200))]).history?.[0]?.content).toBe(`${'x'.repeat(150)}... [truncated]`)
  })

  test('a long assistant message [S2-26]', () => {
    expect(validate([assistant('x'.repeat(9000))]).history?.[0]?.content).toBe(`${'x'.repeat(8192)}... [truncated]`)
  })

  test('a single very long message is refused or cut by its limits [S2-31]', () => {
    expect(refusedBy(() => validate([assistant('x'.repeat(20_000))])).value).toBe('20000 characters')
    const { history, warnings } = validate([assistant('x'.repeat(16_000))])
    expect(history?.[0]?.content).toHaveLength(8207)
    expect(warnings).toHaveLength(1)
  })

  test('a history of which nothing is left [S2-13] [S2-34]', () => {
    expect(validate([user(' '), assistant('\n')]).history).toBeNull()
    expect(told([user(' '), assistant('\n')])).toEqual([skipped(0), skipped(1), none])
  })

  test('an empty list [S2-32]', () => {
    expect(validate([]).history).toBeNull()
    expect(told([])).toEqual([none])
  })

  test('but not null [S2-17] [S2-33]', () => {
    expect(validate(null)).toEqual({ history: null, warnings: [] })
    expect(validate(undefined)).toEqual({ history: null, warnings: [] })
  })

  test('a history over the total [S2-14] [S2-27]', () => {
    const history = times(30, (index) => assistant(`${index} `.padEnd(1000, 'x')))
    const result = validate(history)
    expect(result.history).toHaveLength(14)
    expect(result.history?.[0]?.content).toBe(marker + history[16]?.content)
    expect(result.history?.slice(1)).toEqual(history.slice(17))
    expect(told(history)).toEqual([
      {
        field: 'conversation_history',
        message: 'Total history size exceeded limit. Kept last 14 of 30 messages.',
      },
    ])
  })

  test('the marker counts, so that the result does not exceed the total again [S2-14]', () => {
    // 14 records fill the limit to the last character, without room for the marker
    const sizes = [...times(13, () => 1000), 15_360 - 13 * 1045 - 45]
    const history = [assistant('x'.repeat(1000)), ...sizes.map((size) => assistant('y'.repeat(size)))]
    expect(calculateHistorySize(history.slice(1))).toBe(15_360)
    const fixed = validate(history)
    expect(fixed.history).toHaveLength(13)
    expect(calculateHistorySize(fixed.history ?? [])).toBeLessThanOrEqual(15_360)
    const literal = validateConversationHistory(history, { now, compat: 'literal' })
    expect(literal.history).toHaveLength(14)
    expect(calculateHistorySize(literal.history ?? [])).toBe(15_360 + marker.length)
  })

  test('no more than the total stays without a word [S2-14]', () => {
    const exact = [...times(9, () => assistant('x'.repeat(1000))), assistant('x'.repeat(15_360 - 9 * 1045 - 45))]
    expect(calculateHistorySize(exact)).toBe(15_360)
    expect(validate(exact)).toEqual({ history: exact, warnings: [] })
  })

  test('the size is content, role, timestamp and 10 for each message [S2-15]', () => {
    expect(calculateHistorySize([])).toBe(0)
    expect(calculateHistorySize([{ role: 'user', content: 'hello', timestamp: stamp }])).toBe(5 + 4 + 26 + 10)
    expect(calculateHistorySize([{ content: '👩‍💻' }, {}])).toBe(3 + 10 + 10)
  })

  test('a name beside the role does not change the size [S2-15]', () => {
    const exact = [...times(9, () => assistant('x'.repeat(1000))), assistant('x'.repeat(15_360 - 9 * 1045 - 45))]
    const named = exact.map((message) => ({ ...message, name: 'a name that is longer than the role' }))
    expect(validate(named)).toEqual({ history: exact, warnings: [] })
  })

  test('the last 5 are always kept, and the excess is reported [S2-16]', () => {
    const history = times(8, (index) => assistant(`${index}`.padEnd(8192, 'x')))
    const result = validate(history)
    expect(result.history?.map(({ content }) => content.replace(marker, ''))).toEqual(
      history.slice(3).map(({ content }) => content),
    )
    const { receipt } = build(history, 'handoff-assistant-first', { now })
    expect(receipt.budget.excess).toBe(5 * 8237 + marker.length - 15_360)
  })

  test.each([1, 3, 5])('%i messages are never dropped, whatever their size [S2-16]', (count) => {
    expect(validate(times(count, () => assistant('x'.repeat(8192)))).history).toHaveLength(count)
  })
})

test('content is trimmed, the role put in its normal form, and the input left as it is [S2-18]', () => {
  const history = Object.freeze([Object.freeze({ role: ' Assistant', content: '\n hi \t', timestamp: stamp })])
  expect(validate(history).history).toEqual([assistant('hi')])
  expect(history[0]).toEqual({ role: ' Assistant', content: '\n hi \t', timestamp: stamp })
})

describe('the order of the checks [S2-19]', () => {
  test('is type, count, then message by message [S2-19]', () => {
    // the first fault of the history wins, not the worst
    const faults = [user(' '), user('x'.repeat(301)), { role: 'system', content: 'x' }, 'junk']
    expect(refusedBy(() => validate(faults)).field).toBe('conversation_history[1].content')
    expect(refusedBy(() => validate([{ role: 'system', content: 'x' }, 'junk'])).field).toBe(
      'conversation_history[0].role',
    )
    // what lies before the last 50 is not looked at
    expect(validate(['junk', ...times(50, () => user('m'))]).history).toHaveLength(50)
  })

  test('is fields before role before emptiness before length in one message [S2-19]', () => {
    expect(refusedBy(() => validate([{ role: 'system' }])).reason).toBe('Missing required fields: content')
    expect(refusedBy(() => validate([{ role: 'system', content: 'x'.repeat(9000) }])).field).toBe(
      'conversation_history[0].role',
    )
    expect(told([{ role: 'user', content: ' '.repeat(400), timestamp: 'bad' }])).toEqual([skipped(0), none])
  })

  test('shows in the order of the warnings [S2-19]', () => {
    const history = [
      ...times(49, () => user('m')),
      { role: 'user', content: 'x'.repeat(200), timestamp: 'bad' },
      { role: 'assistant', content: ' ' },
      { role: 'assistant', content: 'ok' },
    ]
    expect(told(history)).toEqual([
      { field: 'conversation_history', message: 'Too many messages (52 > 50). Keeping only the last 50 messages.' },
      cut(47, 200, 165),
      {
        field: 'conversation_history[47].timestamp',
        message: "Invalid timestamp format 'bad' - replaced with current time",
      },
      skipped(48),
      {
        field: 'conversation_history[49].timestamp',
        message: `Missing timestamp - added current time: ${now}`,
      },
    ])
  })

  test('warns of messages that the total leaves out afterwards too [S2-19]', () => {
    const history = [user('x'.repeat(200)), ...times(20, () => assistant('x'.repeat(1000)))]
    expect(told(history)).toEqual([
      cut(0, 200, 165),
      { field: 'conversation_history', message: 'Total history size exceeded limit. Kept last 14 of 21 messages.' },
    ])
  })

  test('reads past the window, so that a fault among the oldest is still fatal [S2-19]', () => {
    const history = [{ role: 'system', content: 'x' }, ...times(40, () => assistant('x'.repeat(1000)))]
    expect(refusedBy(() => validate(history)).field).toBe('conversation_history[0].role')
  })
})

test('a history of a whole conversation passes as it is [S2-21]', () => {
  const history = alternating(40, (index) => `turn ${index}`)
  expect(validate(history)).toEqual({ history, warnings: [] })
})
