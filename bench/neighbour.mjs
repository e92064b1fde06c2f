// What one workspace feels while another has long work done over a conversation of 100,000 messages, by the same server.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { sqliteStore } from '../dist/store/sqlite/index.js'
import { askerOf, keyFor, main, metricOf, post, serve } from './lib/serving.mjs'
import { entryAt, takeShape, timeAt } from './lib/store-data.mjs'
import { table, time, whole } from './lib/table.mjs'

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
const loopOf = async (url, key) => 1_000 * (await metricOf(url, key, 'process_event_loop_delay_seconds'))

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
