// The service as `throughline serve` hosts it, log and metrics included, with a model that answers at once.

import { settingsOf } from '../../dist/cli/kit/settings.js'
import { buildService } from '../../dist/cli/serve/build.js'
import { hostOf } from '../../dist/cli/serve/host.js'
import { streaming, telemetryOf, traced } from '../../dist/cli/serve/observe.js'
import { sinkTo } from '../../dist/cli/serve/sink.js'
import { openHistory } from '../../dist/engine/index.js'
import { watchModels } from '../../dist/http/telemetry/watch-models.js'
import { watchStore } from '../../dist/http/telemetry/watch-store.js'
import { postgresStore } from '../../dist/store/postgres/index.js'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { answer, idOf, length, messageAt, report } from './service-data.mjs'

const [file, count] = process.argv.slice(2)

const model = {
  id: 'bench/echo',
  label: 'at once',
  kind: 'local',
  facts: { provider: 'bench', family: 'bench', window: 128_000, output: 4_096, scale: 1, known: true },
  target: 'openai-chat',
  async *stream() {
    yield { type: 'text', text: answer }
    yield { type: 'finish', reason: 'stop', usage: { input: 1_000, output: 80 } }
  },
}
const models = { usual: model.id, list: async () => [], find: async () => model }

const opened = await (file.startsWith('postgres://') ? postgresStore(file) : sqliteStore(file))
for (let i = 0; i < Number(count); i++) {
  const history = await openHistory({ store: opened, conversation: idOf(i), title: 'A conversation' })
  await history.append(Array.from({ length }, (_, at) => messageAt(at)))
}

// what a server that expects as many says in its settings
process.env.THROUGHLINE_RUNS_PER_WORKSPACE = '128'
process.env.THROUGHLINE_STREAMS_PER_WORKSPACE = '256'
const settled = settingsOf({ db: file })
const telemetry = await telemetryOf(settled.config, sinkTo(process.stdout))
const store = watchStore(opened, telemetry)
const access = { auth: { mode: 'open' }, keys: [] }
const { service } = await buildService({ settled, store, models: watchModels(models, telemetry), access, telemetry })
const server = hostOf(traced(service, telemetry), { leaving: () => false, streaming: streaming(telemetry) })
server.listen(0, '127.0.0.1', () => report(server.address().port))
