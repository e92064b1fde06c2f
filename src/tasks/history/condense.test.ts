import { describe, expect, test } from 'vitest'
import { ModelError } from '../../models/wire/contract.js'
import { assistant, codes, finish, type Script, saying, talk, times, user } from '../tasks.fixture.js'

const login = [user('The login page needs JWT tokens'), assistant('JWT tokens for the login page, understood')]

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
    expect(codes(warnings)).toContain('task.budget')
    expect(JSON.stringify(requests.at(-1)?.window.items)).toContain('JWT tokens must expire')
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
