import { openai } from '@ai-sdk/openai'
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai'
import { z } from 'zod'

const tools = {
  weather: tool({
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
  }),
  time: tool({
    description: 'The time now',
    inputSchema: z.object({}),
    execute: async () => new Date().toISOString(),
  }),
}
const messages: ModelMessage[] = []

// the SDK has no budget in tokens: whole turns from the end, by an estimate
function fitting(budget: number) {
  const size = (from: number) => JSON.stringify(messages.slice(from)).length / 4
  let from = 0
  while (size(from) > budget) from = messages.findIndex(({ role }, i) => i > from && role === 'user')
  return messages.slice(from)
}

export async function send(text: string) {
  messages.push({ role: 'user', content: text })
  const { text: answer, response } = await generateText({
    model: openai.chat('gpt-4o'),
    system: 'Be brief.',
    messages: fitting(3_500),
    tools,
    stopWhen: stepCountIs(5),
  })
  messages.push(...response.messages)
  return answer
}
