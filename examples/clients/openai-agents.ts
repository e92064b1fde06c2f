// An agent of @openai/agents whose session is a conversation of ours: tools, a second run, and windows with receipts.
import { strict as assert } from 'node:assert'
import { Agent, Runner, setTracingDisabled, tool } from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
import { openHistory } from 'throughline/engine'
import { agentSession, windowed } from 'throughline/openai-agents'
import { memoryStore } from 'throughline/store'
import { z } from 'zod'

setTracingDisabled(true)
const weather = tool({
  name: 'weather',
  description: 'The weather at a place.',
  parameters: z.object({ at: z.string() }),
  execute: async ({ at }) => `fair in ${at}`,
})
// a model from a script, so that this runs anywhere; any other model of the SDK will do
const model = new ScriptedModel([
  [functionCall('weather', { at: 'Oslo' }, { callId: 'call_1' })],
  [assistantMessage('Fair in Oslo.')],
  [assistantMessage('You asked about Oslo.')],
])
const agent = new Agent({ name: 'guide', instructions: 'Be short.', model, tools: [weather] })

const history = await openHistory({ store: memoryStore(), conversation: 'trip' })
const session = agentSession(history)
const callModelInputFilter = windowed(history, { budget: 8_000 })
await new Runner().run(agent, 'How is the weather in Oslo?', { session, callModelInputFilter })
const { finalOutput } = await new Runner().run(agent, 'What did I ask?', { session, callModelInputFilter })

assert.equal(finalOutput, 'You asked about Oslo.')
assert.equal((await session.getItems()).length, 6)
const made = await history.window({ target: 'anthropic' })
console.log(made.ok ? `${made.rendered.messages.length} messages, ready for another provider` : made.error.message)
// prints: 7 messages, ready for another provider
