// What one workspace feels while another has long work done over a conversation of 100,000 messages, by the same server.
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { sqliteStore } from '../dist/store/sqlite/index.js'
import { entryAt, takeShape, timeAt } from './lib/store-data.mjs'
import { table, time, whole } from './lib/table.mjs'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const barsMs = { append: 60, health: 20, loop: 50, delete: 50 }
/** Messages of a megabyte, to search in. */
const huge = 64

export async function neighbour({ quick, say }) {
  await takeShape('text')
  const folder = await mkdtemp(join(tmpdir(), 'throughline-bench-'))
  const file = join(folder, 'chat.db')
  const length = quick ? 10_000 : 100_000
  try {
    await fill(file, length, quick ? 5_000 : 100_000)
    const [ours, theirs] = [await keyFor(file, 'noisy'), await keyFor(file, 'quiet')]
    say(`  neighbour: ${whole(length)} messages loaded`)
    const server = await serve(file)
    const ask = askerOf(server.url, ours)
    const archive = join(folder, 'archive.jsonl')
    const conversation = '/api/v1/conversations/long'
    const works = {
      'nothing else': () => pause(3_000),
      verify: () => ask(`${conversation}/verify`),
      'export, into a file': () => ask(`${conversation}/export?format=json`, {}, archive),
      'reindex, by another process': () => promisify(execFile)(process.execPath, [main, 'reindex', '--db', file]),
      'search, huge messages': () => ask('/api/v1/search?q=harbour+zebra'),
      'search by meaning, for the first time': () => ask('/api/v1/search?q=harbour&mode=hybrid'),
      'window with recall, for the first time': () =>
        ask('/api/v1/context/assemble', post({ conversation_id: 'long', current: 'What about the harbour?' })),
      compact: () => ask(`${conversation}/compact`, post({})),
      'import of what was exported': () =>
        ask('/api/v1/import', {
          method: 'POST',
          body: createReadStream(archive),
          duplex: 'half',
          headers: { 'content-type': 'application/octet-stream' },
        }),
      'delete 200 messages': () => ask('/api/v1/conversations/short', { method: 'DELETE' }),
      'delete all of it': async () => {
        await ask(conversation, { method: 'DELETE' })
        // the words leave in the background
        await pause(3_000)
      },
    }
    const rows = []
    try {
      // what a server reads soon after its start
      await pause(3_000)
      for (const [name, work] of Object.entries(works)) {
        const told = await beside(server, theirs, work)
        rows.push({ name, ...told })
        say(`  neighbour: ${name}, ${time(told.took)}${told.failed ? `: ${told.failed}` : ''}`)
      }
    } finally {
      await server.end()
    }
    return { length, rows, bars: barsOf(rows) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The other workspace appends and asks for the health of the server from a thread of its own, while the work is done. */
async function beside({ url }, key, work) {
  const worker = new Worker(new URL('./lib/neighbour-asks.mjs', import.meta.url), { workerData: { url, key } })
  const told = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await pause(1_000)
  await loopOf(url, key)
  worker.postMessage('count')
  const began = performance.now()
  const failed = await work().then(
    () => null,
    (error) => String(error.message).split('\n')[0],
  )
  const took = performance.now() - began
  // long enough for a hundredth to be more than one
  await pause(Math.max(500, 2_000 - took))
  worker.postMessage('end')
  return { took, failed, loop: await loopOf(url, key), ...(await told) }
}

/** The longest that the loop was late since the last time someone asked, in milliseconds. */
async function loopOf(url, key) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const text = await answer.text()
  return 1_000 * Number(/^process_event_loop_delay_seconds (\S+)/m.exec(text)?.[1])
}

async function fill(file, length, others) {
  const store = await sqliteStore(file)
  const load = async (workspace, id, count, entry) => {
    await store.create(workspace, { id, title: id, at: timeAt(0).toISOString() })
    for (let from = 0; from < count; from += 500) {
      const batch = Array.from({ length: Math.min(500, count - from) }, (_, at) => entry(from + at))
      await store.append(workspace, id, batch, { branch: 'main', at: timeAt(from).toISOString() })
    }
  }
  await load('noisy', 'long', length, (at) => entryAt(length, at))
  await load('noisy', 'short', 200, (at) => entryAt(200, at))
  for (let at = 0; at < huge; at++) await load('noisy', `huge-${at}`, 1, () => hugeAt(at))
  for (let at = 0; at < others / 1_000; at++) await load('quiet', `other-${at}`, 1_000, (i) => entryAt(1_000, i))
  await load('quiet', 'mine', 2, (at) => entryAt(2, at))
  await store.close()
}

function hugeAt(at) {
  const text = `The harbour of ${at} is here. `.repeat(40_000)
  const body = { kind: 'message', role: 'user', parts: [{ type: 'text', text }], status: 'complete' }
  return { id: randomUUID(), body, text, tokens: text.length / 4, at: timeAt(at).toISOString() }
}

async function keyFor(file, workspace) {
  const args = ['keys', 'create', '--workspace', workspace, '--scopes', 'admin', '--db', file, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args])
  return JSON.parse(stdout).key
}

async function serve(file) {
  const env = {
    ...process.env,
    THROUGHLINE_LOG_LEVEL: 'error',
    THROUGHLINE_METRICS: 'true',
    THROUGHLINE_RATE_PER_MINUTE: '0',
  }
  const child = spawn(process.execPath, ['--no-warnings', main, 'serve', '--port', '0', '--db', file], { env })
  const url = await new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)
      if (found) resolve(found[0])
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  child.stdout.resume()
  const end = () => new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM'))
  return { url, end }
}

const post = (body) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

const askerOf =
  (url, key) =>
  async (path, { headers, ...request } = {}, into = null) => {
    const answer = await fetch(url + path, { ...request, headers: { ...headers, authorization: `Bearer ${key}` } })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    if (into) await pipeline(Readable.fromWeb(answer.body), createWriteStream(into))
    else await answer.arrayBuffer()
  }

function barsOf(rows) {
  const worst = (figure) => rows.reduce((most, row) => (row[figure] > most[figure] ? row : most))
  const told = (bar, figure, most) => {
    const row = worst(figure)
    return { bar, ok: row[figure] <= most, figure: `${time(row[figure])} while ${row.name}` }
  }
  const gone = rows.find(({ name }) => name === 'delete 200 messages')
  const failed = rows.filter((row) => row.failed)
  return [
    told(`neighbour: an append takes at most ${barsMs.append} ms at p99`, 'append', barsMs.append),
    told(`neighbour: /health takes at most ${barsMs.health} ms at p99`, 'health', barsMs.health),
    told(`neighbour: nothing holds the loop longer than ${barsMs.loop} ms`, 'loop', barsMs.loop),
    {
      bar: `neighbour: 200 messages are deleted within ${barsMs.delete} ms`,
      ok: gone.took <= barsMs.delete,
      figure: time(gone.took),
    },
    {
      bar: 'neighbour: all of the work was done',
      ok: failed.length === 0,
      figure: failed.map(({ name, failed: why }) => `${name}: ${why}`).join('; ') || 'yes',
    },
  ]
}

export const neighbourTables = ({ length, rows }) => [
  table(
    `What another workspace feels while one has this done over ${whole(length)} messages`,
    ['', 'takes', 'append p50', 'p99', '/health p99', 'loop held'],
    rows.map(({ name, took, middle, append, health, loop }) => [
      name,
      time(took),
      time(middle),
      time(append),
      time(health),
      time(loop),
    ]),
  ),
]
