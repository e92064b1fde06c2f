/** `@openai/agents` against a running server: its sessions, our conversations, chains of responses, tools and streams. */
import { Agent, OpenAIConversationsSession, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Wire } from '../provider/answer.js'
import { all, type House, openHouse } from './house.js'

setTracingDisabled(true)

const wires: readonly Wire[] = ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ollama']

describe.each(wires)('agents over %s', (wire) => {
  let house: House
  let client: OpenAI
  let runner: Runner
  beforeAll(async () => {
    house = await openHouse(wire)
    client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: 'none' })
    runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client as never, useResponses: true }) })
  })
  afterAll(() => house.stop())
  beforeEach(() => house.says({ text: 'Hello there.' }))

  const asked: unknown[] = []
  const look = tool({
    name: 'look',
    description: 'looks something up',
    parameters: {
      type: 'object',
      properties: { q: { type: 'string' } },
      required: ['q'],
      additionalProperties: false,
    },
    strict: true,
    execute: async (input) => {
      asked.push(input)
      return '2 m'
    },
  })
  const agentOf = () => new Agent({ name: 'Ada', instructions: 'Be brief.', model: house.model, tools: [look] })

  /** Calls the tool once for each question. */
  const measured = () => {
    let calls = 0
    house.says(() =>
      calls++ % 2 === 0
        ? { calls: [{ id: `call_${calls}`, name: 'look', input: { q: 'height' } }] }
        : { text: 'Two metres.' },
    )
  }

  test('a session of the client’s own goes on', async () => {
    const session = new OpenAIConversationsSession({ client: client as never })
    measured()
    const first = await runner.run(agentOf(), 'How tall is it?', { session })
    expect(first.finalOutput).toBe('Two metres.')
    house.says({ text: 'As I said.' })
    const second = await runner.run(agentOf(), 'Sure?', { session })
    expect(second.finalOutput).toBe('As I said.')
    expect(house.heard()).toContain('How tall is it?')
    expect(house.heard()).toContain('2 m')
    const items = await session.getItems()
    expect(items.map((item) => ('role' in item ? item.role : item.type))).toEqual([
      'user',
      'function_call',
      'function_call_result',
      'assistant',
      'user',
      'assistant',
    ])
    await session.popItem()
    expect(await session.getItems()).toHaveLength(5)
    await session.clearSession()
    expect(house.faults()).toEqual([])
  })

  test('a conversation of ours goes on, and holds each item once', async () => {
    const { id } = await client.conversations.create()
    measured()
    const first = await runner.run(agentOf(), 'How tall is it?', { conversationId: id })
    expect(first.finalOutput).toBe('Two metres.')
    house.says({ text: 'As I said.' })
    const second = await runner.run(agentOf(), 'Sure?', { conversationId: id })
    expect(second.finalOutput).toBe('As I said.')
    expect(house.heard()).toContain('How tall is it?')
    const items = await all(await client.conversations.items.list(id, { order: 'asc' }))
    expect(items.map((item) => (item.type === 'message' ? item.role : item.type))).toEqual([
      'user',
      'function_call',
      'function_call_output',
      'assistant',
      'user',
      'assistant',
    ])
    expect(house.faults()).toEqual([])
  })

  test('a chain of responses goes on', async () => {
    const first = await runner.run(agentOf(), 'My name is Ada.')
    measured()
    const second = await runner.run(agentOf(), 'How tall am I?', {
      previousResponseId: first.lastResponseId as string,
    })
    expect(second.finalOutput).toBe('Two metres.')
    expect(house.heard()).toContain('My name is Ada.')
    expect(house.faults()).toEqual([])
  })

  test('a stream tells of tools and words', async () => {
    const { id } = await client.conversations.create()
    measured()
    const before = asked.length
    const result = await runner.run(agentOf(), 'How tall is it?', { conversationId: id, stream: true })
    const events = await all(result)
    await result.completed
    expect(result.finalOutput).toBe('Two metres.')
    expect(asked.slice(before)).toEqual([{ q: 'height' }])
    const names = events.flatMap((event) => (event.type === 'run_item_stream_event' ? [event.name] : []))
    expect(names).toEqual(['tool_called', 'tool_output', 'message_output_created'])
    const words = events.flatMap((event) =>
      event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta' ? [event.data.delta] : [],
    )
    expect(words.join('')).toBe('Two metres.')
    expect(house.faults()).toEqual([])
  })
})
