/** What a server says when it is ready. People look at it rather than read it. */
import type { Loaded } from '../../config/load.js'
import { type StorePlace, shownPlace } from '../../config/place.js'
import type { Model } from '../../models/wire/contract.js'
import type { Paint } from '../kit/term.js'
import { packageVersion } from '../kit/version.js'
import type { Access } from './access.js'

interface Ready {
  readonly settled: Loaded
  readonly place: StorePlace
  readonly port: number
  readonly model: Pick<Model, 'id' | 'kind'> | null
  readonly access: Access
}

export function banner({ settled, place, port, model, access }: Ready, paint: Paint): string[] {
  const { config } = settled
  const url = urlOf(config.host, port)
  const moved = config.port !== port && config.port !== 0 ? paint.dim(`   (${config.port} is taken)`) : ''
  const row = (name: string, said: string): string => `  ${paint.bold(name.padEnd(8))}${said}`
  const kind = place.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return [
    `${paint.bold('Throughline')} ${packageVersion()}`,
    '',
    row('address', `${paint.cyan(url)}${moved}`),
    row('docs', `${url}/docs`),
    row('data', `${shownPlace(place)}  ${paint.dim(kind)}`),
    ...modelRows(model, config.model, row, paint),
    row('access', accessOf(access)),
    '',
    row('try', tries(url, 'My cat is called Miso.', access)),
    row('', tries(url, 'What is my cat called?', access)),
    '',
    paint.dim('  Ctrl-C stops it; what was said stays.'),
  ]
}

function modelRows(
  model: Ready['model'],
  asked: string | null,
  row: (name: string, said: string) => string,
  paint: Paint,
): string[] {
  const how = 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or start Ollama'
  if (!model) return [row('model', `${asked} ${paint.yellow('does not answer')}; throughline doctor says why`)]
  if (model.kind === 'builtin')
    return [
      row('model', `${model.id}  ${paint.yellow('no AI')}: it only quotes the conversation`),
      row('', paint.dim(how)),
    ]
  const where = model.kind === 'local' ? 'on this machine' : 'hosted: its provider may charge'
  return [row('model', `${model.id}  ${paint.dim(where)}`)]
}

const accessOf = ({ auth, keys }: Access): string =>
  auth.mode === 'open'
    ? 'open to this machine, because there are no keys: throughline keys create'
    : `with a key (${keys.length} of them: throughline keys list)`

/** Short enough to be read, whole enough to be pasted. */
const tries = (url: string, message: string, { auth }: Access): string =>
  `curl -s ${url}/chat ${auth.mode === 'keys' ? '-H "x-api-key: $KEY" ' : ''}-H content-type:application/json -d '{"session_id":"demo","message":"${message}"}'`

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
