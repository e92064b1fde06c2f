// Google's client and a history of ours: a window is its request as it stands, and the answer goes back as it came.
import { strict as assert } from 'node:assert'
import { type Content, GoogleGenAI } from '@google/genai'
import { openHistory } from 'throughline/engine'
import { memoryStore } from 'throughline/store'

// stands in for the provider, so that this runs anywhere: it says how much it was sent
const answering: typeof globalThis.fetch = async (_, init) => {
  const { contents }: { contents: Content[] } = JSON.parse(String(init?.body))
  const parts = [{ text: `I see ${contents.length} turns.` }]
  return Response.json({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] })
}
globalThis.fetch = answering
const google = new GoogleGenAI({ apiKey: 'none' })

const history = await openHistory({ store: memoryStore(), conversation: 'trip', system: 'Be brief.' })
const ask = async (text: string) => {
  await history.append({ role: 'user', content: text })
  const made = await history.window({ model: 'gemini-2.5-flash', target: 'google' })
  if (!made.ok) throw new Error(made.error.message)
  const { contents, ...config } = made.rendered
  const answer = await google.models.generateContent({ model: 'gemini-2.5-flash', contents, config })
  const content = answer.candidates?.[0]?.content
  if (content) await history.append(content)
  return answer.text
}
await ask('We leave for Lisbon on the 4th of May.')
assert.equal(await ask('When do we leave?'), 'I see 3 turns.')
console.log((await history.path()).map(({ text }) => text).join(' '))
// prints: We leave for Lisbon on the 4th of May. I see 1 turns. When do we leave? I see 3 turns.
