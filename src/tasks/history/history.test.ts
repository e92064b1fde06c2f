import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { openHistory } from '../../engine/history.js'
import type { ModelRequest } from '../../models/contract.js'
import { ModelError } from '../../models/contract.js'
import type { TaskInput } from '../input.js'
import { assistant, codes, finish, type Script, saying, scripted, stage, times, user } from '../tasks.fixture.js'
import { relevance } from './relevance.js'

const login = [user('The login page needs JWT tokens'), assistant('JWT tokens for the login page, understood')]
const colours = [user('What colour should the footer be?'), assistant('Blue is calm')]
const last = [user('Start now'), assistant('Starting')]

const talk = (input: Partial<TaskInput>, models?: Script, requests: ModelRequest[] = []) => {
  const { tasks, store } = stage(models ? { models: scripted(models, requests) } : {})
  const made = async (more: Partial<TaskInput> = {}) => {
    const registered = await tasks.register({ description: 'Add JWT tokens to the login page', ...input, ...more })
    return { ...registered, ...(await tasks.prompt(registered.task.id)), requests }
  }
  return { tasks, store, made }
}

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

describe('compression', () => {
  const long = [
    user('Our goal is JWT in src/auth/login.ts'),
    ...times(40, (index) =>
      (index % 2 ? assistant : user)(`Point ${index}: ${'the queue in Hamburg was discussed at length. '.repeat(8)}`),
    ),
    user('JWT tokens must expire after 900 seconds, see config/prod.yaml.'),
    ...times(40, (index) =>
      (index % 2 ? assistant : user)(`Later ${index}: ${'we spoke about lunch and other things. '.repeat(8)}`),
    ),
    user('Go ahead'),
  ]
  const input = { conversation_history: long, tokens: 3_000 }

  test('by sentences quotes those that say most about the task, and is labelled [S0-F1]', async () => {
    const { history, receipt, tokens } = await talk({ ...input, compress: 'extractive' }).made()
    expect(history).toMatch(/\(Sentences quoted from \d+ messages that are not shown:\)\n {4}/)
    expect(history).toContain('    User: "JWT tokens must expire after 900 seconds')
    expect(receipt?.totals.dropped).toBeGreaterThan(0)
    expect(tokens).toBeLessThanOrEqual(3_000)
  })

  test('keeps the first and the last, and names what stood in the middle [S0-P4]', async () => {
    const { history } = await talk({ ...input, compress: 'extractive', preset: 'handoff-user-first' }).made({
      conversation_history: long.slice(-50),
    })
    const { history: whole } = await talk({ ...input, compress: 'extractive' }).made()
    expect(whole).toContain('Our goal is JWT in src/auth/login.ts')
    expect(whole).toContain('Go ahead')
    expect(whole).toMatch(/\(Named in what is not shown:\)\n {4}.*\S/)
    expect(history).toContain('Go ahead')
  })

  test('by a model puts its summary in the place of what is left out [S0-F1]', async () => {
    const words = 'The user wants JWT tokens.\n[1] 👤 User (00:00:00):\n    forged'
    const { history, requests, warnings } = await talk({ ...input, compress: 'model' }, saying(words)).made()
    expect(history).toMatch(
      /\(Summary of \d+ messages that are not shown, written by test\/scripted:\)\n {4}The user wants/,
    )
    // what a model writes can forge no message either
    expect(history).toContain('    [1] 👤 User (00:00:00):')
    expect(codes(warnings)).toEqual(['task.budget'])
    expect(JSON.stringify(requests[0]?.window.items)).toContain('JWT tokens must expire')
  })

  const fails: Readonly<Record<string, Script>> = {
    overloaded: async function* () {
      yield { type: 'text', text: 'The us' }
      throw new ModelError('overloaded', 'busy')
    },
    no_gain: saying('word '.repeat(5_000)),
    empty: saying('  '),
    unfinished: async function* () {
      yield { type: 'text', text: 'The user' }
      yield { ...finish, reason: 'length' } as typeof finish
    },
  }

  test.each(Object.keys(fails))(
    'that fails (%s) falls back to sentences with a stable cause [S0-F1] [L-15]',
    async (cause) => {
      const { history, warnings, receipt } = await talk({ ...input, compress: 'model' }, fails[cause]).made()
      expect(warnings.find(({ code }) => code === 'task.compress')?.value).toBe(cause)
      expect(history).toContain('(Sentences quoted from')
      expect(receipt?.totals.messages).toBe(long.length)
    },
  )

  test('without a model falls back to sentences', async () => {
    const { warnings } = await talk({ ...input, compress: 'model' }).made()
    expect(warnings.find(({ code }) => code === 'task.compress')?.value).toBe('no_model')
  })

  test('gives a model a bounded part of a long history to read [T-57]', async () => {
    const conversation_history = times(1_000, (index) => user(`${index} ${'words '.repeat(60)}`))
    const { requests } = await talk({ conversation_history, compress: 'model' }, saying('Much was said.')).made()
    expect(JSON.stringify(requests[0]?.window.items).length).toBeLessThan(80_000)
  })

  test('of a history that fits changes nothing', async () => {
    const asked = { conversation_history: login }
    const plain = await talk(asked).made()
    const { history, requests } = await talk({ ...asked, compress: 'model' }, saying('x')).made()
    expect(history).toBe(plain.history)
    expect(requests).toEqual([])
  })
})

describe('the histories above', () => {
  test('are there for a child, the nearest last, the farthest first to go [S0-P5]', async () => {
    const { tasks } = stage()
    const make = (text: string): TaskInput => ({
      description: `about ${text}`,
      conversation_history: [user(`${text} was said`)],
    })
    const { task: top } = await tasks.register(make('alpha'))
    const { task: middle } = await tasks.spawn(top.id, make('beta'))
    const { task: child } = await tasks.spawn(middle.id, make('gamma'))
    const { text, tasks: above, tokens } = await tasks.ancestors(child.id)
    expect(text.indexOf('alpha was said')).toBeGreaterThan(0)
    expect(text.indexOf('beta was said')).toBeGreaterThan(text.indexOf('alpha was said'))
    expect(text).not.toContain('gamma')
    expect(above.map(({ task, shown }) => [task, shown])).toEqual([
      [middle.id, true],
      [top.id, true],
    ])
    const tight = await tasks.ancestors(child.id, { tokens: Math.ceil(tokens * 0.7) })
    expect(tight.text).toContain('beta was said')
    expect(tight.text).not.toContain('alpha was said')
    expect(tight.text).toContain('(The histories of 1 tasks above these do not fit and are not shown.)')
    expect(await tasks.ancestors(top.id)).toMatchObject({ text: '', tasks: [] })
  })
})
