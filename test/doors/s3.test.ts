/** Specification 3, an agent service, at its own doors: `POST /chat` of a server set to it, and `createAgentQuery`. */
import { afterAll, describe, expect, test } from 'vitest'
import { createAgentQuery } from '../../src/adapters/claude-agent-sdk/query.js'
import type { WindowEvent } from '../../src/engine/event.js'
import { type History, openHistory } from '../../src/engine/history.js'
import type { Model } from '../../src/models/wire/contract.js'
import { saying, scripted } from '../http/live-models.js'
import { type Door, openDatabase, openDoor } from './door.js'

const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const one of opened.reverse()) await one.close()
})

/** An operator who wants specification 3 says so once; no request names a preset. */
async function agentDoor(model = saying('ok'), overrides: object = {}, others: readonly Model[] = []) {
  const kept = await openDatabase('sqlite')
  if (!kept) throw new Error('no SQLite')
  opened.push({ close: kept.end })
  const env = { THROUGHLINE_POLICY: 'agent-turns', THROUGHLINE_OVERRIDES: JSON.stringify(overrides) }
  const door = await openDoor({ store: await kept.connect(), models: [model, ...others], env })
  opened.push(door)
  const chat = async (message: string, session_id: string, more: object = {}) => {
    const { status, body } = await door.call('POST', '/chat', { body: { message, session_id, ...more } })
    expect(status).toBe(200)
    return body
  }
  const fill = async (session: string, messages: readonly object[]) => {
    for (let from = 0; from < messages.length; from += 500) {
      const body = { messages: messages.slice(from, from + 500) }
      const { status } = await door.call('POST', `/api/v1/conversations/${session}/messages`, { body })
      expect(status).toBe(201)
    }
  }
  const seen = () => (model.asked.at(-1)?.items ?? []).map(({ text }) => text).join('\n')
  return { door, model, chat, fill, seen }
}

const turns = (count: number, words = 30): readonly object[] =>
  Array.from({ length: count }, (_, n) => [
    { role: 'user', content: `Question ${n} about the harbour.` },
    { role: 'assistant', content: `Answer ${n}: ${'text '.repeat(words)}` },
  ]).flat()

const loaded = (door: Door, session: string) =>
  door.logged('conversation_context_loaded').filter(({ session_id }) => session_id === session)

describe('an agent service that is asked over HTTP', () => {
  test('logs how long the history was, in messages and in tokens [S3-10]', async () => {
    const { door, chat } = await agentDoor()
    await chat('What files handle agent queries?', 'dashboard')
    await chat('How is history integrated?', 'dashboard')
    const [first, second] = loaded(door, 'dashboard')
    expect(first).toMatchObject({ total_messages_in_db: 0, messages_loaded: 0 })
    expect(second).toMatchObject({ total_messages_in_db: 2, messages_loaded: 2, messages_truncated: 0 })
    expect(second?.estimated_tokens).toBeGreaterThan(Number(first?.estimated_tokens))
  })

  test('shows no conversation anything of another [S3-13]', async () => {
    const { chat, seen } = await agentDoor()
    await chat('The password of the harbour is "lantern".', 'one')
    await chat('What is the password of the harbour?', 'two')
    expect(seen()).toBe('What is the password of the harbour?')
    await chat('And?', 'one')
    expect(seen()).toContain('lantern')
  })

  test('reads a bounded part of 2,000 messages, in far under 500 ms, and measures count, tokens and time [S3-P3] [S3-P6] [S3-P8]', async () => {
    const { door, chat, fill } = await agentDoor()
    await chat('The first.', 'long')
    await fill('long', turns(999))
    await chat('And now?', 'long')
    const line = loaded(door, 'long').at(-1)
    expect(line).toMatchObject({ total_messages_in_db: 2_000, messages_truncated: 1_960 })
    expect(line?.messages_loaded).toBeLessThan(300)
    expect(line?.estimated_tokens).toBeGreaterThan(500)
    expect(line?.milliseconds).toBeGreaterThan(0)
    expect(line?.milliseconds).toBeLessThan(500)
    const metrics = door.metrics()
    expect(metrics).toMatch(/^throughline_windows_total\S* 2$/m)
    expect(metrics).toMatch(/^throughline_tokens_sent_total\S* [1-9]/m)
    expect(metrics).toMatch(/^throughline_store_seconds_count\{method="window"\} [1-9]/m)
  })

  test('takes messages that come at once one after the other, each with the answer before it [S3-P10]', async () => {
    const { door, chat, model } = await agentDoor(saying(({ items }) => `${items.length} heard`))
    await Promise.all(Array.from({ length: 5 }, (_, n) => chat(`message ${n}`, 'busy')))
    expect(model.asked.map(({ items }) => items.length)).toEqual([1, 3, 5, 7, 9])
    const { body } = await door.call('GET', '/api/v1/conversations/busy/messages')
    expect(body.items.map(({ role }: { role: string }) => role)).toEqual(
      Array.from({ length: 5 }, () => ['user', 'assistant']).flat(),
    )
  })

  test('chooses older turns by meaning where that is set [S3-F1]', async () => {
    const { chat, fill, seen } = await agentDoor(saying('Noted.'), { recall: { share: 0.5 }, fit: { tokens: 2_000 } })
    await chat('By the way, my sister Ada adopted a greyhound called Bolt.', 'family')
    await fill('family', turns(60))
    await chat('What is the name of the dog that my sister has?', 'family')
    expect(seen()).toContain('a greyhound called Bolt')
    expect(seen()).not.toContain('Question 1 about')
  })

  test('adapts its limits to the model, to the system prompt and to the room that is left [S3-F3]', async () => {
    const wide = saying('Noted.')
    const narrow = { ...saying('Noted.', 'test/narrow'), facts: { ...wide.facts, window: 8_000 } }
    const overrides = { fit: { tokens: 'model', covers: 'request' } }
    const { door, chat, fill } = await agentDoor(wide, overrides, [narrow])
    await chat('The first.', 's')
    await fill('s', turns(30, 500))
    await chat('And?', 's')
    await chat('And?', 's', { model: 'test/narrow' })
    await chat('And?', 's', { model: 'test/narrow', system: 'Keep to the rules. '.repeat(500) })
    const used = loaded(door, 's').map((line) => Number(line.total_messages_in_db) - Number(line.messages_truncated))
    expect(used.slice(0, 2)).toEqual([0, 40])
    const [, , small = 0, smaller = 0] = used
    expect(small).toBeLessThan(40)
    expect(smaller).toBeLessThan(small)
    expect(smaller).toBeGreaterThan(0)
  })

  test('summarises older turns before they are dropped, where that is set [S3-F4]', async () => {
    const model = scripted(async function* ({ system }) {
      const sums = system?.startsWith('You keep the minutes')
      yield { type: 'text', text: sums ? 'fact: the harbour was surveyed [M1, M2]' : 'ok' }
      yield { type: 'finish', reason: 'stop', usage: null }
    })
    const { chat, fill, seen } = await agentDoor(model, { strategy: 'summarize' })
    await chat('The first.', 's')
    await fill('s', turns(40))
    await chat('And?', 's')
    await expect
      .poll(async () => {
        await chat('And now?', 's')
        return seen()
      })
      .toContain('the harbour was surveyed')
  })
})

describe('an agent of the Claude Agent SDK', () => {
  /** The SDK's `query`, which says what it was asked. */
  const echo = () => {
    const asked: string[] = []
    const query = async function* ({ prompt }: { readonly prompt: string }) {
      asked.push(prompt)
      yield { type: 'assistant', message: { id: `m${asked.length}`, content: [{ type: 'text', text: 'Noted.' }] } }
    }
    return { asked, query }
  }
  const ask = async (conversation: History, prompt: string, query: ReturnType<typeof echo>['query']) => {
    for await (const _ of createAgentQuery({ conversation, prompt, query }));
  }

  test('tells the length of the history, reads a bounded part of it, and shows nothing of another [S3-10] [S3-13] [S3-P6] [S3-P8]', async () => {
    const kept = await openDatabase('sqlite')
    if (!kept) throw new Error('no SQLite')
    opened.push({ close: kept.end })
    const store = await kept.connect()
    const events: WindowEvent[] = []
    const log = (event: WindowEvent) => events.push(event)
    const one = await openHistory({ store, conversation: 'one', log })
    const other = await openHistory({ store, conversation: 'other', log })
    await one.append(turns(500))
    const { asked, query } = echo()
    await ask(one, 'And now?', query)
    await ask(other, 'What did I ask?', query)
    expect(asked[0]).toMatch(/^<conversation_history>\nHuman: Question 480 /)
    expect(asked[1]).toBe('What did I ask?')
    expect(events.map(({ session_id, total_messages_in_db }) => [session_id, total_messages_in_db])).toEqual([
      ['one', 1_000],
      ['other', 0],
    ])
    expect(events[0]?.messages_loaded).toBeLessThan(300)
    expect(events[0]?.estimated_tokens).toBeGreaterThan(0)
    expect(events[0]?.milliseconds).toBeGreaterThan(0)
  })
})
