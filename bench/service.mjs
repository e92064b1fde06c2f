// What a turn of `POST /chat` costs beside the two inserts it cannot do without, a window beside an echo, and 200 readers.
import { fork, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { idOf, length, ofLibrary, question } from './lib/service-data.mjs'
import { listen, load, once } from './lib/service-load.mjs'
import { startPostgres } from './lib/store-postgres.mjs'
import { percent, table, time, whole } from './lib/table.mjs'

const pg = ofLibrary('pg')

const widths = [1, 16, 64]
/** So many requests come first, on both sides: a server that has been up for a minute has compiled what it runs. */
const warm = 2_000
const readers = 200
/** What a held stream may cost at most, with the buffers of its socket. */
const mostPerReader = 256 * 1024
/** And what may be added by as many events as half of the runs tell it. */
const mostMore = 8 * 1024

export async function service({ quick, say }) {
  const conversations = quick ? 128 : 256
  const [rounds, box] = quick ? [3, 1_000] : [6, 2_500]
  const folder = await mkdtemp(join(tmpdir(), 'throughline-bench-'))
  const children = []
  const start = async (name, file, ...args) => {
    const child = await host(name, [file.includes('://') ? file : join(folder, file), String(conversations), ...args])
    children.push(child)
    return child
  }
  try {
    const ours = await start('service-ours', 'ours.db')
    const { body } = await once(ours.port, windowOf(0))
    const bare = await start('service-bare', 'bare.db', String(body.length))
    say(`  service: ${whole(conversations)} conversations of ${length} messages loaded`)
    spawnSync('sync')
    await setTimeout(1_000)
    const bench = { ours, bare, conversations, rounds, box }
    const chat = await inTurns(bench, { ours: chatOf, bare: chatOf })
    say('  service: windows')
    const echo = body.toString()
    const reads = await inTurns(bench, {
      ours: windowOf,
      bare: () => ({ path: '/echo', body: echo }),
      same: (index) => ({ ...windowOf(index), path: '/same' }),
    })
    say('  service: PostgreSQL')
    const postgres = await onPostgres(bench, start)
    say(`  service: ${readers} streams`)
    // a server of its own, so that what the load left behind is not given back meanwhile
    const streams = await held(await start('service-ours', 'held.db'), quick ? 40 : 200)
    const results = { conversations, length, widths, bytes: body.length, chat, postgres, reads, streams }
    return { ...results, bars: bars(results) }
  } finally {
    for (const child of children) child.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same chats on one server, each side in a database of its own, as a role that is no superuser. */
async function onPostgres(bench, start) {
  const server = await startPostgres()
  try {
    const admin = new pg.Client(server.url)
    await admin.connect()
    await admin.query("create role bench login password 'bench'")
    for (const name of ['ours', 'bare']) await admin.query(`create database ${name} owner bench`)
    await admin.end()
    const url = (name) => server.url.replace('postgres:postgres@', 'bench:bench@').replace(/\/postgres$/, `/${name}`)
    const ours = await start('service-ours', url('ours'))
    const bare = await start('service-bare', url('bare'), '2')
    const rows = await inTurns({ ...bench, ours, bare }, { ours: chatOf, bare: chatOf })
    for (const side of [ours, bare]) await side.end()
    return rows
  } finally {
    await server.stop()
  }
}

const chatOf = (index) => ({ path: '/chat', body: JSON.stringify({ session_id: idOf(index), message: question }) })
const windowOf = (index) => ({
  path: '/api/v1/context/assemble',
  body: JSON.stringify({ conversation_id: idOf(index), policy: 'session-window', current: question }),
})

/** A server is a process of its own. */
async function host(name, args) {
  const child = fork(fileURLToPath(new URL(`./lib/${name}.mjs`, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  const ended = new Promise((_, reject) =>
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`))),
  )
  ended.catch(() => {})
  const heard = () => Promise.race([ended, new Promise((resolve) => child.once('message', resolve))])
  const { port } = await heard()
  return {
    port,
    async memory() {
      const answer = heard()
      child.send('memory')
      return answer
    },
    end() {
      if (child.connected) child.send('end')
      return ended.catch(() => {})
    },
  }
}

/** Both sides take turns at each number of connections, so that a busy machine is busy for all. */
async function inTurns({ ours, bare, conversations, rounds, box }, asks) {
  const rows = Object.fromEntries(Object.keys(asks).map((key) => [key, []]))
  for (const [key, ask] of Object.entries(asks))
    for (let count = 0; count < warm; ) {
      const next = (connection) => ask((count + connection) % conversations)
      count += (await load(key === 'ours' ? ours.port : bare.port, { connections: 16, ms: 250, next })).count
    }
  for (const connections of widths) {
    const sums = Object.fromEntries(Object.keys(asks).map((key) => [key, { rates: [], times: [], faults: [] }]))
    // no conversation is ever in the hands of two connections
    const turns = Array.from({ length: connections }, (_, i) => i)
    const next = (ask) => (connection) => {
      const index = turns[connection]
      turns[connection] = (index + connections) % (conversations - (conversations % connections))
      return ask(index)
    }
    for (let round = -1; round < rounds; round++)
      for (const [key, ask] of inOrder(Object.entries(asks), round)) {
        const port = key === 'ours' ? ours.port : bare.port
        const done = await load(port, { connections, ms: round < 0 ? box / 2 : box, next: next(ask) })
        if (round < 0) continue
        sums[key].rates.push(done.count / done.seconds)
        sums[key].times.push(...done.times)
        sums[key].faults.push(...done.faults)
      }
    for (const [key, { rates, times, faults }] of Object.entries(sums)) {
      if (faults.length > 0) throw new Error(`${key}: ${faults.length} requests failed: ${faults[0]}`)
      rows[key].push({
        rate: median(rates),
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        count: times.length,
      })
    }
  }
  return rows
}

/** Whoever goes first must not always be the same. */
const inOrder = (list, round) => (round % 2 === 0 ? list : list.toReversed())

const quantile = (values, share) => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
const median = (values) => quantile(values, 0.5)

/** All follow one conversation while it goes on. */
async function held(ours, runs) {
  const conversation = idOf(0)
  for (let run = 0; run < 100; run++) await once(ours.port, chatOf(run % 10))
  const before = await ours.memory()
  const all = await Promise.all(
    Array.from({ length: readers }, () => listen(ours.port, `/api/v1/conversations/${conversation}/events`)),
  )
  await until(() => all.every(({ seen }) => seen.last !== null))
  const from = all[0].seen.last
  const open = await ours.memory()
  const marks = []
  const began = performance.now()
  for (let run = 0; run < runs; run++) {
    const { status } = await once(ours.port, chatOf(0))
    if (status !== 200) throw new Error(`a run among ${readers} readers failed with ${status}`)
    if (run === runs / 2 - 1 || run === runs - 1) marks.push(await ours.memory())
  }
  const seconds = (performance.now() - began) / 1_000
  const newest = () => Math.max(...all.map(({ seen }) => seen.last))
  await until(() => all.every(({ seen }) => seen.last === newest()), 5_000)
  const events = newest() - from
  const whole = all.filter(({ seen }) => seen.events === events && seen.gaps === 0).length
  for (const reader of all) reader.close()
  await setTimeout(500)
  const [half, end] = marks
  return { readers, runs, events, whole, seconds, memory: { before, open, half, end, after: await ours.memory() } }
}

async function until(isSo, ms = 30_000) {
  const end = performance.now() + ms
  while (!isSo() && performance.now() < end) await setTimeout(20)
}

// what comes of it

function bars({ chat, postgres, reads, streams }) {
  const shares = (rows) => rows.ours.map(({ rate }, i) => rate / rows.bare[i].rate)
  const shown = (list) => list.map((share, i) => `${percent(share)} at ${widths[i]}`).join(', ')
  const [turns, served, windows] = [chat, postgres, reads].map(shares)
  const { memory, whole: all, runs } = streams
  // what is in use tells what a reader costs; the process gives back to the system when it likes
  const cost = memory.open.used - memory.before.used
  const growth = memory.end.used - memory.half.used
  return [
    {
      bar: `Service: POST /chat at least 45 % of two inserts by hand, at ${widths.join(', ')} connections`,
      ok: turns.every((share) => share >= 0.45),
      figure: shown(turns),
    },
    {
      bar: 'Service: the p99 of POST /chat at most 5 times that of two inserts by hand',
      ok: chat.ours.every(({ p99 }, i) => p99 <= 5 * chat.bare[i].p99),
      figure: chat.ours.map(({ p99 }, i) => `${(p99 / chat.bare[i].p99).toFixed(1)}x at ${widths[i]}`).join(', '),
    },
    {
      bar: 'Service: POST /chat on PostgreSQL at least 40 % of two inserts by hand',
      ok: served.every((share) => share >= 0.4),
      figure: shown(served),
    },
    {
      bar: 'Service: context/assemble at least 60 % of a bare echo',
      ok: windows.every((share) => share >= 0.6),
      figure: shown(windows),
    },
    {
      bar: `Service: ${readers} streams get every event`,
      ok: all === readers,
      figure: `${all} of ${readers}, ${whole(streams.events)} events each`,
    },
    {
      bar: `Service: ${readers} streams held with at most ${mostPerReader / 1024} KiB each, and no more as runs go on`,
      ok: cost <= readers * mostPerReader && growth <= readers * mostMore,
      figure: `${kib(cost / readers)} each, ${kib(growth)} more in the last ${runs / 2} runs`,
    },
  ]
}

const kib = (bytes) => `${whole(Math.round(bytes / 1024))} KiB`
const mib = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`

export function serviceTables({ conversations, bytes, chat, postgres, reads, streams }) {
  const heads = ['', ...widths.flatMap((width) => [`${width} conn.`, 'p50', 'p99', '/ bare'])]
  const line = (name, row, against) => [
    name,
    ...row.flatMap(({ rate, p50, p99 }, i) => [
      `${whole(Math.round(rate))}/s`,
      time(p50),
      time(p99),
      percent(rate / against[i].rate),
    ]),
  ]
  const { memory } = streams
  return [
    table(
      `POST /chat, ${whole(conversations)} conversations of ${length} messages and more; requests a second, and share of the bare server`,
      heads,
      [
        line('Hono, two durable inserts by hand', chat.bare, chat.bare),
        line('Throughline: 50 messages read, window, run, receipt, events', chat.ours, chat.bare),
      ],
    ),
    table('The same on PostgreSQL', heads, [
      line('Hono, two durable inserts by hand', postgres.bare, postgres.bare),
      line('Throughline', postgres.ours, postgres.bare),
    ]),
    table(`POST /api/v1/context/assemble of such a conversation, ${whole(bytes)} bytes`, heads, [
      line('Hono, as many bytes parsed and written back', reads.bare, reads.bare),
      line('  a constant of as many bytes', reads.same, reads.bare),
      line('Throughline', reads.ours, reads.bare),
    ]),
    table(
      `${readers} event streams of one conversation, ${streams.runs} runs, ${whole(streams.events)} events; memory of the server, RSS and in use`,
      ['', 'before', 'open', 'half of the runs', 'all runs', 'closed', 'runs'],
      [
        [
          `${streams.whole} streams got every event`,
          ...[memory.before, memory.open, memory.half, memory.end, memory.after].map(
            ({ rss, used }) => `${mib(rss)}, ${mib(used)}`,
          ),
          `${(streams.runs / streams.seconds).toFixed(0)}/s`,
        ],
      ],
    ),
  ]
}
