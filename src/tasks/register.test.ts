import { describe, expect, test } from 'vitest'
import { jwt, jwtDeliverables } from '../../test/specs/examples.fixture.js'
import type { TaskInput } from './record/input.js'
import { assistant, now, refusedBy, stage, times, user } from './tasks.fixture.js'

const s0 = 'handoff-user-first'

describe('a task', () => {
  test('needs nothing but a description, and without a history nothing is said of one [S0-1] [S0-48]', async () => {
    const { tasks } = stage()
    const { task, warnings, receipt } = await tasks.register({ description: 'Tidy up' })
    expect(warnings).toEqual([])
    expect(receipt).toBeNull()
    expect(task).toMatchObject({
      description: 'Tidy up',
      priority: 'P2',
      state: 'registered',
      preset: 'handoff-user-first',
      client_cwd: null,
      has_enhanced_context: false,
      conversation_messages_count: 0,
    })
    expect((await tasks.prompt(task.id)).text).toBe('TASK (P2): Tidy up\n')
  })

  test.each([null, undefined, [], '[]', 'null'])(
    'without messages (%j) is one without a history [S0-1] [S0-49]',
    async (conversation_history) => {
      const { tasks } = stage()
      const { task, warnings } = await tasks.register({ description: 'x', conversation_history, preset: s0 })
      expect(warnings).toEqual([])
      expect(await tasks.get(task.id)).toMatchObject({ task_context: null, has_enhanced_context: false })
    },
  )

  test('takes the history through all five points of integration [S0-31]', async () => {
    const { tasks } = stage()
    const { task } = await tasks.register({ description: 'x', conversation_history: jwt, preset: s0 })
    const detail = await tasks.get(task.id)
    expect(detail).toMatchObject({ has_enhanced_context: true, conversation_messages_count: 3 })
    expect(detail?.task_context?.conversation_history).toMatchObject({
      total_messages: 3,
      truncated_count: 1,
      metadata: { collection_time: now, oldest_message: '2025-10-29T10:00:00', newest_message: '2025-10-29T10:01:00' },
    })
    expect((await tasks.prompt(task.id)).text).toContain('💬 CONVERSATION HISTORY (Leading to This Task):')
  })

  test('counts the messages in the answer and in the list [S0-P1]', async () => {
    const { tasks } = stage()
    const { task } = await tasks.register({ description: 'x', conversation_history: [user('a'), assistant('b')] })
    expect(task.conversation_messages_count).toBe(2)
    expect((await tasks.list({ limit: 10 })).items[0]?.conversation_messages_count).toBe(2)
  })

  test('has the parameters of specification 0 in its prompt, in their order', async () => {
    const { tasks } = stage()
    const { task } = await tasks.register({
      description: 'x',
      preset: s0,
      background_context: 'why',
      expected_deliverables: ['one'],
      success_criteria: ['two'],
      constraints: ['three'],
      relevant_files: ['../../etc/passwd'],
      related_documentation: ['five'],
      conversation_history: [user('hello')],
    })
    const { text } = await tasks.prompt(task.id)
    const heads = ['BACKGROUND', 'EXPECTED', 'SUCCESS', 'CONSTRAINTS', 'RELEVANT', 'CONVERSATION', 'RELATED']
    const places = heads.map((head) => text.indexOf(head))
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(places[0]).toBeGreaterThan(0)
  })
})

describe('what is given', () => {
  test('may be JSON or a string of JSON', async () => {
    const { tasks } = stage()
    const given: TaskInput = {
      description: 'x',
      preset: s0,
      conversation_history: JSON.stringify(jwt),
      expected_deliverables: JSON.stringify(jwtDeliverables),
      constraints: 'just this one',
    }
    const { task, warnings } = await tasks.register(given)
    const plain = await tasks.register({
      ...given,
      conversation_history: jwt,
      expected_deliverables: jwtDeliverables,
      constraints: ['just this one'],
    })
    expect(warnings).toEqual([])
    expect((await tasks.prompt(task.id)).text).toBe((await tasks.prompt(plain.task.id)).text)
  })

  test('is refused with every field that is wrong', async () => {
    const { tasks } = stage()
    const input = { priority: 'P9', constraints: [1], thread: 7, tokens: 1, relevnt_files: [] } as unknown as TaskInput
    const { issues } = await refusedBy(tasks.register(input))
    expect(issues.map(({ field }) => field).sort()).toEqual(
      ['constraints[0]', 'description', 'priority', 'relevnt_files', 'thread', 'tokens'].sort(),
    )
    expect(issues.find(({ field }) => field === 'relevnt_files')?.message).toContain('did you mean relevant_files?')
  })

  const cyclic: Record<string, unknown> = { role: 'user', content: 'x' }
  cyclic.self = cyclic
  const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
  test.each([
    ['cyclic', [cyclic], 'contains itself'],
    ['deep', deep, 'nested more than 64 levels'],
    ['deep as a string', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'nested more than 64 levels'],
    ['larger than 10 MB', [user('x'.repeat(11 * 1024 * 1024))], 'larger than'],
    ['sparse', new Array(2 ** 32 - 1), 'larger than'],
  ])('is refused when it is %s', async (_, conversation_history, message) => {
    const { tasks } = stage()
    expect((await refusedBy(tasks.register({ description: 'x', conversation_history }))).message).toContain(message)
  })

  test('is refused when it cannot be read', async () => {
    const { tasks } = stage()
    const trap = {
      description: 'x',
      get priority(): 'P1' {
        throw new Error('boo')
      },
    }
    expect((await refusedBy(tasks.register(trap))).code).toBe('invalid')
  })

  test('of nearly 10 MB is registered, and no more than the budget comes of it', async () => {
    const { tasks } = stage()
    const conversation_history = times(9_000, (index) => user(`${index} ${'word '.repeat(200)}`))
    const { task, receipt } = await tasks.register({ description: 'x', conversation_history })
    expect(receipt?.totals.messages).toBe(9_000)
    expect((await tasks.prompt(task.id)).tokens).toBeLessThanOrEqual(20_000)
  })

  test('keeps NUL and half characters from the store, also out of a string of JSON', async () => {
    const { tasks } = stage()
    const { task } = await tasks.register({
      description: 'a\0b',
      conversation_history: '[{"role":"user","content":"c\\u0000\\ud800"}]',
    })
    expect(task.description).toBe('a\ufffdb')
    expect((await tasks.prompt(task.id)).history).toContain('c\ufffd\ufffd')
  })
})
