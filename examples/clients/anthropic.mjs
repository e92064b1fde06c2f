// Anthropic's client over a kept conversation: another base URL, and every answer has a window and a receipt.
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'

// a service in this process and the model that needs no key; `throughline serve` has both at an address
const models = await openModels({ usual: 'builtin/extractive' })
const service = await openService({ store: memoryStore(), models })
const fetch = (url, init) => service.fetch(new Request(url, init))
const client = new Anthropic({ baseURL: 'http://127.0.0.1', apiKey: 'none', fetch })

const ask = { model: 'default', max_tokens: 200 }
const messages = [{ role: 'user', content: 'We leave for Lisbon on the 4th of May. The hotel is called Miramar.' }]
const first = await client.messages.create({ ...ask, messages })
messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: 'What is the hotel called?' })

// the history is known by its words: it goes on in the conversation where it was said
const { data, response } = await client.messages.create({ ...ask, messages }).withResponse()
assert.match(data.content[0].text, /Miramar/)
messages.push({ role: 'assistant', content: data.content }, { role: 'user', content: 'When do we leave for Lisbon?' })
const last = await client.messages.stream({ ...ask, messages }).finalMessage()
assert.match(last.content[0].text, /4th of May/)

const conversation = response.headers.get('x-throughline-conversation')
const stored = await (await fetch(`http://127.0.0.1/api/v1/conversations/${conversation}/messages`)).json()
const receipt = await fetch(`http://127.0.0.1/api/v1/receipts/${response.headers.get('x-throughline-receipt')}`)
assert.equal(receipt.status, 200)
await service.close()
console.log(`${stored.items.length} messages in one conversation`)
