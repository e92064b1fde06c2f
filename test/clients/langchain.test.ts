/** `throughline/langchain` in the hands of LangChain: the chat message history. */

import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableWithMessageHistory } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { chatHistory } from '../../src/adapters/langchain/chat-history.js'
import { agentSession } from '../../src/adapters/openai-agents/session.js'
import { openHistory } from '../../src/engine/history.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { runs } from '../runs.js'
import { sqliteStage } from './stores.js'

const store = memoryStore()
const begin = () => openHistory({ store })
const written = (messages: readonly unknown[]): string =>
  JSON.stringify(mapChatMessagesToStoredMessages(messages as BaseMessage[]))

const word = fc.string({ unit: 'binary', maxLength: 10 })
const json = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const callId = fc.constantFrom('c1', 'c2', 'c3')
const shared = fc.record(
  { additional_kwargs: json, response_metadata: json, id: fc.constantFrom('id-1', 'id-2'), name: fc.constant('Ada') },
  { requiredKeys: [] },
)
const content = fc.oneof(word, fc.array(fc.record({ type: fc.constant('text'), text: word }), { maxLength: 2 }))
const calls = fc.array(
  fc.record({ type: fc.constant('tool_call' as const), id: callId, name: fc.constant('look'), args: json }),
  { maxLength: 2 },
)
const broken = fc.array(
  fc.record({
    type: fc.constant('invalid_tool_call' as const),
    id: callId,
    name: fc.constant('look'),
    args: word,
    error: word,
  }),
  { maxLength: 1 },
)

const message: fc.Arbitrary<BaseMessage> = fc.oneof(
  fc.tuple(content, shared).map(([said, more]) => new HumanMessage({ content: said, ...more })),
  fc.tuple(content, shared).map(([said, more]) => new SystemMessage({ content: said, ...more })),
  fc
    .tuple(content, shared, calls, broken)
    .map(
      ([said, more, tool_calls, invalid_tool_calls]) =>
        new AIMessage({ content: said, ...more, tool_calls, invalid_tool_calls }),
    ),
  fc
    .tuple(
      content,
      shared,
      callId,
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('success' as const, 'error' as const),
    )
    .map(
      ([said, more, tool_call_id, artifact, status]) =>
        new ToolMessage({ content: said, ...more, tool_call_id, artifact, status }),
    ),
  word.map((said) => new FunctionMessage({ content: said, name: 'look' })),
  word.map((said) => new ChatMessage({ content: said, role: 'critic' })),
)

describe('a chat message history of LangChain', () => {
  test('gives back every message with all of its fields', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), async (given) => {
        const history = await begin()
        const list = chatHistory(history)
        await list.addMessages(given as never)
        const found = await list.getMessages()
        expect(written(found)).toBe(written(given))
        expect(found.map((one) => one.constructor.name)).toEqual(given.map((one) => one.constructor.name))
        expect(await history.verify()).toMatchObject({ ok: true })
      }),
      { numRuns: runs },
    )
  })

  test('adds one by one, and begins anew when it is cleared', async () => {
    const history = await begin()
    const list = chatHistory(history)
    await list.addUserMessage('Hello')
    await list.addAIMessage('Hi')
    expect((await list.getMessages()).map((one) => one.text)).toEqual(['Hello', 'Hi'])
    await list.clear()
    expect(await list.getMessages()).toEqual([])
    await list.addUserMessage('Again')
    expect((await list.getMessages()).map((one) => one.text)).toEqual(['Again'])
    expect(await history.feed(0)).toHaveLength(3)
  })

  test('goes on with what the agents SDK said, and the other way round', async () => {
    const history = await begin()
    const [list, session] = [chatHistory(history), agentSession(history)]
    await session.addItems([
      { type: 'message', role: 'user', content: 'Weather?' },
      { type: 'function_call', callId: 'c1', name: 'weather', status: 'completed', arguments: '{"at":"Oslo"}' },
      { type: 'function_call_result', callId: 'c1', name: 'weather', status: 'completed', output: 'fair' },
    ])
    const [asked, called, answered] = await list.getMessages()
    expect(asked).toMatchObject({ type: 'human', content: 'Weather?' })
    expect(called).toMatchObject({ type: 'ai', tool_calls: [{ id: 'c1', name: 'weather', args: { at: 'Oslo' } }] })
    expect(answered).toMatchObject({ type: 'tool', tool_call_id: 'c1', content: 'fair', status: 'success' })
    await list.addMessage(
      new AIMessage({ content: 'Fair.', tool_calls: [{ id: 'c2', name: 'weather', args: {} }] }) as never,
    )
    await list.addMessage(new ToolMessage({ content: 'rain', tool_call_id: 'c2', artifact: { raw: 1 } }) as never)
    expect((await session.getItems()).slice(3)).toMatchObject([
      { role: 'assistant', content: [{ text: 'Fair.' }] },
      { type: 'function_call', callId: 'c2', name: 'weather' },
      { type: 'function_call_result', callId: 'c2', name: 'weather', output: { text: 'rain' } },
    ])
  })
})

describe('a chain of LangChain', () => {
  const stage = sqliteStage()
  afterAll(() => stage.close())

  test('remembers the session it is run with', async () => {
    const data = await stage.open()
    const prompt = ChatPromptTemplate.fromMessages([
      ['system', 'Be short.'],
      new MessagesPlaceholder('history'),
      ['human', '{input}'],
    ])
    const seen: number[] = []
    const chain = new RunnableWithMessageHistory({
      runnable: prompt
        .pipe((given: { toChatMessages(): BaseMessage[] }) => {
          seen.push(given.toChatMessages().length)
          return given.toChatMessages()
        })
        .pipe(new FakeListChatModel({ responses: ['one', 'two'] })),
      getMessageHistory: async (conversation: string) =>
        chatHistory(await openHistory({ store: data, conversation })) as never,
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    })
    for (const input of ['first', 'second']) await chain.invoke({ input }, { configurable: { sessionId: 'talk' } })
    await chain.invoke({ input: 'other' }, { configurable: { sessionId: 'another' } })
    expect(seen).toEqual([2, 4, 2])
    const anew = chatHistory(await openHistory({ store: await stage.open(), conversation: 'talk' }))
    expect((await anew.getMessages()).map((one) => one.text)).toEqual(['first', 'one', 'second', 'two'])
  })
})
