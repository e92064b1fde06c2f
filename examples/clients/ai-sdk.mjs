// The AI SDK over a kept conversation: its chat at one address, its messages in a store, its models behind a window.
import assert from 'node:assert/strict'
import { DefaultChatTransport, generateText, readUIMessageStream, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { messageStore, windowMiddleware } from 'throughline/ai-sdk'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'

const store = memoryStore()
const service = await openService({ store, models: await openModels({ usual: 'builtin/extractive' }) })
const fetch = (url, init) => service.fetch(new Request(url, init))
const transport = new DefaultChatTransport({ api: 'http://127.0.0.1/api/chat', fetch })

// what `useChat` does with the same transport
const say = async (text) => {
  const messages = [...(await kept.load('trip')), { id: text, role: 'user', parts: [{ type: 'text', text }] }]
  const stream = await transport.sendMessages({ chatId: 'trip', messages, trigger: 'submit-message' })
  for await (const _ of readUIMessageStream({ stream }));
}
const kept = messageStore({ store })
await say('We leave for Lisbon on the 4th of May. The hotel is called Miramar.')
await say('What is the hotel called?')
const messages = await kept.load('trip')
assert.match(JSON.stringify(messages.at(-1).parts), /Miramar/)
assert.equal(await transport.reconnectToStream({ chatId: 'trip' }), null)

// a model of your own, here one that says a word, with a window before each call
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const answer = { content: [{ type: 'text', text: 'Yes.' }], finishReason: { unified: 'stop' }, usage, warnings: [] }
const mock = new MockLanguageModelV3({ modelId: 'gpt-4o', doGenerate: async () => answer })
const model = wrapLanguageModel({ model: mock, middleware: windowMiddleware({ budget: 2_000 }) })
const { providerMetadata } = await generateText({ model, prompt: `${'words '.repeat(100)}?` })
await service.close()
console.log(`${messages.length} messages; ${providerMetadata.throughline.receipt.budget.tokens} tokens at most`)
