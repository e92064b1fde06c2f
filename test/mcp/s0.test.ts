import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { jwt, jwtDeliverables } from '../specs/examples.fixture.js'
import { assistant, orchestrator, stamp, times, user } from '../specs/specs.fixture.js'
import { type Data, textOf } from './clients.js'
import { description, openS0, type S0 } from './s0.js'

let s0: S0
beforeAll(async () => {
  await build()
  s0 = await openS0()
}, 60_000)
afterAll(() => s0?.mcp.close())

const made: S0['made'] = (history, more) => s0.made(history, more)

describe('create_real_task', () => {
  test('works as ever without a history: no section, no warning, no context [S0-1] [S0-29] [S0-48]', async () => {
    const answer = await s0.mcp.call('create_real_task', { description })
    expect(answer).toMatchObject({ success: true, priority: 'P2', has_enhanced_context: false, warnings: [] })
    expect(answer.conversation_messages_count).toBe(0)
    expect(await s0.read(`task://${answer.task_id}/prompt`)).not.toContain('TASK CONTEXT')
  })

  test.each(['user', 'assistant', 'orchestrator'])('takes the role %s [S0-2]', async (role) => {
    expect((await made([{ role, content: 'hi', timestamp: stamp }])).stored.messages[0].role).toBe(role)
  })

  test('makes strings of other contents and fills in the time [S0-3] [S0-4] [S0-36] [S0-41]', async () => {
    const { stored, warnings } = await made([{ role: 'user', content: 42 }])
    expect(stored.messages[0].content).toBe('42')
    expect(new Date(stored.messages[0].timestamp).toISOString()).toBe(stored.messages[0].timestamp)
    expect(warnings).toEqual([])
  })

  test('stores the five fields of a message and the object around them [S0-5] [S0-6] [S0-21]', async () => {
    const { stored } = await made(jwt)
    expect(stored).toEqual({
      messages: expect.any(Array),
      total_messages: 3,
      truncated_count: 1,
      metadata: {
        collection_time: expect.any(String),
        oldest_message: '2025-10-29T10:00:00',
        newest_message: '2025-10-29T10:01:00',
      },
    })
    expect(Object.keys(stored.messages[0]).sort()).toEqual([
      'content',
      'original_length',
      'role',
      'timestamp',
      'truncated',
    ])
  })

  test.each([['hello'], [7], [false], [0]])('refuses %j as a history [S0-7]', async (history) => {
    const said = await s0.refused(history)
    expect(said).toContain('invalid: conversation_history must be a list of message dicts (type_error)')
    expect(said).toContain('Next: ')
  })

  test.each([
    ['a message that is no object', [user('ok'), 'hello'], 'Message at index 1 must be a dict, got str', 'type_error'],
    ['no role', [{ content: 'no role' }], "Message at index 0 missing required field 'role'", 'missing_field'],
    ['no content', [{ role: 'user' }], "Message at index 0 missing required field 'content'", 'missing_field'],
    [
      'the role system',
      [{ role: 'system', content: 'Invalid role' }],
      "Message at index 0 has invalid role 'system', must be user|assistant|orchestrator",
      'invalid_value',
    ],
  ])(
    'refuses %s in the words of the specification [S0-9] [S0-10] [S0-11] [S0-12] [S0-33] [S0-35] [S0-39]',
    async (_, history, words, type) => {
      const answer = await s0.mcp.raw('create_real_task', { description, conversation_history: history })
      expect(answer.isError).toBe(true)
      expect(textOf(answer)).toContain(words)
      expect(answer._meta?.['throughline/error']).toMatchObject({ code: 'invalid', issues: [{ message: words, type }] })
    },
  )

  test.each([60, 100])('keeps the last 50 of %i messages and warns [S0-8] [S0-20] [S0-34] [S0-40]', async (count) => {
    const { answer, stored, warnings } = await made(
      times(count, (index) => ({ role: 'user', content: `msg ${index}` })),
    )
    expect(answer.conversation_messages_count).toBe(50)
    expect(stored.messages[0].content).toBe(`msg ${count - 50}`)
    expect(warnings).toContainEqual(
      expect.objectContaining({
        severity: 'medium',
        message: `conversation_history has ${count} messages, truncating to most recent 50`,
        suggestion: 'Consider providing only recent relevant messages',
      }),
    )
  })

  test('passes over an empty list in silence [S0-13] [S0-32] [S0-49]', async () => {
    const { answer, prompt } = await made([])
    expect(answer).toMatchObject({ warnings: [], conversation_messages_count: 0 })
    expect(prompt).not.toContain('CONVERSATION HISTORY')
  })

  test('cuts users at 8,000 and others at 150, and says what it cut [S0-14] [S0-15] [S0-16] [S0-17] [S0-18] [S0-22] [S0-37] [S0-38] [C-4]', async () => {
    const { stored } = await made([
      user('x'.repeat(200)),
      user('x'.repeat(8_000)),
      user('x'.repeat(8_001)),
      assistant('y'.repeat(500)),
      orchestrator('z'.repeat(150)),
    ])
    expect(stored.messages.map((one: Data) => [one.truncated, one.original_length])).toEqual([
      [false, 200],
      [false, 8_000],
      [true, 8_001],
      [true, 500],
      [false, 150],
    ])
    expect(stored.messages[2].content).toBe(`${'x'.repeat(7_900)} ... (truncated, original: 8001 chars)`)
    expect(stored.messages[3].content).toBe(`${'y'.repeat(150)} ... (truncated)`)
    expect(stored.truncated_count).toBe(2)
  })

  test('keeps the order in which messages were given [S0-19]', async () => {
    const { stored } = await made([user('late', '2025-10-29T12:00:00'), user('early', '2025-10-29T08:00:00')])
    expect(stored.messages.map((one: Data) => one.content)).toEqual(['late', 'early'])
  })

  test('keeps emoji and other scripts whole where it cuts [S0-P2]', async () => {
    const { stored } = await made([assistant('漢👩‍💻'.repeat(100))])
    expect(stored.messages[0].content).toBe(`${[...'漢👩‍💻'.repeat(100)].slice(0, 150).join('')} ... (truncated)`)
  })

  test('passes over null entries with a warning where the preset is lenient [S0-P3]', async () => {
    const { answer, warnings } = await made([null, user('a'), null], { preset: 'handoff-balanced' })
    expect(answer.conversation_messages_count).toBe(1)
    expect(warnings.map(({ field }: Data) => field)).toEqual(['conversation_history[0]', 'conversation_history[2]'])
  })

  test('takes lists and histories as JSON strings, and omitted ones give no warning [S0-1] [S0-P1]', async () => {
    const { answer, status } = await made(JSON.stringify(jwt), {
      expected_deliverables: JSON.stringify(jwtDeliverables),
      constraints: null,
    })
    expect(answer).toMatchObject({ conversation_messages_count: 3, warnings: [] })
    expect(status.context.expected_deliverables).toEqual(jwtDeliverables)
    expect(status.task.conversation_messages_count).toBe(3)
    const { tasks } = JSON.parse(await s0.read('tasks://list'))
    expect(tasks.find((one: Data) => one.task_id === answer.task_id).conversation_messages_count).toBe(3)
  })
})
