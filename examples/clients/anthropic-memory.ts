// The memory tool of @anthropic-ai/sdk, kept in a store: what the model writes down is there next time.
import { strict as assert } from 'node:assert'
import Anthropic from '@anthropic-ai/sdk'
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { memoryHandlers } from 'throughline/anthropic'
import { memoryStore } from 'throughline/store'

// stands in for the provider, so that this runs anywhere: it writes one file and is done
const uses = [{ command: 'create', path: '/memories/user.txt', file_text: 'likes tea' }]
const fetch = async () => {
  const input = uses.shift()
  const content = input ? [{ type: 'tool_use', id: 't1', name: 'memory', input }] : [{ type: 'text', text: 'Noted.' }]
  const stop_reason = input ? 'tool_use' : 'end_turn'
  return Response.json({ id: 'm1', type: 'message', role: 'assistant', model: 'any', content, usage: {}, stop_reason })
}

const handlers = memoryHandlers({ store: memoryStore(), name: 'ada' })
const client = new Anthropic({ apiKey: 'none', fetch })
const answer = await client.beta.messages.toolRunner({
  model: 'any',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'I like tea.' }],
  tools: [betaMemoryTool(handlers)],
})

assert.deepEqual(
  answer.content.map((block) => (block.type === 'text' ? block.text : block.type)),
  ['Noted.'],
)
console.log(await handlers.view({ path: '/memories' }))
assert.match(await handlers.view({ path: '/memories/user.txt' }), /likes tea/)
// prints: 9B	/memories/user.txt
