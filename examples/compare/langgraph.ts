import { trimMessages } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'

const weather = tool(async ({ city }) => `sunny in ${city}`, {
  name: 'weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
})
const time = tool(async () => new Date().toISOString(), {
  name: 'time',
  description: 'The time now',
  schema: z.object({}),
})

const agent = createReactAgent({
  llm: new ChatOpenAI({ model: 'gpt-4o' }),
  prompt: 'Be brief.',
  tools: [weather, time],
  checkpointer: new MemorySaver(),
  preModelHook: async ({ messages }) => ({
    llmInputMessages: await trimMessages(messages, {
      maxTokens: 3_500,
      strategy: 'last',
      startOn: 'human',
      tokenCounter: (some) => JSON.stringify(some.map(({ content }) => content)).length / 4,
    }),
  }),
})

export async function send(text: string) {
  const thread = { configurable: { thread_id: 'chat' } }
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: text }] }, thread)
  return messages.at(-1)?.text ?? ''
}
