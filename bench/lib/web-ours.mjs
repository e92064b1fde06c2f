// The service with conversations of several lengths, and a model that says a word whenever it is time.
import { setTimeout } from 'node:timers/promises'
import { findModel } from '../../dist/core/tokens/models.js'
import { openHistory } from '../../dist/engine/index.js'
import { openService } from '../../dist/http/index.js'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { ofLibrary, report } from './service-data.mjs'
import { answerPieces, callAt, calls, lengths, listed, messageAt, paceMs } from './web-data.mjs'

const { getRequestListener } = await import(ofLibrary.resolve('@hono/node-server'))
const { createServer } = await import('node:http')

const [file] = process.argv.slice(2)

const model = {
  id: 'bench/pace',
  label: 'at a pace',
  kind: 'local',
  facts: findModel('gpt-4o'),
  target: 'openai-chat',
  async *stream({ items, signal }) {
    const isTitle = items.at(-1)?.text.startsWith('Give this conversation a title')
    for (const text of isTitle ? ['A title'] : answerPieces) {
      if (!isTitle) await setTimeout(paceMs, undefined, { signal })
      yield { type: 'text', text }
    }
    yield { type: 'finish', reason: 'stop', usage: { input: 1_000, output: 400 } }
  },
}
const models = { usual: model.id, list: async () => [], find: async () => model }

const store = await sqliteStore(file)
for (const length of lengths) {
  const history = await openHistory({ store, conversation: `c-${length}`, title: `${length} messages` })
  for (let from = 0; from < length; from += 500)
    await history.append(Array.from({ length: Math.min(500, length - from) }, (_, at) => messageAt(from + at)))
}

const agent = await openHistory({ store, conversation: 'c-agent', title: `${calls} calls` })
await agent.append({ role: 'user', content: 'Read everything, and tell me what is wrong.' })
for (let from = 0; from < calls; from += 250)
  await agent.append(Array.from({ length: Math.min(250, calls - from) }, (_, at) => callAt(from + at)).flat())
await agent.append({ role: 'assistant', content: 'It is all there.' })
const day = 86_400_000
for (let at = 0; at < listed; at++) {
  const written = new Date(Date.now() - Math.floor(at / 20) * day).toISOString()
  await store.create('default', { id: `l-${at}`, title: `Conversation ${at}`, at: written })
}

const service = await openService({ store, models })
const server = createServer(getRequestListener((request) => service.fetch(request, {})))
server.listen(0, '127.0.0.1', () => report(server.address().port))
