/** Specification 4, "Conversation Continuity", at its own door: `POST /chat` of a server that nobody configured. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saying, scripted } from '../http/live-models.js'
import { type Database, type Door, openDatabase, openDoor } from './door.js'

const databases: readonly Database[] = ['sqlite', 'postgres']

for (const database of databases) {
  const kept = await openDatabase(database)

  describe.skipIf(kept === null)(`POST /chat on ${database}, every second request on another server`, () => {
    const model = saying(({ items }) => `${items.length} heard`)
    let doors: readonly [Door, Door]

    beforeAll(async () => {
      if (!kept) return
      doors = [
        await openDoor({ store: await kept.connect(), models: [model] }),
        await openDoor({ store: await kept.connect(), models: [model] }),
      ]
    })
    afterAll(async () => {
      for (const door of doors ?? []) await door.close()
      await kept?.end()
    })

    let turn = 0
    const chat = async (message: string, session_id?: string) => {
      const { status, body } = await doors[turn++ % 2 ? 1 : 0].call('POST', '/chat', { body: { message, session_id } })
      expect(status).toBe(200)
      return body
    }
    const asked = () => model.asked.at(-1)?.items ?? []

    test('the second message of a session knows the first [S4-4] [S4-1] [S4-19] [S4-20]', async () => {
      const { session_id } = await chat('My cat is called Nefertiti.')
      await chat('What is my cat called?', session_id)
      expect(asked().map(({ role, text }) => [role, text])).toEqual([
        ['user', 'My cat is called Nefertiti.'],
        ['assistant', '1 heard'],
        ['user', 'What is my cat called?'],
      ])
    })

    test('the loaded history is what was stored, in order, and the current message is there once [S4-2] [S4-3] [S4-15]', async () => {
      const { session_id } = await chat('one')
      for (const message of ['two', 'two', 'three']) await chat(message, session_id)
      const stored = await doors[0].call('GET', `/api/v1/conversations/${session_id}/messages`)
      const texts = stored.body.items.map(({ text }: { text: string }) => text)
      expect(texts).toEqual(['one', '1 heard', 'two', '3 heard', 'two', '5 heard', 'three', '7 heard'])
      expect(asked().map(({ text }) => text)).toEqual(texts.slice(0, -1))
    })

    test('100 messages are cut to the tokens, the first and the newest stay, and a marker says so [S4-5] [S4-6] [S4-7] [S4-8] [S4-9] [S4-10] [S4-11] [S4-12] [S4-13]', async () => {
      const { session_id } = await chat('The opener: we plan a voyage.')
      const said = Array.from({ length: 99 }, (_, n) => ({
        role: n % 2 ? 'user' : 'assistant',
        content: `${n} `.padEnd(800, 'x'),
      }))
      await doors[0].call('POST', `/api/v1/conversations/${session_id}/messages`, { body: { messages: said } })
      await chat('And now?', session_id)
      const items = asked()
      expect(items[0]?.text).toBe('The opener: we plan a voyage.')
      expect(items[1]).toMatchObject({ text: '[Earlier messages truncated]', fate: 'marker' })
      const tail = items.slice(2, -1).map(({ text }) => text)
      expect(tail).toEqual(said.slice(-tail.length).map(({ content }) => content))
      expect(tail.length).toBeGreaterThan(20)
      expect(items.at(-1)?.text).toBe('And now?')
      const tokens = items.slice(0, -1).reduce((sum, { text }) => sum + Math.floor(text.length / 4), 0)
      expect(tokens).toBeLessThanOrEqual(6_000)
      expect(tokens).toBeGreaterThan(5_500)
    })

    test('of 200 short messages the newest 50 are used, and the opener [S4-12]', async () => {
      const { session_id } = await chat('The opener.')
      const messages = Array.from({ length: 200 }, (_, n) => ({ role: n % 2 ? 'user' : 'assistant', content: `m${n}` }))
      await doors[1].call('POST', `/api/v1/conversations/${session_id}/messages`, { body: { messages } })
      await chat('And?', session_id)
      expect(asked().filter(({ index }) => index !== null)).toHaveLength(51)
      expect(asked()[0]?.text).toBe('The opener.')
      expect(asked().at(-2)?.text).toBe('m199')
    })

    test('each request logs the six fields, with the session as it is called, and counts what was stored before it [S4-16] [C-22]', async () => {
      const session = `walk-${database}`
      await chat('one', session)
      const { trace_id } = await chat('two', session)
      const lines = doors.flatMap((door) => door.logged('conversation_context_loaded'))
      const [first, second] = lines.filter(({ session_id }) => session_id === session)
      const counts = ({ total_messages_in_db, messages_loaded, messages_truncated }: Record<string, unknown>) => [
        total_messages_in_db,
        messages_loaded,
        messages_truncated,
      ]
      const pair = [first ?? {}, second ?? {}].sort(
        (a, b) => Number(a.total_messages_in_db) - Number(b.total_messages_in_db),
      )
      expect(pair.map(counts)).toEqual([
        [0, 0, 0],
        [2, 2, 0],
      ])
      expect(pair.map(({ trace_id }) => trace_id)).toContain(trace_id)
      expect(pair[1]?.estimated_tokens).toBeGreaterThan(0)
    })

    test('a single message is sent as it is, whatever its length: 40,549 characters reach a model of 128,000 tokens whole [S4-17] [S4-18] [C-3]', async () => {
      const long = 'word '.repeat(8_110).slice(0, 40_549)
      const { warnings } = await chat(long)
      expect(asked().map(({ text }) => text)).toEqual([long])
      expect(warnings).toEqual([])
    })
  })
}

describe('the settings of specification 4, by its own names', () => {
  const opened: { close(): Promise<void> }[] = []
  afterAll(async () => {
    for (const one of opened.reverse()) await one.close()
  })
  const doorWith = async (env: Record<string, string>, model = saying('ok')) => {
    const kept = await openDatabase('sqlite')
    if (!kept) throw new Error('no SQLite')
    opened.push({ close: kept.end })
    const door = await openDoor({ store: await kept.connect(), models: [model], env })
    opened.push(door)
    return { door, model }
  }
  const talk = async (door: Door, count: number, size = 20) => {
    for (let n = 0; n < count; n++)
      await door.call('POST', '/chat', { body: { message: `${n} `.padEnd(size, 'x'), session_id: 's' } })
  }

  test('a message that a small model has no room for is cut, and the answer names it [S4-17] [C-3]', async () => {
    const small = saying('ok')
    const { door, model } = await doorWith({}, { ...small, facts: { ...small.facts, window: 8_000, output: 1_000 } })
    const { body } = await door.call('POST', '/chat', { body: { message: 'word '.repeat(8_110) } })
    expect(model.asked.at(-1)?.items.at(-1)?.text.length).toBeLessThan(40_549)
    expect(body.warnings).toMatchObject([{ code: 'fit.current', field: 'current', value: { from: 40_550 } }])
  })

  test('messages and tokens are heard at /chat and wherever the preset is named [S4-12] [S4-13] [S4-21]', async () => {
    const env = { CONVERSATION_MAX_HISTORY_MESSAGES: '4', CONVERSATION_MAX_CONTEXT_TOKENS: '500' }
    const { door, model } = await doorWith(env)
    await talk(door, 8)
    expect(model.asked.at(-1)?.items.filter(({ index }) => index !== null)).toHaveLength(5)
    const named = await door.call('GET', '/api/v1/policies/session-window')
    expect(named.body.policy.fit).toMatchObject({ messages: 4, tokens: 500 })
    await door.call('POST', '/api/v1/conversations/s/runs', { body: { message: 'x', policy: 'session-window' } })
    await expect.poll(() => model.asked.length).toBe(9)
    expect(model.asked.at(-1)?.items.filter(({ index }) => index !== null)).toHaveLength(5)
    const messages = Array.from({ length: 30 }, (_, n) => ({ role: n % 2 ? 'assistant' : 'user', content: `m${n}` }))
    const window = await door.call('POST', '/api/v1/context/assemble', { body: { messages, policy: 'session-window' } })
    expect(window.body.receipt.totals.kept).toBe(5)
  })

  test('a policy that the operator names holds at /chat too [C-25]', async () => {
    const { door, model } = await doorWith({ THROUGHLINE_POLICY: 'balanced' })
    await talk(door, 1)
    const runs = await door.call('GET', '/api/v1/conversations/s/runs')
    expect(runs.body.items[0].policy).toBe('balanced')
    expect(model.asked).toHaveLength(1)
  })

  test('another session is remembered where that is asked for, and the built-in responder quotes it [S4-F2] [C-12]', async () => {
    const { door } = await doorWith({})
    const chat = (message: string, session_id: string, more: object = {}) =>
      door.call('POST', '/chat', { body: { message, session_id, model: 'builtin/extractive', ...more } })
    await chat('My sister Ada adopted a greyhound called Bolt.', 'family')
    const question = 'Which dog did my sister Ada adopt?'
    expect((await chat(question, 'one')).body.response).not.toContain('Bolt')
    expect((await chat(question, 'two', { recall: 'workspace' })).body.response).toContain('a greyhound called Bolt')
  })

  test('a session can be logged by its hash [S4-16]', async () => {
    const { door } = await doorWith({ THROUGHLINE_LOG_SESSION_IDS: 'hashed' })
    await talk(door, 1)
    expect(door.logged('conversation_context_loaded')[0]?.session_id).toMatch(/^#[0-9a-f]{12}$/)
  })

  test('summarize writes summaries with the model that answers, and the next window has them [S4-14] [S4-F1]', async () => {
    const model = scripted(async function* ({ items, system }) {
      const sums = system?.startsWith('You keep the minutes')
      yield { type: 'text', text: sums ? 'fact: the numbers were counted [M1, M2]' : `heard ${items.length}` }
      yield { type: 'finish', reason: 'stop', usage: null }
    })
    const { door } = await doorWith(
      { CONVERSATION_CONTEXT_STRATEGY: 'summarize', CONVERSATION_MAX_CONTEXT_TOKENS: '600' },
      model,
    )
    await talk(door, 12, 400)
    const summary = () =>
      model.asked.some(({ items }) => items.some(({ text }) => text.includes('the numbers were counted')))
    await expect
      .poll(async () => {
        await talk(door, 1, 400)
        return summary()
      })
      .toBe(true)
    expect(door.metrics()).toContain('throughline_summaries_total{state="done",cause="none"}')
  })

  test('a summary that is refused is a warning, a line of the log, an event and a number [S4-14] [C-13]', async () => {
    const model = scripted(async function* ({ items, system }) {
      if (!system?.startsWith('You keep the minutes')) yield { type: 'text', text: `heard ${items.length}` }
      yield { type: 'finish', reason: 'stop', usage: null }
    })
    const { door } = await doorWith(
      { CONVERSATION_CONTEXT_STRATEGY: 'summarize', CONVERSATION_MAX_CONTEXT_TOKENS: '600' },
      model,
    )
    await talk(door, 10, 400)
    await expect.poll(() => door.logged('context_compression_failed').length).toBeGreaterThan(0)
    expect(door.logged('context_compression_failed')[0]).toMatchObject({
      level: 'warn',
      session_id: 's',
      cause: 'summary_empty',
    })
    expect(door.metrics()).toMatch(/throughline_summaries_total\{state="refused",cause="summary_empty"\} [1-9]/)
    const { body } = await door.call('POST', '/chat', { body: { message: 'And?', session_id: 's' } })
    expect(body.warnings).toContainEqual(expect.objectContaining({ code: 'summary.refused', value: 'summary_empty' }))
    const { events } = await door.store.events('default', 's', 0, 1_000)
    expect(JSON.stringify(events)).toContain('summary-refused')
  })

  test('a session costs one call of the model a message: its title is the first words [S4-17] [C-24]', async () => {
    let calls = 0
    const quiet = saying('ok')
    const model: typeof quiet = {
      ...quiet,
      stream(request) {
        calls++
        return quiet.stream(request)
      },
    }
    const { door } = await doorWith({}, model)
    await door.call('POST', '/chat', { body: { message: 'Plan a voyage to Crete', session_id: 's' } })
    await door.close()
    opened.pop()
    expect(calls).toBe(1)
    expect((await door.store.get('default', 's'))?.title).toBe('Plan a voyage to Crete')
  })
})
