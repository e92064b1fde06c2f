// OpenAI's agents SDK over a conversation that the server holds, with a tool that runs here.
import { strict as assert } from 'node:assert'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'
import { z } from 'zod'

// stands in for a stateless server that speaks Chat Completions: it asks for the weather, then tells it
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } }
const local: typeof globalThis.fetch = async (_, init) => {
  const { messages = [] }: { messages?: OpenAI.ChatCompletionMessageParam[] } = JSON.parse(String(init?.body ?? '{}'))
  const last = messages.at(-1)
  const said =
    last?.role === 'tool'
      ? chunk({ content: `It is ${last.content}.` }) + chunk({}, 'stop')
      : chunk({ tool_calls: [call] }) + chunk({}, 'tool_calls')
  return new Response(`${said}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
}

const compatible = [{ name: 'local', baseUrl: 'http://127.0.0.1/v1', models: ['small'] }]
const providers = { ollama: false, lmstudio: false, compatible } as const
const models = await openModels({ usual: 'local/small', providers, fetch: local })
const service = await openService({ store: memoryStore(), models })
const fetch: typeof globalThis.fetch = (url, init) => service.fetch(new Request(url, init))
const client = new OpenAI({ baseURL: 'http://127.0.0.1/v1', apiKey: 'none', fetch })

setTracingDisabled(true)
const weather = tool({
  name: 'weather',
  description: 'The weather',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})
const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', model: 'local/small', tools: [weather] })
const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client, useResponses: true }) })

const { id: conversationId } = await client.conversations.create()
const { finalOutput } = await runner.run(agent, 'How is the weather in Lisbon?', { conversationId })
assert.equal(finalOutput, 'It is sunny in Lisbon.')
const { data } = await client.conversations.items.list(conversationId, { order: 'asc' })
await service.close()
console.log(data.map((item) => (item.type === 'message' ? item.role : item.type)).join(', '))
// prints: user, function_call, function_call_output, assistant
