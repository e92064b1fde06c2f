// Search over a store that is full: how fast it takes messages in, and how fast it finds them, by words and by meaning.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFinder } from '../dist/recall/index.js'
import { sqliteStore } from '../dist/store/sqlite/index.js'
import { table, time, whole } from './lib/table.mjs'

const workspace = 'default'
const at = '2026-01-01T00:00:00.000Z'
const perConversation = 1_000
const most = { p50: 20, rate: 3_000 }
/** By meaning. */
const meant = { messages: 100_000, p50: 100, rate: 300 }

export async function search({ quick, say }) {
  const total = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const file = join(folder, 'search.db')
  const store = await sqliteStore(file)
  try {
    const written = await timed(() => fill(store, total))
    say(`  search: ${whole(total)} messages written, ${time(written)}`)
    const indexed = await timed(() => store.search(workspace, { text: 'zzabsent', limit: 1 }))
    say(`  search: taken in, ${time(indexed)}`)
    const rows = []
    for (const [name, query] of Object.entries(queries()))
      rows.push({ name, ...(await measure((asked) => store.search(workspace, asked), query, quick ? 50 : 100)) })
    const result = { total, rate: total / (indexed / 1_000), bytes: statSync(file).size, rows }
    const meaning = await byMeaning({ quick, say })
    return { ...result, meaning, bars: [...bars(result), ...meaningBars(meaning)] }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Words as people use them: the hundredth is a hundred times as rare as the first. */
const vocabulary = 40_000
const wordAt = (rank) => `w${rank.toString(36)}x`

function* said(seed, count) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let i = 0; i < count; i++) {
    const words = Array.from({ length: 20 + Math.floor(next() * 40) }, () =>
      wordAt(Math.floor(vocabulary ** next()) - 1),
    )
    yield words.join(' ')
  }
}

/** In a file of its own, with words that the table knows. */
async function byMeaning({ quick, say }) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const file = join(folder, 'meaning.db')
  const store = await sqliteStore(file)
  try {
    await fill(store, meant.messages, plain)
    const words = await timed(() => store.search(workspace, { text: 'zzabsent', limit: 1 }))
    const finder = createFinder()
    const vectors = await timed(() => finder.embed(store, workspace))
    say(`  search: ${whole(meant.messages)} messages understood, ${time(vectors)}`)
    const find = (query) => finder.find(store, workspace, { limit: 20, ...query })
    const first = await timed(() => find({ text: 'money for the journey', mode: 'semantic' }))
    const rows = []
    for (const [name, query] of Object.entries(meanings()))
      rows.push({ name, ...(await measure(find, query, quick ? 30 : 100)) })
    return { rows, first, rate: meant.messages / ((words + vectors) / 1_000), bytes: statSync(file).size }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const meanings = () => ({
  'by meaning': { text: 'money for the journey', mode: 'semantic' },
  'by both': { text: 'winter garden', mode: 'hybrid' },
  'by both, a word in every second message': { text: 'house', mode: 'hybrid' },
  'by meaning, in one conversation': { text: 'money for the journey', mode: 'semantic', conversation: 'c50000' },
  'by meaning, by role': { text: 'money for the journey', mode: 'semantic', role: 'user' },
})

const known = `house garden winter summer money journey train ticket doctor music violin table window river mountain
  bread coffee kitchen market price letter office meeting teacher school computer network database server error test
  release customer contract lawyer court city bridge road car engine wheel horse dog cat bird forest tree leaf flower
  rain snow wind storm sea ship island beach sun moon star night morning evening friend family mother father child
  brother sister wedding birthday present book story page writer paper pencil colour red blue green yellow black white
  small large long short old new early late quick slow strong weak warm cold open closed full empty rich poor`
  .split(/\s+/)
  .filter((word) => word !== '')

function* plain(seed, count) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let i = 0; i < count; i++)
    yield Array.from({ length: 20 + Math.floor(next() * 40) }, () => known[Math.floor(next() * known.length)]).join(' ')
}

async function fill(store, total, texts = said) {
  for (let made = 0; made < total; made += perConversation) {
    const id = `c${made}`
    await store.create(workspace, { id, at, title: `Talk ${made}` })
    const batch = [...texts(made + 1, perConversation)].map((text, i) => ({
      id: `${id}-${i}`,
      body: {
        kind: 'message',
        role: i % 2 ? 'assistant' : 'user',
        parts: [{ type: 'text', text }],
        status: 'complete',
      },
      text,
      tokens: 60,
      at,
    }))
    for (let from = 0; from < batch.length; from += 250)
      await store.append(workspace, id, batch.slice(from, from + 250), { branch: 'main', at })
  }
}

const queries = () => ({
  'a word in every third message': { text: wordAt(10) },
  'a rare word': { text: wordAt(30_000) },
  'two words': { text: `${wordAt(200)} ${wordAt(900)}` },
  'a frequent word and a rare one': { text: `${wordAt(2)} ${wordAt(20_000)}` },
  'three frequent words': { text: `${wordAt(1)} ${wordAt(5)} ${wordAt(40)}` },
  'a word nobody said': { text: 'zzabsent' },
  'the beginning of a word': { text: 'w1' },
  'in one conversation': { text: wordAt(100), conversation: 'c50000' },
  'by role': { text: wordAt(300), role: 'user' },
})

async function measure(search, query, rounds) {
  const times = []
  let hits = 0
  for (let i = 0; i < rounds; i++) {
    const began = performance.now()
    hits = (await search({ limit: 20, ...query })).items.length
    times.push(performance.now() - began)
  }
  times.sort((one, other) => one - other)
  return { p50: times[Math.floor(rounds / 2)], p99: times[Math.floor(rounds * 0.99)], hits }
}

async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const bars = ({ total, rate, rows }) => [
  {
    bar: `keyword search over ${whole(total)} messages under ${most.p50} ms p50`,
    ok: rows.every(({ p50 }) => p50 < most.p50),
    figure: `${time(Math.max(...rows.map(({ p50 }) => p50)))} at most`,
  },
  {
    bar: `at least ${whole(most.rate)} messages a second are taken in, words alone`,
    ok: rate >= most.rate,
    figure: `${whole(Math.round(rate))}/s`,
  },
]

const meaningBars = ({ rate, rows }) => [
  {
    bar: `search by meaning over ${whole(meant.messages)} messages under ${meant.p50} ms p50`,
    ok: rows.every(({ p50 }) => p50 < meant.p50),
    figure: `${time(Math.max(...rows.map(({ p50 }) => p50)))} at most`,
  },
  {
    bar: `at least ${whole(meant.rate)} messages a second are taken in, words and vectors`,
    ok: rate >= meant.rate,
    figure: `${whole(Math.round(rate))}/s`,
  },
]

export const searchTables = ({ total, rows, bytes, meaning }) => [
  table(
    `Search: ${whole(total)} messages on SQLite, ${whole(Math.round(bytes / 1e6))} MB`,
    ['', 'p50', 'p99', 'hits on the page'],
    rows.map(({ name, p50, p99, hits }) => [name, time(p50), time(p99), whole(hits)]),
  ),
  table(
    `Search by meaning: ${whole(meant.messages)} messages on SQLite, ${whole(Math.round(meaning.bytes / 1e6))} MB; the first search of a process ${time(meaning.first)}`,
    ['', 'p50', 'p99', 'hits on the page'],
    meaning.rows.map(({ name, p50, p99, hits }) => [name, time(p50), time(p99), whole(hits)]),
  ),
]
