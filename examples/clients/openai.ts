// OpenAI's client over a kept conversation: another base URL, and the stateful API works in front of any model.
import { strict as assert } from 'node:assert'
import OpenAI from 'openai'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'

// a service in this process and the model that needs no key; `throughline serve` has both at an address
const models = await openModels({ usual: 'builtin/extractive' })
const service = await openService({ store: memoryStore(), models })
const fetch: typeof globalThis.fetch = (url, init) => service.fetch(new Request(url, init))
const client = new OpenAI({ baseURL: 'http://127.0.0.1/v1', apiKey: 'none', fetch })

// a conversation that the server holds: each request says only what is new
const { id: conversation } = await client.conversations.create({ metadata: { topic: 'travel' } })
const input = 'We leave for Lisbon on the 4th of May. The hotel is called Miramar.'
await client.responses.create({ conversation, input })
const answer = await client.responses.create({ conversation, input: 'What is the hotel called?' })
assert.match(answer.output_text, /Miramar/)

// a stream that its reader leaves after three events, and takes up again
const seen: OpenAI.Responses.ResponseStreamEvent[] = []
const stream = await client.responses.create({ conversation, input: 'When do we leave for Lisbon?', stream: true })
for await (const event of stream) if (seen.push(event) === 3) break
const id = seen[0]?.type === 'response.created' ? seen[0].response.id : ''
for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: 2 })) seen.push(event)
const last = seen.at(-1)
assert.match(JSON.stringify(last?.type === 'response.completed' && last.response.output), /4th of May/)

// chat completions: the client sends its whole history, and only what is new is written
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: input }]
const { choices } = await client.chat.completions.create({ model: 'default', messages, store: true })
if (choices[0]) messages.push(choices[0].message)
messages.push({ role: 'user', content: 'What is the hotel called?' })
const { data, response } = await client.chat.completions
  .create({ model: 'default', messages, store: true })
  .withResponse()
assert.match(data.choices[0]?.message.content ?? '', /Miramar/)
const items = await client.conversations.items.list(conversation)
await service.close()
const receipt = response.headers.get('x-throughline-receipt')
console.log(`${items.data.length} items in ${conversation.slice(0, 5)}…, receipt ${receipt?.slice(0, 4)}…`)
// prints: 6 items in conv_…, receipt ctx_…
