// What a durable append costs, and a window from the disk, beside a raw insert and the peers' stores.
import { spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import {
  budget,
  contentBytes,
  fillerId,
  fillerLength,
  messageAt,
  planOf,
  shapes,
  takeShape,
} from './lib/store-data.mjs'
import { factor, table, time, whole } from './lib/table.mjs'

const engines = {
  SQLite: async () => (await import('./lib/store-sqlite.mjs')).openSqlite(),
  PostgreSQL: async () => (await import('./lib/store-postgres.mjs')).openPostgres(),
}

export const store = (options) => bothShapes('SQLite', options)
export const postgres = (options) => bothShapes('PostgreSQL', options)

async function bothShapes(engine, options) {
  const results = []
  for (const shape of shapes.filter((one) => !options.shape || one === options.shape)) {
    await takeShape(shape)
    options.say(`  ${engine}: ${shape}`)
    results.push({ shape, bytes: contentBytes, ...(await bench(engine, options)) })
  }
  return { shapes: results, bars: results.flatMap((one) => barsOf(one)) }
}

async function bench(engine, { quick, say }) {
  const windows = quick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000]
  const appends = quick ? [10, 1_000, 10_000] : [10, 1_000, 100_000]
  const rounds = quick ? 100 : 300
  const box = quick ? 300 : 1_000
  const total = quick ? 100_000 : 1_000_000
  const largest = Math.max(...windows)
  const plan = planOf({ total, lengths: windows, short: { count: Math.ceil(rounds / 5), length: 10 } })
  const opened = await engines[engine]()
  const results = { engine, total, windows, appends, version: opened.version, missing: [] }
  const sides = {}
  try {
    for (const key of ['raw', 'ours', 'mastra', 'langgraph']) {
      const side = await tried(opened.sides[key], key, plan, { say, results, engine })
      if (side) sides[key] = side
    }
    results.versions = Object.values(sides).flatMap(({ version }) => version ?? [])
    // what was loaded goes to the disk first, so that no commit waits for it
    spawnSync('sync')
    await setTimeout(1_000)
    say(`  ${engine}: windows`)
    results.window = await windowRows(sides, windows, box)
    say(`  ${engine}: appends`)
    results.append = await appendRows(sides, appends, rounds)
    say(`  ${engine}: growth`)
    results.growth = await growthRows(sides, [windows[0], largest])
  } finally {
    for (const side of Object.values(sides)) await side.close()
    await opened.close()
  }
  return results
}

/** A peer that cannot be run is named with the reason, and the others go on. */
async function tried(open, key, plan, { say, results, engine }) {
  try {
    const side = await open()
    const began = performance.now()
    await side.loadAll(plan)
    say(`  ${engine}: ${side.name} loaded, ${time(performance.now() - began)}`)
    return side
  } catch (error) {
    if (key === 'raw' || key === 'ours') throw error
    const [reason] = String(error?.message ?? error).split('\n')
    say(`  ${engine}: ${key} left out: ${reason}`)
    results.missing.push({ key, reason })
    return undefined
  }
}

// windows

async function windowRows(sides, lengths, box) {
  const rows = {}
  const calls = []
  const add = async (key, name, open) => {
    rows[key] = { name }
    for (const length of lengths) calls.push(await able(key, await open({ id: `c-${length}`, length })))
  }
  await add('ours', 'Throughline, window', sides.ours.window)
  await add('opened', '  openHistory, then window', sides.ours.openWindow)
  await add('recall', '  with recall', sides.ours.recallWindow)
  if (sides.mastra) await add('mastra', `${sides.mastra.name}, recall({ maxTokens })`, sides.mastra.window)
  if (sides.mastra) await add('known', '  told how many messages to read, then TokenLimiter', sides.mastra.knownWindow)
  if (sides.langgraph) await add('langgraph', sides.langgraph.name, sides.langgraph.window)
  await add('raw', sides.raw.windowName, sides.raw.window)
  const cells = await inTurns(calls, box)
  for (const row of Object.values(rows)) row.cells = cells.splice(0, lengths.length)
  return rows
}

/** A peer may fail at a length: null, and endless time. */
async function able(key, call) {
  if (key !== 'mastra' && key !== 'known' && key !== 'langgraph') return call
  try {
    await call()
    return call
  } catch {
    return null
  }
}

/**
 * Rows and lengths take turns, so that all of them have the same share of a busy machine. A slow call is measured
 * three times, a very slow one once.
 */
async function inTurns(calls, box, turns = 10) {
  const times = calls.map(() => [])
  const slow = calls.map(() => false)
  for (const [i, call] of calls.entries()) {
    const first = call ? await timed(call) : Number.POSITIVE_INFINITY
    slow[i] = first > 500
    if (first > 4_000) times[i].push(first)
    else if (slow[i]) times[i].push(first, await timed(call), await timed(call))
    else for (let spent = 0; spent < box / 3; ) spent += await timed(call)
  }
  for (let turn = 0; turn < turns; turn++)
    for (const [i, call] of calls.entries()) {
      if (slow[i]) continue
      for (let spent = 0; spent < box / turns; ) {
        const took = await timed(call)
        times[i].push(took)
        spent += took
      }
    }
  return times.map((list) => ({ p50: quantile(list, 0.5), p95: quantile(list, 0.95), calls: list.length }))
}

async function timed(call) {
  const began = performance.now()
  const result = call()
  if (result instanceof Promise) await result
  return performance.now() - began
}

function quantile(times, share) {
  const sorted = Float64Array.from(times).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

// appends

/** Raw and ours take turns call by call; the peers, whose commits are of another kind, come after them. */
async function appendRows(sides, lengths, rounds) {
  const rows = {
    raw: { name: sides.raw.name, append: sides.raw.append },
    ...(sides.raw.steps ? { steps: { name: sides.raw.stepName, append: sides.raw.steps } } : {}),
    ours: { name: 'Throughline, store.append', append: sides.ours.append },
    history: { name: '  history.append: reads, then store.append', append: sides.ours.historyAppend },
  }
  const peers = {
    ...(sides.mastra ? { mastra: { name: sides.mastra.name, append: sides.mastra.append } } : {}),
    ...(sides.langgraph ? { langgraph: { name: sides.langgraph.name, append: sides.langgraph.append } } : {}),
  }
  const cells = Object.fromEntries(Object.keys({ ...rows, ...peers }).map((key) => [key, []]))
  for (const length of lengths) {
    const times = Object.fromEntries(Object.keys(rows).map((key) => [key, []]))
    const place = placer(length, rounds)
    for (let round = -5; round < rounds; round++)
      for (const [key, { append }] of shuffled(Object.entries(rows), round)) {
        const took = await timed(await append(...place(round)))
        if (round >= 0) times[key].push(took)
      }
    for (const [key, list] of Object.entries(times)) cells[key].push(cell(list))
    for (const [key, { append }] of Object.entries(peers)) {
      const most = Math.min(rounds, sides[key].few ? Math.max(3, Math.ceil(20_000 / length)) : rounds)
      const list = []
      const peerPlace = placer(length, most)
      const end = performance.now() + 10_000
      for (let round = 0; round < most && performance.now() < end; round++)
        list.push(await timed(await append(...peerPlace(round))))
      cells[key].push(cell(list))
      sides[key].forget?.()
    }
  }
  const named = { ...rows, ...peers }
  return Object.fromEntries(Object.entries(cells).map(([key, list]) => [key, { name: named[key].name, cells: list }]))
}

const cell = (list) => ({ p50: quantile(list, 0.5), p95: quantile(list, 0.95), calls: list.length })

/** Appends to conversations of so many messages: as many of them as it takes that none grows by much. */
function placer(length, rounds) {
  const spread = length === 10 ? Math.ceil(rounds / 5) : length === fillerLength ? 2 : 1
  const next = new Map()
  return (round) => {
    const i = ((round % spread) + spread) % spread
    const id = length === 10 ? `short-${i}` : length === fillerLength ? fillerId(i + 1) : `c-${length}`
    let index = next.get(id) ?? fresh
    // a result goes to the path of its call alone, and rows take turns
    while (!isSaid(messageAt(length, length + index))) index++
    next.set(id, index + 1)
    fresh = Math.max(fresh + 1, index + 1)
    return [{ id, length }, length + index]
  }
}
let fresh = 0
const isSaid = ({ role, tool_calls: calls }) => role !== 'tool' && !calls

/** Whoever goes first must not always be the same. */
const shuffled = (list, round) => {
  const at = ((round % list.length) + list.length) % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

// growth

async function growthRows(sides, lengths) {
  const rows = {}
  for (const [key, side] of Object.entries(sides)) {
    if (key === 'raw') continue
    const cells = []
    for (const length of lengths) {
      const count = side.few ? (length > 1_000 ? 2 : 20) : 500
      const place = placer(length, 1)
      const before = await side.bytes()
      for (let i = 0; i < count; i++) await (await side.append(...place(0)))()
      cells.push({ bytes: ((await side.bytes()) - before) / count, count })
      side.forget?.()
    }
    rows[key] = { name: side.name, cells }
  }
  return rows
}

// what comes of it

function barsOf({ shape, engine, total, windows, appends, append, window, growth, missing }) {
  const list = []
  const add = (bar, ok, figure) => list.push({ bar: `${engine}, ${shape}: ${bar}`, ok, figure })
  const ratios = append.ours.cells.map((one, i) => one.p50 / append.raw.cells[i].p50)
  add(
    'durable append within 1.3x of a raw insert of the same bytes',
    ratios.every((ratio) => ratio <= 1.3),
    ratios.map((ratio, i) => `${exactly(ratio)} at ${whole(appends[i])}`).join(', '),
  )
  const flatAppend = spread(append.ours.cells)
  add(`append flat (within 1.5x) from ${between(appends)} messages`, flatAppend <= 1.5, exactly(flatAppend))
  const slowest = Math.max(...window.ours.cells.map(({ p50 }) => p50))
  const most = engine === 'SQLite' ? 1 : undefined
  if (most)
    add(
      `window of ${whole(budget)} tokens under 1 ms p50, ${whole(total)} messages in the file`,
      slowest < most,
      window.ours.cells.map(({ p50 }, i) => `${time(p50)} at ${whole(windows[i])}`).join(', '),
    )
  const flat = spread(window.ours.cells)
  add(`window flat (within 1.5x) from ${between(windows)} messages`, flat <= 1.5, exactly(flat))
  for (const key of ['mastra', 'langgraph']) {
    const gone = missing.find((one) => one.key === key)
    if (gone) {
      add(`window at least 5x faster than ${key}`, false, `could not be run: ${gone.reason}`)
      continue
    }
    const gains = window[key].cells.map(({ p50 }, i) => p50 / window.ours.cells[i].p50)
    add(
      `window at least 5x faster than ${window[key].name} from 1,000 messages up`,
      gains.every((gain, i) => windows[i] < 1_000 || gain >= 5),
      gains.map((gain, i) => `${factor(gain)} at ${whole(windows[i])}`).join(', '),
    )
  }
  const [small, large] = growth.ours.cells.map(({ bytes }) => bytes)
  add(
    'disk growth linear in new bytes: as much for each message at any length (within 1.1x)',
    Math.max(small, large) / Math.min(small, large) <= 1.1,
    `${whole(Math.round(small))} and ${whole(Math.round(large))} bytes`,
  )
  return list
}

const exactly = (ratio) => `${ratio.toFixed(2)}x`
const between = (lengths) => `${whole(lengths[0])} to ${whole(lengths.at(-1))}`
const spread = (cells) => {
  const medians = cells.map(({ p50 }) => p50)
  return Math.max(...medians) / Math.min(...medians)
}

const shown = (ms) => (Number.isFinite(ms) ? time(ms) : 'fails')

export const storeTables = (results) => results.shapes.flatMap(tablesOf)

function tablesOf(results) {
  const {
    engine: name,
    shape,
    bytes: mean,
    total,
    windows,
    appends,
    append,
    window,
    growth,
    missing,
    versions,
    version,
  } = results
  const engine = `${name}, ${shape}`
  const long = (lengths) => lengths.map((length) => `${whole(length)} messages`)
  const left = missing.map(({ key, reason }) => `${key} could not be run: ${reason}\n`)
  const appendLines = Object.values(append).map(({ name, cells }) => [
    name,
    ...cells.flatMap(({ p50 }, i) => [time(p50), exactly(p50 / append.raw.cells[i].p50)]),
  ])
  const windowLines = Object.values(window).map(({ name, cells }) => [
    name,
    ...cells.flatMap(({ p50, p95 }, i) => [shown(p50), shown(p95), factor(p50 / window.ours.cells[i].p50)]),
  ])
  const growthLines = Object.values(growth).map(({ name, cells }) => [
    name,
    ...cells.map(({ bytes }) => whole(Math.round(bytes))),
    factor(cells[1].bytes / cells[0].bytes),
  ])
  return [
    table(
      `${engine}: one durable append, ${whole(total)} messages in the database; median, and times the raw insert`,
      ['', ...long(appends).flatMap((head) => [head, '/ raw'])],
      appendLines,
    ),
    table(
      `${engine}: hydrate and window, the newest ${whole(budget)} tokens; p50, p95, times ours`,
      ['', ...long(windows).flatMap((head) => [head, 'p95', '/ ours'])],
      windowLines,
    ),
    table(
      `${engine}: bytes on the disk for one more message; it says ${whole(Math.round(mean))} bytes in the mean`,
      ['', ...long([windows[0], windows.at(-1)]), 'growth'],
      growthLines,
    ),
    `${[version, ...versions].filter(Boolean).join(', ')}\n${left.join('')}`,
  ]
}
