// A chat with two tools and memory over any model of the AI SDK: the loop is ours, and each step has its receipt.
import { strict as assert } from 'node:assert'
import { MockLanguageModelV4 } from 'ai/test'
import { openAgent } from 'throughline/agent'
import { openHistory } from 'throughline/engine'
import { modelFrom } from 'throughline/models'
import { memoryStore } from 'throughline/store'
import { z } from 'zod'

// answers from a script, so that this runs anywhere: it asks for the weather, then tells it
const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
const usage = { inputTokens: count, outputTokens: count }
const model = new MockLanguageModelV4({
  modelId: 'gpt-4o',
  doStream: async ({ prompt }) => {
    const [result] = /Sunny in [A-Z]+/.exec(JSON.stringify(prompt.at(-1))) ?? []
    return {
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'text-start', id: 't' })
          if (result) controller.enqueue({ type: 'text-delta', id: 't', delta: `${result}.` })
          controller.enqueue({ type: 'text-end', id: 't' })
          if (!result)
            controller.enqueue({ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{"city":"Rome"}' })
          controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage })
          controller.close()
        },
      }),
    }
  },
})

const history = await openHistory({ store: memoryStore(), system: 'Be brief.' })
const agent = openAgent({
  history,
  model: modelFrom(model),
  budget: 4_000,
  tools: {
    weather: { parameters: z.object({ city: z.string() }), execute: ({ city }) => `Sunny in ${city.toUpperCase()}` },
    time: { description: 'The time now', execute: () => new Date().toISOString() },
  },
})
const { text } = await agent.send('What is the weather in Rome?')
assert.equal(text, 'Sunny in ROME.')
console.log(`${text} ${(await history.path()).length} entries in the log`)
// prints: Sunny in ROME. 4 entries in the log
