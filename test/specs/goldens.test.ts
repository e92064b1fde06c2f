import { describe, expect, test } from 'vitest'
import { check, counters } from '../../src/index.js'
import {
  applyContextWindow,
  calculateHistorySize,
  formatTaskEnrichmentPrompt,
  getConversationHistory,
  truncateConversationHistory,
  validateConversationHistory,
} from '../../src/recipes/index.js'
import { jwt, jwtDeliverables, slowQueries } from './examples.fixture.js'
import {
  alternating,
  assistant,
  build,
  now,
  orchestrator,
  refusedBy,
  sent,
  stamp,
  times,
  user,
} from './specs.fixture.js'

type Form = { readonly compat?: 'literal' }
const forms: readonly [name: string, form: Form][] = [
  ['literal', { compat: 'literal' }],
  ['fixed', {}],
]

const said = (messages: readonly object[]): string[] =>
  messages.map((message) => (message as { content: string }).content)

const tokensOf = (messages: readonly object[]): number =>
  said(messages).reduce((sum, content) => sum + counters.charsPer4.count(content), 0)

describe.each(forms)('specification 0, %s', (_, form) => {
  const truncate = (messages: Parameters<typeof truncateConversationHistory>[0]) =>
    truncateConversationHistory(messages, { now, ...form })

  test('user texts of 7,950, 8,000, 8,001 and 100,000 chars [G0-1]', () => {
    const { messages } = truncate([7950, 8000, 8001, 100_000].map((size) => user('x'.repeat(size))))
    expect(messages.map(({ content }) => content.length)).toEqual([7950, 8000, 7938, 7940])
    expect(messages.map(({ truncated }) => truncated)).toEqual([false, false, true, true])
    expect(messages[2]?.content).toBe(`${'x'.repeat(7900)} ... (truncated, original: 8001 chars)`)
    expect(messages[3]?.content).toBe(`${'x'.repeat(7900)} ... (truncated, original: 100000 chars)`)
  })

  test('assistant texts of 150 and 151 chars and an orchestrator of 500 [G0-2]', () => {
    const { messages } = truncate([
      assistant('x'.repeat(150)),
      assistant('x'.repeat(151)),
      orchestrator('x'.repeat(500)),
    ])
    expect(messages.map(({ content }) => content.length)).toEqual([150, 166, 166])
    expect(messages.map(({ content }) => content.slice(150))).toEqual(['', ' ... (truncated)', ' ... (truncated)'])
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'assistant', 'orchestrator'])
  })

  test('the first usage example [G0-3] [P-27]', () => {
    expect(jwt[1]?.content).toHaveLength(258)
    const stored = truncate(jwt)
    expect(stored.messages[1]?.content).toHaveLength(166)
    expect(stored.messages[1]?.original_length).toBe(258)
    expect(stored.truncated_count).toBe(1)
    const prompt = formatTaskEnrichmentPrompt(
      { task_context: { expected_deliverables: jwtDeliverables, conversation_history: stored } },
      form,
    )
    expect(prompt).toContain('\n📊 History metadata: 3 messages, 1 truncated (user messages kept concise)\n')
  })

  test('the second usage example [G0-4] [P-27]', () => {
    const { history } = validateConversationHistory(slowQueries, { policy: 'handoff-user-first', now, ...form })
    const { messages } = truncate(history ?? [])
    expect(messages[0]).toMatchObject({ content: slowQueries[0]?.content, truncated: false, original_length: 339 })
    // 567 bytes: the golden counts the ² of O(n²) as two
    expect(messages[1]).toMatchObject({ role: 'orchestrator', truncated: true, original_length: 566 })
    expect(messages[1]?.content).toMatch(/loading user data with related posts and {2}\.\.\. \(truncated\)$/)
  })

  test('60 messages become the last 50 with one warning [G0-5]', () => {
    const { history, warnings } = validateConversationHistory(
      times(60, (index) => user(`msg ${index}`)),
      { policy: 'handoff-user-first', now, ...form },
    )
    expect(said(history ?? [])).toEqual(times(50, (index) => `msg ${index + 10}`))
    expect(warnings.map(({ message }) => message)).toEqual([
      'conversation_history has 60 messages, truncating to most recent 50',
    ])
  })
})

describe.each(forms)('specification 2, %s', (name, form) => {
  const validate = (history: unknown) => validateConversationHistory(history, { now, ...form })
  const words = (warnings: readonly { readonly code: string; readonly message: string }[]): string[] =>
    warnings.filter(({ code }) => code !== 'fit.excess').map(({ message }) => message)
  const size = (history: readonly { role: string; content: string; timestamp: string }[] | null): number =>
    calculateHistorySize(history ?? [])
  const marker = '... (earlier messages omitted for brevity)\n\n'

  test('50 answers of 1,000 chars [G2-1]', () => {
    const { history, warnings } = validate(times(50, () => assistant('x'.repeat(1000))))
    expect(history).toHaveLength(14)
    expect(size(history)).toBe(14_674)
    expect(size(history) - marker.length).toBe(14_630)
    expect(history?.[0]?.content).toBe(marker + 'x'.repeat(1000))
    expect(words(warnings)).toEqual(['Total history size exceeded limit. Kept last 14 of 50 messages.'])
  })

  test('6 answers of 8,192 chars [G2-2]', () => {
    const { history, warnings } = validate(times(6, () => assistant('x'.repeat(8192))))
    expect(history).toHaveLength(5)
    expect(size(history)).toBe(41_185 + marker.length)
    expect(history?.[0]?.content.startsWith(marker)).toBe(true)
    expect(words(warnings)).toEqual(['Total history size exceeded limit. Kept last 5 of 6 messages.'])
    const { receipt } = build(
      times(6, () => assistant('x'.repeat(8192))),
      'handoff-assistant-first',
      { now, ...form },
    )
    expect(receipt.budget).toMatchObject({ limit: 'chars' })
    expect(receipt.budget.excess).toBeGreaterThanOrEqual(41_185 - 15_360)
  })

  test('5 answers of 8,192 chars [G2-3]', () => {
    const { history, warnings } = validate(times(5, () => assistant('x'.repeat(8192))))
    expect(history).toHaveLength(5)
    const literal = name === 'literal'
    expect(history?.[0]?.content.startsWith(marker)).toBe(literal)
    expect(size(history)).toBe(41_185 + (literal ? marker.length : 0))
    expect(words(warnings)).toEqual(literal ? ['Total history size exceeded limit. Kept last 5 of 5 messages.'] : [])
  })

  test('user texts of 150 padded, 300 and 301 chars [G2-4]', () => {
    const padded = validate([user(`   ${'x'.repeat(150)}\n `)])
    expect(padded.history?.[0]?.content).toBe('x'.repeat(150))
    expect(padded.warnings).toEqual([])
    const long = validate([user('x'.repeat(300))])
    expect(long.history?.[0]?.content).toHaveLength(165)
    expect(words(long.warnings)).toEqual(['Message truncated from 300 to 165 characters'])
    const error = refusedBy(() => validate([user('x'.repeat(301))]))
    expect(error).toMatchObject({
      field: 'conversation_history[0].content',
      reason: 'Message exceeds hard limit of 300 characters',
      value: '301 characters',
    })
  })

  test('an answer of 16,384 chars [G2-5]', () => {
    const { history, warnings } = validate([assistant('x'.repeat(16_384))])
    expect(history?.[0]?.content).toBe(`${'x'.repeat(8192)}... [truncated]`)
    expect(history?.[0]?.content).toHaveLength(8207)
    expect(words(warnings)).toEqual(['Message truncated from 16384 to 8207 characters'])
  })

  test('an empty list, a blank message and null [G2-6]', () => {
    const none = 'All messages were filtered out due to validation issues. History will be omitted.'
    expect(validate([]).history).toBeNull()
    expect(words(validate([]).warnings)).toEqual([none])
    const blank = validate([user(' \n ')])
    expect(blank.history).toBeNull()
    expect(words(blank.warnings)).toEqual(['Empty message content - message will be skipped', none])
    expect(validate(null)).toEqual({ history: null, warnings: [] })
  })

  test('60 one-char messages [G2-7]', () => {
    const { history, warnings } = validate(times(60, () => user('m')))
    expect(history).toHaveLength(50)
    expect(size(history)).toBe(2050)
    expect(words(warnings)).toEqual(['Too many messages (60 > 50). Keeping only the last 50 messages.'])
  })
})

describe('specification 1', () => {
  test('25 alternating messages are 20 literally, and start on a user when fixed [G1-1]', () => {
    const history = alternating(25)
    const literal = build(history, 'stateless-query', { compat: 'literal', target: 'messages' })
    expect(said(sent(literal))).toEqual(times(20, (index) => `message ${index + 5}`))
    expect([sent(literal)[0]?.role, sent(literal).at(-1)?.role]).toEqual(['assistant', 'user'])

    const fixed = build({ messages: history, current: 'and now?' }, 'stateless-query')
    expect(check('anthropic', fixed.rendered)).toEqual([])
    expect(sent(fixed)[0]?.role).toBe('user')
    expect(fixed.receipt.totals.kept).toBeGreaterThanOrEqual(19)
  })

  test('5 good messages before 20 malformed ones [G1-2]', () => {
    const history = [...alternating(5), ...times(20, (index) => (index % 2 ? { role: 'user' } : null))]
    const literal = build(history, 'stateless-query', { compat: 'literal', target: 'messages' })
    expect(sent(literal)).toEqual([])
    const fixed = build(history, 'stateless-query', { target: 'messages' })
    expect(said(sent(fixed))).toEqual(times(5, (index) => `message ${index}`))
  })
})

describe('specification 3', () => {
  const pairs = (count: number) => alternating(count * 2).map((message, id) => ({ id: `m${id}`, ...message }))

  test('25 short pairs become 40 messages that start on a user [G3-1]', async () => {
    const history = await getConversationHistory(pairs(25))
    expect(said(history)).toEqual(times(40, (index) => `message ${index + 10}`))
    expect(history[0]?.role).toBe('user')
  })

  test('a current message that is saved already stands there once, and literally twice [G3-2]', () => {
    const current = { id: 'm50', role: 'user', content: 'what now?' }
    const saved = [...pairs(25), current]
    const fixed = build({ messages: saved, current }, 'agent-turns')
    expect(fixed.items.map(({ text }) => text).filter((text) => text === 'what now?')).toHaveLength(1)
    expect(fixed.items).toHaveLength(41)
    // by its text alone it can not be known, so a turn is lost and the text is there again
    const literal = build({ messages: saved, current: 'what now?' }, 'agent-turns')
    expect(literal.items.map(({ text }) => text).filter((text) => text === 'what now?')).toHaveLength(2)
    expect(literal.items.filter(({ fate }) => fate !== 'current')).toHaveLength(39)
  })

  test('a newest message of 100,001 chars is shortened and the history is not emptied [G3-3]', async () => {
    const history = await getConversationHistory([...pairs(2), user('x'.repeat(100_001))])
    const last = history.at(-1)
    expect(last?.role).toBe('user')
    expect(last?.content.length).toBeLessThanOrEqual(100_000)
    expect(last?.content.length).toBeGreaterThan(90_000)
    expect(last?.content).toMatch(/\[… [\d,]+ characters omitted …\]/)
  })

  test('two messages of 50,000 chars are both kept [G3-4]', async () => {
    const history = await getConversationHistory([user('u'.repeat(50_000)), assistant('a'.repeat(50_000))])
    expect(said(history)).toEqual(['u'.repeat(50_000), 'a'.repeat(50_000)])
  })
})

describe('specification 4', () => {
  const marker = { role: 'system', content: '[Earlier messages truncated]' }
  const chat = (count: number, size: number) =>
    alternating(count, (index) => `${index} `.padEnd(size, 'x')).map(({ role, content }) => ({ role, content }))

  test('100 messages of 200 chars under 6,000 / 4,500 [G4-1]', () => {
    const messages = chat(100, 200)
    const literal = applyContextWindow(messages, 6000, 4500, { compat: 'literal' })
    expect(literal).toEqual([messages[0], ...messages.slice(-29)])
    expect(tokensOf(literal)).toBe(1500)

    const fixed = applyContextWindow(messages, 6000, 4500)
    expect(fixed).toEqual([messages[0], marker, ...messages.slice(-28)])
    expect(tokensOf(fixed)).toBeLessThanOrEqual(1500)
  })

  test.each(forms)('100 messages of 204 chars under 6,000 / 4,500, %s [G4-2]', (_, form) => {
    const messages = chat(100, 204)
    const window = applyContextWindow(messages, 6000, 4500, form)
    expect(window).toEqual([messages[0], marker, ...messages.slice(-28)])
    expect(window).toHaveLength(30)
    expect(tokensOf(window)).toBe(1486)
  })

  test.each(forms)('an opener of 84 chars and 30 of about 222 under 800 / 0, %s [G4-3]', (_, form) => {
    const messages = [...chat(1, 84), ...chat(30, 222)]
    const window = applyContextWindow(messages, 800, 0, form)
    expect(window).toEqual([messages[0], marker, ...messages.slice(-14)])
    expect(window).toHaveLength(16)
    expect(tokensOf(window)).toBe(798)
  })

  test('a reserve above the budget is set aside with a warning, and literally leaves one message [G4-4]', () => {
    const messages = chat(20, 200)
    const warnings: string[] = []
    const window = applyContextWindow(messages, 2048, 4500, { warn: ({ code }) => warnings.push(code) })
    expect(window).toEqual(messages)
    expect(warnings).toEqual(['fit.reserve'])
    expect(applyContextWindow(messages, 2048, 4500, { compat: 'literal' })).toHaveLength(1)
  })

  test.each(forms)('an empty history, and a single oversized message, %s [G4-5]', (_, form) => {
    expect(applyContextWindow([], 6000, 4500, form)).toEqual([])
    const [single] = chat(1, 50_000)
    expect(applyContextWindow([single as object], 6000, 4500, form)).toEqual([single])
  })

  test('timestamps of 26 chars are what the other goldens count with', () => {
    expect(stamp).toHaveLength(26)
  })
})
