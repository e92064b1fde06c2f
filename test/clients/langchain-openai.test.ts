/** `@langchain/openai` against a running server. */
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { all, type House, openHouse } from './house.js'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.stop())
beforeEach(() => house.says({ text: 'Hello there.' }))

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'look',
      description: 'looks something up',
      parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    },
  },
]

describe.each([
  ['chat completions', false],
  ['responses', true],
])('ChatOpenAI over %s', (_, useResponsesApi) => {
  const chat = () =>
    new ChatOpenAI({
      model: house.model,
      apiKey: 'none',
      useResponsesApi,
      maxRetries: 0,
      configuration: { baseURL: `${house.url}/v1` },
    })

  test('answers, with usage', async () => {
    const answer = await chat().invoke([new SystemMessage('Be kind.'), new HumanMessage('Hi.')])
    expect(answer.text).toBe('Hello there.')
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 })
    expect(house.heard()).toContain('Be kind.')
  })

  test('streams', async () => {
    const chunks = await all(await chat().stream([new HumanMessage('Hi.')]))
    expect(chunks.map(({ text }) => text).join('')).toBe('Hello there.')
    expect(chunks.length).toBeGreaterThan(1)
  })

  test('calls tools and takes their results', async () => {
    house.says({ calls: [{ id: 'call_1', name: 'look', input: { q: 'height' } }] })
    const model = chat().bindTools(tools)
    const question = new HumanMessage('How tall?')
    const call = await model.invoke([question])
    expect(call.tool_calls).toMatchObject([{ id: 'call_1', name: 'look', args: { q: 'height' } }])
    house.says({ text: 'Two metres.' })
    const result = new ToolMessage({ tool_call_id: 'call_1', content: '2 m' })
    const answer = await model.invoke([question, call, result])
    expect(answer.text).toBe('Two metres.')
    expect(house.heard()).toContain('2 m')
    expect(house.faults()).toEqual([])
  })
})
