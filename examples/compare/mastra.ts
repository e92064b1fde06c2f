import { openai } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { TokenLimiterProcessor } from '@mastra/core/processors'
import { createTool } from '@mastra/core/tools'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { z } from 'zod'

const weather = createTool({
  id: 'weather',
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})
const time = createTool({
  id: 'time',
  description: 'The time now',
  inputSchema: z.object({}),
  execute: async () => new Date().toISOString(),
})

const agent = new Agent({
  id: 'guide',
  name: 'Guide',
  instructions: 'Be brief.',
  model: openai.chat('gpt-4o'),
  tools: { weather, time },
  memory: new Memory({
    storage: new LibSQLStore({ id: 'memory', url: ':memory:' }),
    options: { lastMessages: 200 },
  }),
  inputProcessors: [new TokenLimiterProcessor({ limit: 3_500 })],
})

export async function send(text: string) {
  const { text: answer } = await agent.generate(text, { memory: { thread: 'chat', resource: 'user' } })
  return answer
}
