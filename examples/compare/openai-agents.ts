import { Agent, type AgentInputItem, MemorySession, run, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import { z } from 'zod'

setOpenAIAPI('chat_completions')
setTracingDisabled(true)
const weather = tool({
  name: 'weather',
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})
const time = tool({
  name: 'time',
  description: 'The time now',
  parameters: z.object({}),
  execute: async () => new Date().toISOString(),
})
const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', model: 'gpt-4o', tools: [weather, time] })
const session = new MemorySession()

// the SDK has no budget in tokens: whole turns from the end, by an estimate
function fitting(items: AgentInputItem[], budget: number) {
  const size = (from: number) => JSON.stringify(items.slice(from)).length / 4
  let from = 0
  while (size(from) > budget) from = items.findIndex((item, i) => i > from && 'role' in item && item.role === 'user')
  return items.slice(from)
}

export async function send(text: string) {
  const { finalOutput } = await run(agent, text, {
    session,
    callModelInputFilter: ({ modelData }) => ({ ...modelData, input: fitting(modelData.input, 3_500) }),
  })
  return finalOutput ?? ''
}
