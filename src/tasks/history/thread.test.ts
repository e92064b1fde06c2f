import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { openHistory } from '../../engine/history.js'
import type { TaskInput } from '../record/input.js'
import { assistant, codes, talk, times, user } from '../tasks.fixture.js'
import { relevance } from './relevance.js'

const login = [user('The login page needs JWT tokens'), assistant('JWT tokens for the login page, understood')]
const colours = [user('What colour should the footer be?'), assistant('Blue is calm')]
const last = [user('Start now'), assistant('Starting')]

describe('a thread', () => {
  test('by relevance keeps the turns that concern the task, and the last one [S0-F2]', async () => {
    const conversation_history = [...login, ...colours, ...last]
    const { history, receipt, task } = await talk({ conversation_history, thread: { relevance: 0.7 } }).made()
    expect(history).toContain('The login page needs')
    expect(history).toContain('Starting')
    expect(history).not.toContain('footer')
    expect(history).toContain('(2 messages that do not concern this task are not shown here.)')
    expect(receipt?.lines.map(({ from, to, fate, rule }) => [from, to, fate, rule])).toEqual([
      [0, 1, 'kept', 'fits'],
      [2, 3, 'dropped', 'other_thread'],
      [4, 5, 'kept', 'fits'],
    ])
    expect(receipt?.totals).toMatchObject({ messages: 6, kept: 4, dropped: 2 })
    expect(task.conversation_messages_count).toBe(4)
  })

  test('of which nothing concerns the task is handed over whole, with a warning [S0-F2]', async () => {
    const { history, warnings } = await talk({ conversation_history: [...colours], thread: '{"relevance":0.7}' }).made()
    expect(codes(warnings)).toEqual(['task.thread'])
    expect(history).toContain('footer')
  })

  test('by branch is the branch of the conversation [S0-F2]', async () => {
    const { store, made } = talk({ conversation_history: { conversation: 'c' } })
    const history = await openHistory({ store, workspace: 'w', conversation: 'c' })
    const { entries } = await history.append(login)
    await history.fork(entries[0]?.id ?? null, 'side')
    await history.append(assistant('Sessions would do'), { branch: 'side' })
    const side = await made({ thread: { branch: 'side' } })
    expect(side.history).toContain('Sessions would do')
    expect(side.history).not.toContain('understood')
  })

  test('by branch keeps the messages of an inline history that are on it [S0-F2]', async () => {
    const conversation_history = [user('all'), { ...user('left'), branch: 'a' }, { ...user('right'), branch: 'b' }]
    const { history } = await talk({ conversation_history, thread: { branch: 'b' } }).made()
    expect(history).toContain('right')
    expect(history).not.toContain('left')
  })

  test('is scored from 0 to 1, rare words weighing more', () => {
    const scores = relevance('fix the JWT refresh', ['JWT refresh fails', 'JWT is fine', 'JWT', 'the footer'])
    expect(scores[0]).toBe(1)
    expect(scores[1]).toBeGreaterThan(0)
    expect(scores[1]).toBeLessThan(0.7)
    expect(scores[3]).toBe(0)
    expect(relevance('x', [])).toEqual([])
  })

  test('accounts for every message exactly once, whatever is left out', async () => {
    const word = fc.constantFrom('JWT', 'login', 'footer', 'blue', 'tokens')
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' ')),
    })
    const preset = fc.constantFrom('handoff-balanced', 'handoff-user-first')
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 70 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        preset,
        async (messages, least, name) => {
          const { receipt } = await talk({
            preset: name as TaskInput['preset'] & string,
            conversation_history: messages,
            thread: { relevance: least },
            tokens: 600,
          }).made()
          const places = receipt?.lines.flatMap(({ from, to }) => times(to - from + 1, (at) => from + at))
          expect(places).toEqual([...messages.keys()])
        },
      ),
      { numRuns: Math.min(runs, 40) },
    )
  })
})
