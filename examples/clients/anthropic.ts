// Anthropic's client over a kept conversation: another base URL, and every answer has a window and a receipt.
import { strict as assert } from 'node:assert'
import Anthropic from '@anthropic-ai/sdk'
import { openClient } from 'throughline/client'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'

// a service in this process and the model that needs no key; `throughline serve` has both at an address
const models = await openModels({ usual: 'builtin/extractive' })
const service = await openService({ store: memoryStore(), models })
const fetch: typeof globalThis.fetch = (url, init) => service.fetch(new Request(url, init))
const client = new Anthropic({ baseURL: 'http://127.0.0.1', apiKey: 'none', fetch })

const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')
const ask = { model: 'default', max_tokens: 200 }
const messages: Anthropic.MessageParam[] = [
  { role: 'user', content: 'We leave for Lisbon on the 4th of May. The hotel is called Miramar.' },
]
const first = await client.messages.create({ ...ask, messages })
messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: 'What is the hotel called?' })

// the history is known by its words: it goes on in the conversation where it was said
const { data, response } = await client.messages.create({ ...ask, messages }).withResponse()
assert.match(textOf(data), /Miramar/)
messages.push({ role: 'assistant', content: data.content }, { role: 'user', content: 'When do we leave for Lisbon?' })
const last = await client.messages.stream({ ...ask, messages }).finalMessage()
assert.match(textOf(last), /4th of May/)

const ours = openClient({ url: 'http://127.0.0.1', fetch })
const stored = await ours.messages.list(response.headers.get('x-throughline-conversation') ?? '')
const { receipt } = await ours.receipts.get(response.headers.get('x-throughline-receipt') ?? '')
await service.close()
console.log(
  `${stored.items.length} messages in one conversation, ${receipt.totals.kept} of them sent with the second question`,
)
// prints: 6 messages in one conversation, 2 of them sent with the second question
