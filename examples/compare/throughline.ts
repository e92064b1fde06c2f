import { openai } from '@ai-sdk/openai'
import { openAgent } from 'throughline/agent'
import { openHistory } from 'throughline/engine'
import { modelFrom } from 'throughline/models'
import { memoryStore } from 'throughline/store'
import { z } from 'zod'

const agent = openAgent({
  history: await openHistory({ store: memoryStore(), system: 'Be brief.' }),
  model: modelFrom(openai.chat('gpt-4o')),
  budget: 4_000,
  tools: {
    weather: {
      description: 'The weather in a city',
      parameters: z.object({ city: z.string() }),
      execute: ({ city }) => `sunny in ${city}`,
    },
    time: { description: 'The time now', execute: () => new Date().toISOString() },
  },
})

export const send = async (text: string) => (await agent.send(text)).text
