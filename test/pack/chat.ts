/** A chat with two tools and memory, by a stranger's hands: compiled, then run. Exits non-zero when it fails. */
import { strict as assert } from 'node:assert'
import { openAgent } from 'throughline/agent'
import { openHistory } from 'throughline/engine'
import { modelFrom } from 'throughline/models'
import { sqliteStore } from 'throughline/sqlite'
import { z } from 'zod'
import { languageModel } from './model.js'

const agent = openAgent({
  history: await openHistory({ store: await sqliteStore(':memory:'), system: 'Be brief.' }),
  model: modelFrom(languageModel),
  budget: 4_000,
  tools: {
    weather: {
      description: 'The weather in a city',
      parameters: z.object({ city: z.string() }),
      execute: ({ city }) => `Sunny in ${city.toUpperCase()}`,
    },
    time: { description: 'The time now', execute: () => '12:00' },
  },
})
const { text } = await agent.send('What is the weather in Rome?')
assert.equal(text, 'I read: Sunny in ROME')
assert.equal((await agent.send('And what did I ask?')).text, 'You asked 2 things.')
process.exit(0)
