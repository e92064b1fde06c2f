import { describe, expect, test } from 'vitest'
import {
  type Assembled,
  assemble,
  extend,
  HistoryError,
  type Overrides,
  type Policy,
  parsePolicy,
  presets,
} from '../../src/index.js'
import { policyFrom, validateConversationHistory } from '../../src/recipes/index.js'
import { alternating, assistant, build, now, refusedBy, times, user } from './specs.fixture.js'

const names = [
  'balanced',
  'handoff-balanced',
  'handoff-user-first',
  'stateless-query',
  'handoff-assistant-first',
  'agent-turns',
  'session-window',
] as const

const made = (name: keyof typeof presets, overrides: Overrides) => () => parsePolicy(extend(presets[name], overrides))

/** The error of a refused call. */
function errorOf(result: Assembled) {
  if (result.ok) throw new Error('nothing was refused')
  return result.error
}

describe('the presets', () => {
  test('are seven, each under its own name', () => {
    expect(Object.keys(presets).sort()).toEqual([...names].sort())
    for (const name of names) expect(presets[name].name).toBe(name)
  })

  test.each(names)('%s is plain data: it survives JSON and is parsed again unchanged', (name) => {
    const copy = JSON.parse(JSON.stringify(presets[name]))
    expect(copy).toEqual(presets[name])
    expect(parsePolicy(copy)).toEqual(presets[name])
  })

  test.each(names)('%s cannot be changed', (name) => {
    expect(Object.isFrozen(presets[name])).toBe(true)
    expect(Object.isFrozen(presets[name].fit.gap)).toBe(true)
  })

  test.each(names)('%s takes an ordinary conversation whole', (name) => {
    const result = build({ messages: alternating(6), current: 'and now?' }, name, { now })
    expect(result.receipt.totals).toMatchObject({ messages: 6, dropped: 0 })
    expect(result.receipt.policy.name).toBe(name)
    expect(JSON.stringify(result.rendered)).toContain('message 0')
    expect(JSON.stringify(result.rendered)).toContain('and now?')
  })

  test('balanced is the default', () => {
    expect(build(alternating(4)).receipt.policy.name).toBe('balanced')
  })

  test('the same policy has the same hash, and another one another', () => {
    const hash = (policy: Parameters<typeof assemble>[1]) => build([user('x')], policy, { now }).receipt.policy.hash
    expect(hash(JSON.parse(JSON.stringify(presets.balanced)))).toBe(hash('balanced'))
    expect(new Set(names.map(hash)).size).toBe(names.length)
  })
})

describe('the schema', () => {
  test.each([
    ['fit.tokens', { fit: { tokens: -1 } }],
    ['fit.messages', { fit: { messages: 1.5 } }],
    ['fit.step', { fit: { step: 0.9 } }],
    ['intake.voice', { intake: { voice: 's9' } }],
    ['intake.roles', { intake: { roles: [] } }],
    ['strategy', { strategy: 'forget' }],
    ['render.target', { render: { target: 'fax' } }],
  ])('refuses a bad %s and names it', (field, overrides) => {
    const error = refusedBy(made('balanced', overrides as Overrides))
    expect(error.code).toBe('policy.invalid')
    expect(error.issues[0]?.code).toBe('policy.shape')
    expect(error.issues[0]?.field?.startsWith(field)).toBe(true)
  })

  test('refuses a field that it does not know', () => {
    const error = refusedBy(made('balanced', { fit: { maxTokens: 3 } } as Overrides))
    expect(error.message).toContain('maxTokens')
  })

  test('names every fault at once', () => {
    const error = refusedBy(made('balanced', { fit: { tokens: -1, step: 3 }, strategy: 'x' } as unknown as Overrides))
    expect(error.issues.map(({ field }) => field).sort()).toEqual(['fit.step', 'fit.tokens', 'strategy'])
  })

  test('refuses what is no policy', () => {
    for (const value of [null, 7, 'balanced', [], {}]) expect(() => parsePolicy(value)).toThrow(HistoryError)
  })

  test('a bad policy comes back from assemble as a value', () => {
    expect(errorOf(assemble([user('x')], 'nonsense' as 'balanced'))).toMatchObject({
      code: 'policy.unknown',
      value: 'nonsense',
    })
    expect(errorOf(assemble([user('x')], 'constructor' as 'balanced'))).toMatchObject({ code: 'policy.unknown' })
    const overrides = { fit: { tokens: 1 } }
    expect(errorOf(assemble([user('x')], 'balanced', { overrides }))).toMatchObject({ code: 'policy.geometry' })
  })
})

describe('an impossible geometry is refused [L-18]', () => {
  test.each<[string, keyof typeof presets, Overrides]>([
    ['fit.reserve', 'session-window', { fit: { covers: 'request', tokens: 4_700 } }],
    ['fit.reserve', 'session-window', { fit: { covers: 'request', tokens: 2_048 } }],
    ['fit.floor', 'handoff-assistant-first', { fit: { messages: 3 } }],
    ['fit.floor', 'handoff-assistant-first', { intake: { last: 4 } }],
    ['fit.floor', 'balanced', { fit: { floor: 2 } }],
    ['fit.turns', 'session-window', { fit: { turns: 4 } }],
    ['fit.pin.share', 'balanced', { fit: { pin: { share: 1 } } }],
    ['fit.gap.text', 'session-window', { fit: { gap: { text: ' ' } } }],
    ['fit.tokens', 'balanced', { fit: { tokens: 63, reserve: { system: 0, tools: 0, response: 0 } } }],
    ['clip.user', 'handoff-user-first', { clip: { user: { head: 7_000, tail: 2_000 } } }],
    ['clip.assistant', 'balanced', { clip: { assistant: { head: 0, tail: 0 } } }],
    ['intake.hard.user', 'handoff-assistant-first', { clip: { user: { over: 301, head: 301 } } }],
  ])('%s of %s [L-18]', (field, name, overrides) => {
    const error = refusedBy(made(name, overrides))
    expect(error.issues.map((issue) => [issue.code, issue.field])).toContainEqual(['policy.geometry', field])
  })

  test('and the words say how much is left [L-18]', () => {
    const error = refusedBy(made('session-window', { fit: { covers: 'request', tokens: 4_700 } }))
    expect(error.message).toContain('leaves 200 of 4700 tokens for the history')
  })

  test('but one that just works is taken [L-18]', () => {
    expect(made('session-window', { fit: { covers: 'request', tokens: 4_756 } })().fit.tokens).toBe(4_756)
  })
})

describe('overrides', () => {
  test('change one field and leave its neighbours', () => {
    const policy = parsePolicy(extend(presets.balanced, { fit: { reserve: { response: 9 } }, clip: { user: null } }))
    expect(policy.fit.reserve).toEqual({ system: 0, tools: 0, response: 9 })
    expect(policy.clip.user).toBeNull()
    expect(policy.clip.assistant).toEqual(presets.balanced.clip.assistant)
    expect(presets.balanced.clip.user).not.toBeNull()
  })

  test('come with the call, with the policy object, or both', () => {
    const history = alternating(30)
    const kept = (policy: Parameters<typeof assemble>[1], overrides?: Overrides) =>
      build({ messages: history, current: 'x' }, policy, overrides ? { overrides } : {}).receipt.totals.kept
    expect(kept('stateless-query', { fit: { messages: 4 } })).toBe(4)
    expect(kept({ extends: 'stateless-query', fit: { messages: 6 } })).toBe(6)
    expect(kept({ extends: 'stateless-query', fit: { messages: 6 } }, { fit: { messages: 8 } })).toBe(8)
    expect(errorOf(assemble(history, { extends: 'nobody' as 'balanced' }))).toMatchObject({ code: 'policy.unknown' })
  })

  test('go above the literal form', () => {
    const { receipt } = build(alternating(30), 'stateless-query', {
      compat: 'literal',
      overrides: { intake: { last: 6 } },
      target: 'messages',
    })
    expect(receipt.totals.kept).toBe(6)
    expect(receipt.policy.compat).toBe('literal')
  })
})

describe('limits of specification 2 by name', () => {
  const env = {
    CONVERSATION_HISTORY_MAX_MESSAGES: '10',
    CONVERSATION_HISTORY_MAX_USER_CHARS: '20',
    CONVERSATION_HISTORY_MAX_ASSISTANT_CHARS: '40',
    CONVERSATION_HISTORY_MAX_TOTAL_SIZE: '500',
    CONVERSATION_HISTORY_MIN_KEEP: '2',
    CONVERSATION_HISTORY_VALID_ROLES: '{"user", "assistant", "orchestrator"}',
    HOME: '/root',
    PATH: '/bin',
  }

  test('each can be changed, and each does what its name says [S2-35]', () => {
    const policy = policyFrom(env)
    const validate = (history: unknown) => validateConversationHistory(history, { policy, now })
    expect(policy.name).toBe('handoff-assistant-first')

    expect(validate(times(12, () => user('m'))).warnings[0]?.message).toBe(
      'Too many messages (12 > 10). Keeping only the last 10 messages.',
    )
    expect(validate([user('x'.repeat(21))]).history?.[0]?.content).toBe(`${'x'.repeat(20)}... [truncated]`)
    expect(validate([assistant('x'.repeat(41))]).history?.[0]?.content).toBe(`${'x'.repeat(40)}... [truncated]`)
    expect(refusedBy(() => validate([user('x'.repeat(41))])).reason).toBe('Message exceeds hard limit of 40 characters')
    expect(refusedBy(() => validate([assistant('x'.repeat(81))])).value).toBe('81 characters')
    expect(validate([{ role: 'orchestrator', content: 'hi', timestamp: now }]).history).toHaveLength(1)
    expect(refusedBy(() => validate([{ role: 'system', content: 'hi' }])).reason).toBe(
      "Role must be one of {'user', 'assistant', 'orchestrator'}, got 'system'",
    )
    const many = validate(times(10, () => assistant('x'.repeat(40))))
    expect(many.history).toHaveLength(5)
    expect(many.warnings.map(({ message }) => message)).toEqual([
      'Total history size exceeded limit. Kept last 5 of 10 messages.',
    ])
  })

  test('the floor holds when the total is small [S2-35]', () => {
    const policy = policyFrom({ conversation_history_max_total_size: '100', conversation_history_min_keep: '3' })
    const { history } = validateConversationHistory(
      times(9, () => assistant('x'.repeat(100))),
      { policy, now },
    )
    expect(history).toHaveLength(3)
  })

  test.each([
    ['conversation_history_max_messages', '0', 'must be a whole number, 1 or more'],
    ['conversation_history_max_user_chars', 'x', 'must be a whole number, 1 or more'],
    ['conversation_history_max_assistant_chars', '1e99', 'must be a whole number, 1 or more'],
    ['conversation_history_max_total_size', '-1', 'must be a whole number, 1 or more'],
    ['conversation_history_min_keep', '-1', 'must be a whole number, 0 or more'],
  ])('%s refuses %s and says why [S2-35]', (name, value, reason) => {
    const error = refusedBy(() => policyFrom({ [name]: value }))
    expect(error.issues[0]).toMatchObject({ code: 'policy.setting', field: name, value, reason })
  })

  test('a role that no one knows is refused [S2-35]', () => {
    expect(() => policyFrom({ conversation_history_valid_roles: 'user,robot' })).toThrow(HistoryError)
  })

  test('they come from the environment [S2-F1]', () => {
    expect(policyFrom(env)).toMatchObject({
      intake: { last: 10, hard: { user: 40, assistant: 80 }, roles: ['user', 'assistant', 'orchestrator'] },
      clip: { user: { over: 20 }, assistant: { over: 40 } },
      fit: { chars: 500, floor: 2 },
    })
    expect(policyFrom({ HOME: '/root', CONVERSATION_HISTORY_MAX_MESSAGES: '' })).toEqual(presets.balanced)
  })

  test('or from a configuration file [S2-F1]', () => {
    const file = JSON.parse(
      '{ "extends": "handoff-assistant-first", "conversation_history_max_messages": 12, "fit": { "floor": 3 } }',
    )
    expect(policyFrom(file)).toMatchObject({
      name: 'handoff-assistant-first',
      intake: { last: 12 },
      fit: { floor: 3, chars: 15_360 },
    })
  })
})

describe('a policy from a file or the environment', () => {
  test('starts from the preset that is named [S2-F1]', () => {
    expect(policyFrom({ THROUGHLINE_POLICY: 'agent-turns' })).toEqual(presets['agent-turns'])
    expect(policyFrom({})).toEqual(presets.balanced)
    expect(refusedBy(() => policyFrom({ THROUGHLINE_POLICY: 'nobody' })).message).toContain('must be one of balanced')
  })

  test('takes overrides as JSON from the environment [S2-F1]', () => {
    const policy = policyFrom({
      THROUGHLINE_POLICY: 'agent-turns',
      THROUGHLINE_OVERRIDES: '{"fit":{"turns":5}}',
    })
    expect(policy.fit).toEqual({ ...presets['agent-turns'].fit, turns: 5 } satisfies Policy['fit'])
    expect(() => policyFrom({ THROUGHLINE_OVERRIDES: '{nope' })).toThrow('THROUGHLINE_OVERRIDES must be JSON')
  })

  test('takes the settings of specification 4 by their names [S4-12] [S4-13] [S4-14]', () => {
    const policy = policyFrom({
      CONVERSATION_MAX_HISTORY_MESSAGES: '12',
      conversation_max_context_tokens: 900,
      conversation_context_strategy: 'truncate',
    })
    expect(policy).toMatchObject({
      name: 'session-window',
      strategy: 'truncate',
      fit: { messages: 12, tokens: 900 },
    })
  })

  test('a field that can not be is refused there too [L-18]', () => {
    expect(refusedBy(() => policyFrom({ conversation_history_min_keep: '60' })).issues[0]).toMatchObject({
      code: 'policy.geometry',
      field: 'fit.floor',
    })
  })

  test('an unknown field of a file is refused, not ignored [S2-F1]', () => {
    expect(() => policyFrom({ extends: 'balanced', fit: { max: 3 } })).toThrow(HistoryError)
  })
})
