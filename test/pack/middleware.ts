/** `windowMiddleware` on the AI SDK 7, 6 and 5: the same options, each version's own `wrapLanguageModel`, the receipt with each answer. */
import { strict as assert } from 'node:assert'
import * as ai7 from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import * as ai5 from 'ai5'
import { MockLanguageModelV2 } from 'ai5/test'
import * as ai6 from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import { windowMiddleware } from 'throughline/ai-sdk'
import { openHistory } from 'throughline/engine'
import { memoryStore } from 'throughline/store'

const content = [{ type: 'text' as const, text: 'Yes.' }]
const finishReason = { unified: 'stop' as const, raw: 'stop' }
const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const history = await openHistory({ store: memoryStore(), conversation: 'three versions' })
await history.append({ role: 'user', content: 'The hotel is called Miramar.' })
const middleware = windowMiddleware({ history, budget: 2_000 })
const messages = Array.from({ length: 80 }, (_, i) => ({
  role: i % 2 ? ('assistant' as const) : ('user' as const),
  content: `Remark ${i}. ${'Some words. '.repeat(20)}`,
}))
messages.push({ role: 'user', content: 'And now?' })

const mock7 = new MockLanguageModelV4({
  modelId: 'gpt-4o',
  doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
})
const mock6 = new MockLanguageModelV3({
  modelId: 'gpt-4o',
  doGenerate: async () => ({ content, finishReason, usage, warnings: [] }),
})
const mock5 = new MockLanguageModelV2({
  modelId: 'gpt-4o',
  doGenerate: async () => ({
    content,
    finishReason: 'stop',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    warnings: [],
  }),
})
const answers = [
  await ai7.generateText({ model: ai7.wrapLanguageModel({ model: mock7, middleware }), messages }),
  await ai6.generateText({ model: ai6.wrapLanguageModel({ model: mock6, middleware }), messages }),
  await ai5.generateText({ model: ai5.wrapLanguageModel({ model: mock5, middleware }), messages }),
]
for (const { text, providerMetadata } of answers) {
  assert.equal(text, 'Yes.')
  assert.match(JSON.stringify(providerMetadata?.throughline), /"dropped":[1-9]/)
}
for (const { doGenerateCalls } of [mock7, mock6, mock5])
  assert.ok((doGenerateCalls[0]?.prompt.length ?? 0) < messages.length, 'the window is shorter than what was given')
console.log('the same on 7, 6 and 5')
process.exit(0)
