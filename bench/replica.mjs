// What one replica takes in memory: conversations that are all active, streams that are open, and an upload beside them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sqliteStore } from '../dist/store/sqlite/index.js'
import { askerOf, keyFor, metricOf, post, serve } from './lib/serving.mjs'
import { entryAt, takeShape, timeAt } from './lib/store-data.mjs'
import { table, time, whole } from './lib/table.mjs'

const most = 400
const streams = 200
const messages = 1_000
/** Conversations that are asked at the same time. */
const together = 8
/** Bytes that arrive at once, as an import does. */
const upload = { pieces: 200, bytes: 1_000_000 }

export async function replica({ quick, say }) {
  await takeShape('text')
  const folder = await mkdtemp(join(tmpdir(), 'throughline-bench-'))
  const file = join(folder, 'chat.db')
  const conversations = quick ? 100 : 1_000
  const ids = Array.from({ length: conversations }, (_, at) => `talk-${at}`)
  try {
    await fill(file, ids)
    say(`  replica: ${whole(conversations)} conversations of ${whole(messages)} messages loaded`)
    const key = await keyFor(file, 'busy')
    const server = await serve(file)
    const ask = askerOf(server.url, key)
    const rows = []
    let highest = 0
    const look = async () => {
      const mb = (await metricOf(server.url, key, 'process_resident_memory_bytes')) / 1e6
      highest = Math.max(highest, mb)
      return mb
    }
    const watch = setInterval(() => look().catch(() => {}), 500)
    const step = async (name, work) => {
      const began = performance.now()
      highest = 0
      await work()
      const took = performance.now() - began
      rows.push({ name, took, mb: await look(), highest })
      say(`  replica: ${name}, ${time(took)}, at most ${whole(Math.round(highest))} MB`)
    }
    const leaving = new AbortController()
    const each = async (work) => {
      const left = [...ids]
      const one = async () => {
        for (let id = left.pop(); id; id = left.pop()) await work(`/api/v1/conversations/${id}`, id)
      }
      await Promise.all(Array.from({ length: together }, one))
    }
    try {
      await step('a server that was just started', () => pause(3_000))
      await step(`${streams} streams`, () => open(server.url, key, ids, leaving.signal))
      await step('each conversation is read', () => each((path) => ask(`${path}/messages?limit=50`)))
      await step('a window of each, with recall', () =>
        each((_, id) =>
          ask('/api/v1/context/assemble', post({ conversation_id: id, current: 'What about the queue?' })),
        ),
      )
      await step('each is added to, and a window made again', () =>
        each(async (path, id) => {
          await ask(`${path}/messages`, post({ message: { role: 'user', content: 'And what became of the schema?' } }))
          await ask('/api/v1/context/assemble', post({ conversation_id: id, current: 'What about the schema?' }))
        }),
      )
      const before = await look()
      await step(`${whole((upload.pieces * upload.bytes) / 1e6)} MB are uploaded`, () => send(server.url, key))
      return { conversations, rows, bars: barsOf(rows, before) }
    } finally {
      clearInterval(watch)
      leaving.abort()
      await server.end()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(file, ids) {
  const store = await sqliteStore(file)
  for (const id of ids) {
    await store.create('busy', { id, title: id, at: timeAt(0).toISOString() })
    for (let from = 0; from < messages; from += 500) {
      const batch = Array.from({ length: 500 }, (_, at) => entryAt(messages, from + at))
      await store.append('busy', id, batch, { branch: 'main', at: timeAt(from).toISOString() })
    }
  }
  await store.close()
}

/** Each is read as it comes. */
async function open(url, key, ids, signal) {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  for (let at = 0; at < streams; at++) {
    const answer = await fetch(`${url}/api/v1/conversations/${ids[at % ids.length]}/events`, { headers, signal })
    if (!answer.ok) throw new Error(`no stream: ${answer.status} ${await answer.text()}`)
    answer.body.pipeTo(new WritableStream()).catch(() => {})
  }
}

/** A file of no known format: what matters is that it does not stand in memory while it comes. */
async function send(url, key) {
  const pieces = async function* () {
    for (let at = 0; at < upload.pieces; at++) yield Buffer.alloc(upload.bytes, `${at} nothing that anyone knows `)
  }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' }
  const request = { method: 'POST', headers, body: pieces(), duplex: 'half' }
  await (await fetch(`${url}/api/v1/import`, request)).arrayBuffer()
}

function barsOf(rows, before) {
  const worst = rows.slice(0, -1).reduce((high, row) => (row.highest > high.highest ? row : high))
  const uploaded = rows.at(-1).highest - before
  return [
    {
      bar: `replica: never more than ${most} MB, the upload apart`,
      ok: worst.highest <= most,
      figure: `${whole(Math.round(worst.highest))} MB while ${worst.name}`,
    },
    {
      bar: 'replica: an upload of 200 MB takes less than half of its bytes in memory',
      ok: uploaded < (upload.pieces * upload.bytes) / 2e6,
      figure: `${whole(Math.round(uploaded))} MB`,
    },
  ]
}

export const replicaTables = ({ conversations, rows }) => [
  table(
    `Memory of one replica with ${whole(conversations)} active conversations of ${whole(messages)} messages`,
    ['', 'takes', 'MB at the end', 'MB at most'],
    rows.map(({ name, took, mb, highest }) => [name, time(took), whole(Math.round(mb)), whole(Math.round(highest))]),
  ),
]
