/** One program for every runtime: an agent with a tool, a budget and recall over the store in memory. It says the same everywhere. */
import { assemble, check, findModel } from 'throughline'
import { openAgent } from 'throughline/agent'
import { openHistory } from 'throughline/engine'
import { createRecaller } from 'throughline/recall'
import { memoryStore } from 'throughline/store'

/** A model from a script: asked about the weather it calls the tool, then it tells what it read. */
const model = {
  id: 'scripted/model',
  label: 'Scripted',
  kind: 'local',
  target: 'openai-chat',
  facts: findModel('gpt-4o'),
  async *stream({ items }) {
    const call = items.at(-1).parts.find((part) => part.type === 'call' && part.outcome.state === 'ok')
    const text = call ? `It is ${call.outcome.output[0].text}.` : items.map((item) => item.text).join(' ')
    if (!call && /weather/.test(items.at(-1).text))
      yield { type: 'call', id: 'c1', name: 'weather', input: { city: 'Rome' } }
    else yield { type: 'text', text: call ? text : /Miramar/.test(text) ? 'Miramar.' : 'I do not know.' }
    yield { type: 'finish', reason: call ? 'stop' : 'calls', usage: { input: 1, output: 1 } }
  },
}

export async function run() {
  const history = await openHistory({
    store: memoryStore(),
    recaller: createRecaller({ embedder: null }),
    system: 'Be brief.',
  })
  await history.append({ role: 'user', content: 'The hotel in Lisbon is called Miramar.' })
  for (let i = 0; i < 40; i++)
    await history.append([
      { role: 'assistant', content: `Invoice ${i} is sorted.` },
      { role: 'user', content: `Sort invoice ${i + 1}. ${'As before. '.repeat(30)}` },
    ])
  const tools = { weather: { description: 'The weather', execute: ({ city }) => `sunny in ${city}` } }
  const agent = openAgent({ history, model, budget: 2_000, tools })
  const weather = await agent.send('What is the weather in Rome?')
  const hotel = await agent.send('What is the hotel in Lisbon called?')
  const made = await history.window({ target: 'anthropic', budget: 2_000 })
  const loose = assemble([{ role: 'user', content: 'Hello' }], 'balanced', { target: 'openai-chat' })
  const legal =
    made.ok && loose.ok && check('anthropic', made.rendered).length + check('openai-chat', loose.rendered).length === 0
  const { ok } = await history.verify()
  return [
    weather.text,
    hotel.text,
    made.ok && made.receipt.totals.dropped > 0,
    legal,
    ok,
    made.ok && made.receipt.wire.hash,
  ].join(' | ')
}
