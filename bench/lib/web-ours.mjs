// The service with conversations of several lengths, and a model that says a word whenever it is time.
import { setTimeout } from 'node:timers/promises'
import { findModel } from '../../dist/core/tokens/models.js'
import { openHistory } from '../../dist/engine/index.js'
import { openService } from '../../dist/http/index.js'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { ofLibrary, report } from './service-data.mjs'
import { answerPieces, lengths, messageAt, paceMs } from './web-data.mjs'

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

const service = await openService({ store, models })
const server = createServer(getRequestListener((request) => service.fetch(request, {})))
server.listen(0, '127.0.0.1', () => report(server.address().port))
