// npm run sizing [-- --url postgres://… [--distribute]] [--turns 500]: what a turn costs in a store, as a table. A turn is a
// question, a window of 6,000 tokens for it, and an answer. Without an address: SQLite in a file, and a PostgreSQL of our own.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { whyNoStrace } from '../fault/lib/strace.mjs'
import { postgres } from '../fault/lib/typescript.mjs'
import { prepare } from './lib/prepare.mjs'
import { fail, root } from './lib/run.mjs'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    distribute: { type: 'boolean' },
    turns: { type: 'string', default: '500' },
    sqlite: { type: 'string' },
  },
})
const turns = Number(values.turns)
const widths = [1, 16]
const question =
  'Which of the two harbours takes larger ships, and what does a night there cost in the winter? '.repeat(3)
const answer =
  'The northern one: it is dredged to nine metres, and from November to March a night is half the price. '.repeat(8)

try {
  if (values.sqlite) await sqliteTurns(values.sqlite)
  else {
    await prepare()
    await table()
  }
} catch (error) {
  fail(error)
}

async function table() {
  process.stdout.write(
    `${turns} turns in a row of ${widths.join(' and ')} conversations; ${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.versions.node}\n\n`,
  )
  process.stdout.write(
    '| store | messages/s (1) | messages/s (16) | turns a second of one core | bytes a message | syncs a message (1) | syncs a message (16) |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n',
  )
  if (!values.url) await row('SQLite, one file', sqlite)
  if (values.url) process.env.TEST_DATABASE_URL = values.url
  if (values.distribute) process.env.TEST_DISTRIBUTE = '1'
  const server = await postgres()
  if (server.reason) throw new Error(`no PostgreSQL: ${server.reason}`)
  try {
    await row(values.distribute ? 'Citus' : 'PostgreSQL', () => onServer(server.url))
  } finally {
    await server.stop()
  }
}

async function row(name, measure) {
  const { figures, bytes, syncs } = await measure()
  const per = (count) => (count === null ? 'not known' : (count / (2 * turns)).toFixed(2))
  const [one, many] = figures
  const cells = [
    perSecond(one),
    perSecond(many),
    Math.round(turns / many.cpu),
    Math.round(bytes / (2 * turns * widths.length)),
  ]
  process.stdout.write(`| ${[name, ...cells, ...syncs.map(per)].join(' | ')} |\n`)
}

function perSecond({ seconds }) {
  return Math.round((2 * turns) / seconds)
}

async function sqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-sizing-'))
  try {
    const file = join(folder, 'log.db')
    const figures = await sqliteTurns(file)
    return { figures, bytes: statSync(file).size, syncs: widths.map((width) => tracedSyncs(folder, width)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sqliteTurns(file) {
  const { sqliteStore } = await dist('store/sqlite/index.js')
  const store = await sqliteStore(file)
  const figures = []
  for (const width of values.sqlite ? [Number(process.env.SIZING_WIDTH)] : widths)
    figures.push(await talk(store, width))
  await store.close()
  return figures
}

/** The same again under strace, which is too slow to be timed. */
function tracedSyncs(folder, width) {
  if (whyNoStrace()) return null
  const [log, file] = [join(folder, `trace-${width}`), join(folder, `traced-${width}.db`)]
  const env = { ...process.env, SIZING_WIDTH: String(width) }
  const args = [process.argv[1], '--sqlite', file, '--turns', String(turns)]
  spawnSync('strace', ['-f', '-qq', '-o', log, '-e', 'trace=fsync,fdatasync', process.execPath, ...args], { env })
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /f(data)?sync\(/.test(line)).length
}

async function onServer(url) {
  const { postgresStore } = await dist('store/postgres/index.js')
  const schema = 'throughline_sizing'
  const store = await postgresStore(url, { schema, migrate: values.distribute ? 'distribute' : true })
  const client = new pg.Client(url)
  await client.connect()
  const ask = async (sql) => Number(Object.values((await client.query(sql)).rows[0])[0])
  const syncsNow = () =>
    values.distribute
      ? null
      : ask("select sum(fsyncs) from pg_stat_io where object = 'wal'").catch(() =>
          ask('select wal_sync from pg_stat_wal'),
        )
  const [figures, syncs] = [[], []]
  for (const width of widths) {
    const before = await syncsNow()
    figures.push(await talk(store, width))
    // the server tells its figures about once a second
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    syncs.push(before === null ? null : (await syncsNow()) - before)
  }
  await store.close()
  const size = values.distribute ? 'citus_total_relation_size' : 'pg_total_relation_size'
  const tables = `(values ('conversation'), ('entry'), ('branch')) as one (name)`
  const bytes = await ask(`select sum(${size}(('${schema}.' || name)::regclass)) from ${tables}`)
  await client.end()
  return { figures, bytes, syncs }
}

/** So many turns, in `width` conversations at once. */
async function talk(store, width) {
  const { openHistory } = await dist('engine/index.js')
  const histories = await Promise.all(Array.from({ length: width }, () => openHistory({ store, workspace: 'w' })))
  const [began, before] = [performance.now(), process.cpuUsage()]
  let left = turns
  const lane = async (history) => {
    while (left-- > 0) {
      await history.append({ role: 'user', content: question })
      const made = await history.window({ model: 'gpt-4o', budget: 6_000 })
      if (!made.ok) throw new Error(made.error.message)
      await history.append({ role: 'assistant', content: answer })
    }
  }
  await Promise.all(histories.map(lane))
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - began) / 1_000, cpu: (user + system) / 1e6 }
}

function dist(path) {
  return import(join(root, 'dist', path))
}
