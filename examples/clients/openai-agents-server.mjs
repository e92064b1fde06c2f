// OpenAI's agents SDK over a conversation that the server holds, with a tool that runs here.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'

// a stateless local server that speaks Chat Completions: it asks for the weather, then tells it
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } }
const local = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const last = JSON.parse(body || '{}').messages?.at(-1)
  const said =
    last?.role === 'tool'
      ? chunk({ content: `It is ${last.content}.` }) + chunk({}, 'stop')
      : chunk({ tool_calls: [call] }) + chunk({}, 'tool_calls')
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${said}data: [DONE]\n\n`)
})
await new Promise((resolve) => local.listen(0, '127.0.0.1', resolve))

const compatible = [{ name: 'local', baseUrl: `http://127.0.0.1:${local.address().port}/v1`, models: ['small'] }]
const models = await openModels({ usual: 'local/small', providers: { ollama: false, lmstudio: false, compatible } })
const service = await openService({ store: memoryStore(), models })
const fetch = (url, init) => service.fetch(new Request(url, init))
const client = new OpenAI({ baseURL: 'http://127.0.0.1/v1', apiKey: 'none', fetch })

setTracingDisabled(true)
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const weather = tool({
  name: 'weather',
  description: 'The weather',
  parameters,
  execute: async ({ city }) => `sunny in ${city}`,
})
const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', model: 'local/small', tools: [weather] })
const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client, useResponses: true }) })

const { id: conversationId } = await client.conversations.create()
const { finalOutput } = await runner.run(agent, 'How is the weather in Lisbon?', { conversationId })
assert.equal(finalOutput, 'It is sunny in Lisbon.')
const { data } = await client.conversations.items.list(conversationId, { order: 'asc' })
await service.close()
local.close()
console.log(data.map(({ type, role }) => role ?? type).join(', '))
