import { describe, expect, test } from 'vitest'
import { openHistory } from '../engine/history.js'
import { assistant, codes, refusedBy, stage, times, user } from './tasks.fixture.js'

const s0 = 'handoff-user-first'
const s2 = 'handoff-assistant-first'

describe('the budget', () => {
  test('holds the prompt under 20,000 tokens and says so when it bites [S0-43]', async () => {
    const { tasks } = stage()
    const conversation_history = times(50, () => user('The dashboard is slow. '.repeat(300)))
    for (const preset of [s0, 'handoff-balanced'] as const) {
      const { task, warnings } = await tasks.register({ description: 'x', preset, conversation_history })
      expect(codes(warnings)).toEqual(['task.budget'])
      const prompt = await tasks.prompt(task.id)
      expect(prompt).toMatchObject({ excess: 0 })
      expect(prompt.tokens).toBeLessThanOrEqual(20_000)
      expect(prompt.history).toContain('earlier messages are not shown here.)')
    }
  })

  test('of the history shrinks with the rest of the prompt, but never to nothing', async () => {
    const { tasks } = stage()
    const conversation_history = times(50, (index) => user(`${index} ${'word '.repeat(100)}`))
    const sized = async (background: number) => {
      const background_context = 'because '.repeat(background)
      const made = await tasks.register({ description: 'x', tokens: 4_000, background_context, conversation_history })
      return { ...made, prompt: await tasks.prompt(made.task.id) }
    }
    const [small, large, huge] = [await sized(10), await sized(400), await sized(9_000)]
    expect(large.task.conversation_messages_count).toBeLessThan(small.task.conversation_messages_count)
    expect(large.prompt.tokens).toBeLessThanOrEqual(4_000)
    expect(huge.task.conversation_messages_count).toBeGreaterThan(0)
    expect(huge.prompt.excess).toBeGreaterThan(0)
    expect(codes(huge.warnings)).toContain('task.prompt')
  })
})

test('a history that is cut is also kept as it was given', async () => {
  const { tasks, store } = stage()
  const cut = await tasks.register({ description: 'x', conversation_history: [assistant('a'.repeat(900))] })
  const whole = await tasks.register({ description: 'x', conversation_history: [assistant('a')] })
  const source = async (id: string) => (await store.getRecord('w', 'task-source', id))?.body ?? null
  expect(await source(cut.task.id)).toEqual([assistant('a'.repeat(900))])
  expect(await source(whole.task.id)).toBeNull()
})

describe('a history that is a reference', () => {
  const conversation = async (store: Parameters<typeof openHistory>[0]['store']) => {
    const history = await openHistory({ store, workspace: 'w', conversation: 'c' })
    await history.append([user('We need JWT'), assistant('Agreed')])
    return history
  }

  test('is a snapshot that stays and a branch that goes on', async () => {
    const { store, tasks } = stage()
    const history = await conversation(store)
    const { task } = await tasks.register({ description: 'x', conversation_history: { conversation: 'c' } })
    const before = await tasks.prompt(task.id)
    expect(before.history).toContain('We need JWT')
    await history.append(user('And OAuth'))
    expect(await tasks.prompt(task.id)).toEqual(before)
    const live = await tasks.live(task.id)
    expect(live).toMatchObject({ conversation: 'c', branch: 'main', moved: true })
    expect(live?.section).toContain('And OAuth')
    expect((await tasks.get(task.id))?.source).toMatchObject({ conversation: 'c', branch: 'main' })
  })

  test('goes with its conversation, and with the words that are redacted', async () => {
    const { store, tasks } = stage()
    const history = await conversation(store)
    const register = () => tasks.register({ description: 'x', conversation_history: '{"conversation":"c"}' })
    const one = await register()
    const [entry] = await history.path()
    await history.redact(entry?.id ?? '')
    expect((await tasks.prompt(one.task.id)).text).not.toContain('JWT')
    const other = await register()
    expect((await tasks.prompt(other.task.id)).text).toContain('Agreed')
    await history.remove()
    expect((await tasks.prompt(other.task.id)).text).toBe('TASK (P2): x\n')
  })

  test('leaves tool traffic out, whatever the preset', async () => {
    const { store, tasks } = stage()
    const history = await conversation(store)
    const calls = [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }]
    await history.append([
      { role: 'assistant', content: 'Looking', tool_calls: calls },
      { role: 'tool', tool_call_id: 'c1', content: 'secret' },
    ])
    for (const preset of ['handoff-balanced', s0, s2] as const) {
      const { task } = await tasks.register({ description: 'x', preset, conversation_history: { conversation: 'c' } })
      const { history: section } = await tasks.prompt(task.id)
      expect(section).toContain('Looking')
      expect(section).not.toContain('secret')
    }
  })

  test.each([
    [{ conversation: 'nowhere' }, 'conversation_history.conversation'],
    [{ conversation: 'c', branch: 'nowhere' }, 'conversation_history.branch'],
  ])('to what is not there is refused: %j', async (conversation_history, field) => {
    const { store, tasks } = stage()
    await conversation(store)
    expect(await refusedBy(tasks.register({ description: 'x', conversation_history }))).toMatchObject({ field })
  })

  test('to a conversation in which nothing was said is no history [S0-49]', async () => {
    const { store, tasks } = stage()
    await openHistory({ store, workspace: 'w', conversation: 'empty' })
    const made = await tasks.register({ description: 'x', conversation_history: { conversation: 'empty' } })
    expect(made).toMatchObject({ warnings: [], task: { has_enhanced_context: false } })
  })
})
