// The memory tool of @anthropic-ai/sdk, kept in a store: what the model writes down is there next time.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { memoryHandlers } from 'throughline/anthropic'
import { memoryStore } from 'throughline/store'

// stands in for the provider, so that this runs anywhere: it writes one file and is done
const uses = [{ command: 'create', path: '/memories/user.txt', file_text: 'likes tea' }]
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const input = uses.shift()
  const content = input ? [{ type: 'tool_use', id: 't1', name: 'memory', input }] : [{ type: 'text', text: 'Noted.' }]
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'any', content, usage: {} }
  const stop_reason = input ? 'tool_use' : 'end_turn'
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...message, stop_reason }))
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))

const handlers = memoryHandlers({ store: memoryStore(), name: 'ada' })
const client = new Anthropic({ baseURL: `http://127.0.0.1:${server.address().port}`, apiKey: 'none' })
const answer = await client.beta.messages.toolRunner({
  model: 'any',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'I like tea.' }],
  tools: [betaMemoryTool(handlers)],
})
server.close()

assert.equal(answer.content[0].text, 'Noted.')
console.log(await handlers.view({ path: '/memories' }))
assert.match(await handlers.view({ path: '/memories/user.txt' }), /likes tea/)
