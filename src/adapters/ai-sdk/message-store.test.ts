import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pinned, runs } from '../../../test/runs.js'
import { check } from '../../core/rules/check.js'
import { openHistory } from '../../engine/history.js'
import { writingOf } from '../../engine/writing.js'
import { memoryStore } from '../../store/memory/store.js'
import { type SqliteStore, sqliteStore } from '../../store/sqlite/store.js'
import { entriesOfMessages } from './entries.js'
import { messagesForUi } from './lines.js'
import { plainOf, type UiMessage } from './message.js'
import { messageStore } from './message-store.js'
import { uiMessages } from './ui.fixture.js'

let count = 0
const writing = writingOf({ id: () => `id-${count++}`, now: () => '2026-01-01T00:00:00.000Z' })

describe('UI messages', () => {
  test('come back from entries to the letter, whatever they hold', () => {
    fc.assert(
      fc.property(uiMessages, (messages) => {
        expect(messagesForUi(entriesOfMessages(messages, writing))).toEqual(messages.map(plainOf))
      }),
      { numRuns: runs },
    )
  })

  test('that lose what stands beside their parts are caught', () => {
    const bare = (messages: UiMessage[]) => entriesOfMessages(messages, writing).map(({ meta: _, ...entry }) => entry)
    const lossy = fc.property(uiMessages, (messages) => {
      expect(messagesForUi(bare(messages))).toEqual(messages.map(plainOf))
    })
    expect(fc.check(lossy, pinned).failed).toBe(true)
  })

  test('of a plain kind need nothing beside their parts', () => {
    const entries = entriesOfMessages(chat, writing)
    expect(entries.map(({ meta }) => meta)).toEqual([undefined, { receipt: 'ctx_1' }, undefined, undefined])
    expect(entries.map(({ body }) => body.kind)).toEqual(['message', 'message', 'result', 'message'])
  })
})

const chat: UiMessage[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How warm is it?' } as never] },
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'data-receipt', id: 'ctx_1', data: { receipt: 'ctx_1' } },
      { type: 'tool-look', toolCallId: 'c1', state: 'output-available', input: { at: 'home' }, output: '21' },
      { type: 'step-start' },
      { type: 'text', text: '21 degrees.', state: 'done' },
    ] as never,
  },
]

describe('the message store', () => {
  let folder: string
  let sqlite: SqliteStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'throughline-ui-'))
    sqlite = await sqliteStore(join(folder, 'log.db'))
  })
  afterAll(async () => {
    await sqlite.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('gives back what was saved last, whatever was saved before', async () => {
    const memory = messageStore({ store: memoryStore() })
    const lists = fc.array(uiMessages, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(lists, async (saves) => {
        for (const kept of [memory, messageStore({ store: sqlite })]) {
          const chat = `chat-${count++}`
          for (const messages of saves) {
            await kept.save(chat, messages)
            expect(await kept.load(chat)).toEqual(messages.map(plainOf))
            expect(await kept.save(chat, messages)).toEqual({ added: 0, kept: null })
          }
        }
      }),
      { numRuns: Math.min(runs, 100) },
    )
  })

  test('writes only what is new, and keeps what gave way on a branch', async () => {
    const store = memoryStore()
    const kept = messageStore({ store })
    const [question, answer] = chat as [UiMessage, UiMessage]
    const asked = { ...answer, parts: answer.parts.slice(0, 3).map((part, i) => (i === 2 ? waiting : part)) }
    expect(await kept.save('c', [question, asked as UiMessage])).toEqual({ added: 2, kept: null })
    expect(await kept.save('c', chat)).toEqual({ added: 2, kept: null })
    const edited = { ...question, parts: [{ type: 'text', text: 'How cold is it?' } as never] }
    const again = await kept.save('c', [edited])
    expect(again.added).toBe(1)
    expect(await kept.load('c')).toEqual([edited])
    const history = await openHistory({ store, conversation: 'c' })
    expect(messagesForUi(await history.path(again.kept as string))).toEqual(chat)
    expect(await kept.load('nothing')).toEqual([])
    expect(await store.get('default', 'nothing')).toBeNull()
  })

  test('leaves a call that was never answered as it was, and the history legal', async () => {
    const kept = messageStore({ store: sqlite })
    const open = { id: 'a', role: 'assistant', parts: [waiting] } as UiMessage
    const next = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'Never mind.' } as never] } as const
    await kept.save('open', [chat[0] as UiMessage, open])
    await kept.save('open', [chat[0] as UiMessage, open, next])
    expect(await kept.load('open')).toEqual([chat[0], open, next])
    const history = await openHistory({ store: sqlite, conversation: 'open' })
    const made = await history.window({ target: 'anthropic' })
    expect(made.ok && check('anthropic', made.rendered)).toEqual([])
    expect(await kept.save('open', [chat[0] as UiMessage, open, next])).toEqual({ added: 0, kept: null })
  })

  test('keeps nothing of a message whose words were removed', async () => {
    const kept = messageStore({ store: sqlite })
    const secret = { type: 'data-secret', data: 'the canary sings' }
    const odd = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'canary' }, secret] } as UiMessage
    await kept.save('redacted', [odd])
    const history = await openHistory({ store: sqlite, conversation: 'redacted' })
    await history.redact('u')
    expect(JSON.stringify(await kept.load('redacted'))).not.toContain('canary')
  })
})

const waiting = { type: 'tool-look', toolCallId: 'c1', state: 'input-available', input: { at: 'home' } } as never

describe('messages as the SDK hands them to onFinish', () => {
  const ask = { id: 'u1', role: 'user' as const, parts: [{ type: 'text', text: 'Hello' }] }
  const answer = { role: 'assistant' as const, parts: [{ type: 'text', text: 'Hi.', state: 'done' }] }

  test('get an id when they have none, and keep it when they are saved again', async () => {
    const chats = messageStore({ store: memoryStore() })
    await chats.save('c', [ask, { ...answer, id: '' }])
    const [, first] = await chats.load('c')
    expect(first).toMatchObject(answer)
    expect(first?.id).toMatch(/./)
    expect(await chats.save('c', [ask, answer])).toEqual({ added: 0, kept: null })
    const more = { role: 'user' as const, parts: [{ type: 'text', text: 'More?' }] }
    await chats.save('c', [ask, answer, more])
    const messages = await chats.load('c')
    expect(messages.map(({ id }) => id)).toEqual(['u1', first?.id, expect.stringMatching(/./)])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3)
  })

  test('are added one by one, and one with a known id takes its place', async () => {
    const chats = messageStore({ store: memoryStore() })
    await chats.append('c', ask)
    await chats.append('c', { ...answer, id: 'a1' })
    expect(await chats.append('c', { ...answer, id: 'a1' })).toEqual({ added: 0, kept: null })
    const better = { ...answer, id: 'a1', parts: [{ type: 'text', text: 'Hi there.', state: 'done' }] }
    expect(await chats.append('c', better)).toMatchObject({ added: 1, kept: expect.any(String) })
    expect(await chats.load('c')).toEqual([ask, better])
  })
})
