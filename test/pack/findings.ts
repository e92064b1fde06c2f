/** What a new user stumbled over, one block each, against the packed package. 1 and 2 are `fits.ts` and `refused.ts`. Exits non-zero when one is back. */
import { strict as assert } from 'node:assert'
import { createServer } from 'node:net'
import { counters, HistoryError } from 'throughline'
import { messageStore, windowMiddleware } from 'throughline/ai-sdk'
import { openHistory } from 'throughline/engine'
import { openService, route, routes } from 'throughline/http'
import { openModels } from 'throughline/models'
import { postgresStore } from 'throughline/postgres'
import { createRecaller } from 'throughline/recall'
import { memoryStore } from 'throughline/store'
import { z } from 'zod'

const refused = (code: string) => (error: unknown) => {
  assert.ok(error instanceof HistoryError, String(error))
  assert.equal(error.code, code)
  return true
}

// 3: tools, output and instructions count, what was recalled is there, and the receipt is kept
const store = memoryStore()
const history = await openHistory({ store, conversation: 'three', recaller: createRecaller() })
await history.append({ role: 'user', content: 'The hotel in Lisbon is called Miramar.' })
for (let i = 0; i < 60; i++)
  await history.append({ role: i % 2 ? 'user' : 'assistant', content: `Remark ${i} about the invoices. `.repeat(12) })
const middleware = windowMiddleware({ history, model: 'gpt-4o', budget: 2_000 })
const tools = [{ type: 'function', name: 'search', description: 'Looks. '.repeat(50), inputSchema: { type: 'object' } }]
const words = (text: string) => [{ type: 'text', text }]
const prompt = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: words('What is the hotel in Lisbon called?') },
]
const { prompt: sent } = await middleware.transformParams({ params: { prompt, tools, maxOutputTokens: 300 } })
assert.match(JSON.stringify(sent), /Miramar/)
const [kept] = (await store.receipts('default', 'three', { limit: 1 })).items
assert.ok(kept, 'the receipt is kept')
assert.match(JSON.stringify(kept.body), /"tools":[1-9]/)

// 4: a system message that no window will show is warned of, and one that is given is sent
const system = await openHistory({ store, system: 'Answer in French.' })
await system.append({ role: 'user', content: 'Hello' })
const { warnings } = await system.append({ role: 'system', content: 'Answer in German.' })
assert.deepEqual(
  warnings.map(({ code }) => code),
  ['message.unsent'],
)
const made = await system.window({ target: 'anthropic' })
assert.equal(made.ok && made.rendered.system, 'Answer in French.')

// 5: what a receipt says of rows that were not loaded is what is stored, or marked as an estimate
const long = await openHistory({ store, conversation: 'five' })
await long.append({ role: 'user', content: 'Short one.' })
for (let i = 0; i < 400; i++)
  await long.append({
    role: i % 2 ? 'user' : 'assistant',
    content: `Entry ${i}. ${'many words '.repeat(i % 7 ? 40 : 2)}`,
  })
const account = await long.window({ model: 'gpt-4o', budget: 1_500 })
assert.ok(account.ok)
const path = await long.path()
const lines = account.receipt.lines.filter(({ fate }) => fate === 'dropped')
assert.ok(lines.length > 0, 'something is left out')
for (const { from, to, tokens, estimated } of lines) {
  const stored = path.slice(from, to + 1).reduce((sum, { tokens }) => sum + tokens, 0)
  const said = tokens?.[0] ?? stored
  assert.ok(
    estimated === true || Math.abs(said - stored) <= stored * 0.25 + 8 * (to - from + 1),
    `${from}-${to}: ${said}`,
  )
}

// 6: messages without an id are kept, and one message can be added
const chats = messageStore({ store })
await chats.save('six', [{ role: 'user', parts: [{ type: 'text', text: 'One' }] }])
await chats.append('six', { role: 'assistant', parts: [{ type: 'text', text: 'Two' }, { type: 'step-start' }] })
const loaded = await chats.load('six')
assert.equal(loaded.length, 2)
assert.ok(loaded.every(({ id }) => id.length > 0))

// 7: a wrong password is no outage
const server = createServer((socket) => {
  const fields = ['SFATAL', 'C28P01', 'Mpassword authentication failed for user "ann"'].join('\0')
  const body = Buffer.from(`${fields}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  socket.once('data', () => socket.end(Buffer.concat([head, body])))
  socket.on('error', () => undefined)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
await assert.rejects(async () => postgresStore(`postgres://ann:wrong@127.0.0.1:${port}/chats`), refused('unauthorized'))
server.close()

// 8: a draft takes what `append` takes, and refuses the rest in words
const draft = await history.draft()
const unknown = { role: 'assistant', content: [{ type: 'hologram', data: 1 }] }
await assert.rejects(
  async () => draft.save(unknown),
  (error) => error instanceof HistoryError,
)
await assert.rejects(
  async () => draft.finish(unknown),
  (error) => error instanceof HistoryError,
)
await draft.finish('Done.')

// 9: an exact count is exact, or refused
await assert.rejects(counters.exact('claude-sonnet-4-5'))
assert.ok((await counters.best('claude-sonnet-4-5')).count('Hello') > 0)

// 10: recall quotes no "ok", and nothing that has nothing to do with the question
const talk = await openHistory({ store, conversation: 'ten', recaller: createRecaller() })
await talk.append({ role: 'user', content: 'My sister Ines lives in Porto.' })
for (let i = 0; i < 80; i++)
  await talk.append([
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: `Step ${i}: please sort column ${i} of the ledger. ${'by date '.repeat(20)}` },
  ])
const said = await talk.path()
for (const current of ['How tall is the Eiffel tower?', 'Go on.']) {
  const asked = await talk.window({ model: 'gpt-4o', budget: 1_200, current })
  assert.ok(asked.ok)
  const quoted = (asked.receipt.recall?.items ?? []).map(({ index }) => said[index ?? -1]?.text)
  assert.ok(!quoted.includes('ok'), current)
  if (current !== 'Go on.') assert.deepEqual(quoted, [])
}

// 11: a route of one's own
const hello = route({
  name: 'hello',
  method: 'get',
  path: '/hello/{name}',
  tag: 'mine',
  summary: 'Greets',
  scope: 'read',
  answers: { 200: z.object({ hello: z.string() }) },
  handle: ({ params }) => Response.json({ hello: params.name }),
})
const models = await openModels({ usual: 'builtin/extractive', providers: { ollama: false, lmstudio: false } })
const service = await openService({ store, models, routes: [...routes, hello] })
assert.deepEqual(await (await service.fetch(new Request('http://127.0.0.1/hello/ann'))).json(), { hello: 'ann' })
await service.close()

// 12: a policy that does not exist is refused where it is given
const name: string = 'blanced'
// @ts-expect-error a name that is only known when the program runs goes through `choiceOf`
await assert.rejects(openHistory({ store, policy: name }), (error) => error instanceof HistoryError)
console.log('twelve findings, none of them back')
process.exit(0)
