/** One conversation in every dialect: each client goes on where the one before it left off, tool calls included. */
import Anthropic from '@anthropic-ai/sdk'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import type { Wire } from '../provider/answer.js'
import { type House, openHouse } from './house.js'

let house: House | undefined
afterEach(() => house?.stop())

const schema = { type: 'object' as const, properties: { at: { type: 'string' } } }

const wires: readonly Wire[] = ['anthropic', 'openai-chat', 'openai-responses', 'google']

test.each(wires)('begun with Anthropic, continued with the AI SDK and OpenAI, sent to %s', async (wire) => {
  const here = await openHouse(wire)
  house = here
  here.says(({ number }) =>
    number === 1
      ? { text: 'Let me look.', calls: [{ id: 'call_1', name: 'look', input: { at: 'home' } }] }
      : { text: `Answer ${number}.` },
  )
  const headers = { 'x-throughline-conversation': 'c1' }
  const anthropic = new Anthropic({ baseURL: here.url, apiKey: 'none', maxRetries: 0 })
  const ask = { model: 'default', max_tokens: 500, tools: [{ name: 'look', input_schema: schema }] }
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'How warm is it?' }]
  const called = await anthropic.messages.create({ ...ask, messages }, { headers })
  expect(called.stop_reason).toBe('tool_use')
  const [call] = called.content.filter((block) => block.type === 'tool_use')

  // the tool is answered in the chat of the AI SDK, where the call is a part that waits
  const chat = async () => (await here.call('GET', '/api/chat/c1')).body.messages as UIMessage[]
  const open = await chat()
  const looked = open.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-look' ? { ...part, state: 'output-available', output: '21 degrees' } : part,
    ),
  })) as UIMessage[]
  const transport = new DefaultChatTransport<UIMessage>({ api: `${here.url}/api/chat` })
  const tools = { look: { inputSchema: schema } }
  const more = { chatId: 'c1', trigger: 'submit-message' as const, messageId: undefined, abortSignal: undefined }
  const stream = await transport.sendMessages({ ...more, messages: looked, body: { tools } })
  for await (const _ of readUIMessageStream({ stream }));
  expect(here.heard()).toContain('21 degrees')

  const openai = new OpenAI({ baseURL: `${here.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const response = await openai.responses.create({ model: 'default', conversation: 'c1', input: 'And tomorrow?' })
  expect(response.output_text).toBe('Answer 3.')
  expect(here.heard()).toContain('How warm is it?')

  // and back to Anthropic's, whose client brings all of it
  const [, answer, , third] = (await chat()).map(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
  )
  messages.push(
    { role: 'assistant', content: called.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: '21 degrees' }] },
    { role: 'assistant', content: answer?.at(-1) ?? '' },
    { role: 'user', content: 'And tomorrow?' },
    { role: 'assistant', content: third?.join('') ?? '' },
    { role: 'user', content: 'Thanks.' },
  )
  const last = await anthropic.messages.create({ ...ask, messages }, { headers })
  expect(last.content).toMatchObject([{ type: 'text', text: 'Answer 4.' }])
  expect((await here.call('GET', '/api/v1/conversations/c1/branches')).body.items).toHaveLength(1)
  expect(await chat()).toHaveLength(6)
  expect(here.faults()).toEqual([])
})
