// The AI SDK over a kept conversation: its chat at one address, its messages in a store, its models behind a window.
import { strict as assert } from 'node:assert'
import { DefaultChatTransport, generateText, readUIMessageStream, type UIMessage, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { messageStore, windowMiddleware } from 'throughline/ai-sdk'
import { openService } from 'throughline/http'
import { openModels } from 'throughline/models'
import { memoryStore } from 'throughline/store'

const store = memoryStore()
const service = await openService({ store, models: await openModels({ usual: 'builtin/extractive' }) })
const fetch: typeof globalThis.fetch = (url, init) => service.fetch(new Request(url, init))
const transport = new DefaultChatTransport<UIMessage>({ api: 'http://127.0.0.1/api/chat', fetch })

// what `useChat` does with the same transport
const kept = messageStore({ store })
const chat = { chatId: 'trip', trigger: 'submit-message', messageId: undefined, abortSignal: undefined } as const
const say = async (text: string) => {
  const asked: UIMessage = { id: text, role: 'user', parts: [{ type: 'text', text }] }
  const messages = [...(await kept.load<UIMessage>('trip')), asked]
  for await (const _ of readUIMessageStream({ stream: await transport.sendMessages({ ...chat, messages }) }));
}
await say('We leave for Lisbon on the 4th of May. The hotel is called Miramar.')
await say('What is the hotel called?')
const messages = await kept.load<UIMessage>('trip')
assert.match(JSON.stringify(messages.at(-1)?.parts), /Miramar/)
assert.equal(await transport.reconnectToStream({ chatId: 'trip' }), null)

// a model of your own, here one that says a word, with a window before each call
const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
const mock = new MockLanguageModelV4({
  modelId: 'gpt-4o',
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Yes.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: count, outputTokens: count },
    warnings: [],
  }),
})
const model = wrapLanguageModel({ model: mock, middleware: windowMiddleware({ budget: 2_000 }) })
const { providerMetadata } = await generateText({ model, prompt: `${'words '.repeat(100)}?` })
await service.close()
assert.match(JSON.stringify(providerMetadata?.throughline), /"tokens":2000/)
console.log(`${messages.length} messages, and a receipt with each answer`)
// prints: 4 messages, and a receipt with each answer
