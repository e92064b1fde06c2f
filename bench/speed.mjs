// How long it takes to build one window, ours and the peers', over histories of 10 to 100,000 messages.
import { assemble, createMemo, presets } from '../dist/index.js'
import {
  chat,
  chats,
  dice,
  output,
  prose,
  systemPrompt,
  toolTurn,
  traffic,
  trafficTurn,
  works,
} from './lib/history.mjs'
import { measure } from './lib/measure.mjs'
import { cold, digest, exact, ours } from './lib/ours.mjs'
import { peers } from './lib/peers.mjs'
import { factor, table, time, whole } from './lib/table.mjs'

const budget = 6_000
const patience = 20_000

export async function speed({ quick, shape: only, say }) {
  const lengths = quick ? [10, 100, 1_000, 10_000] : [10, 100, 1_000, 10_000, 100_000]
  const box = quick ? 250 : 1_000
  const rows = { ...peers, ...ours }
  const budgeted = Object.fromEntries(Object.entries(peers).filter(([, peer]) => !peer.scale))
  const found = []
  for (const shape of Object.keys(shapes).filter((one) => !only || one === only)) {
    const settings = { shape, lengths, box, say }
    found.push({
      shape,
      steady: await cases('the same history again', rows, { ...settings, run: steady }),
      append: await cases('one more message each time', rows, { ...settings, run: appending }),
      cold: await cases('the first time', { ...budgeted, ...cold }, { ...settings, run: colds }),
    })
  }
  const handed = await handoffs({ box, say })
  const counts = { text: recounts(false), tools: recounts(true) }
  return {
    budget,
    lengths,
    versions: Object.values(peers).flatMap((peer) => peer.version ?? []),
    shapes: found,
    handoff: handed,
    counts,
    bars: [...found.flatMap((one) => shapeBars(lengths, one)), ...bars({ handoff: handed, counts })],
  }
}

/** What histories are made of: text alone, or what agents write. */
const shapes = { text: chats, agents: traffic }

async function cases(title, rows, { shape, lengths, box, say, run }) {
  const results = Object.fromEntries(Object.keys(rows).map((key) => [key, { name: rows[key].name, cells: [] }]))
  for (const length of lengths) {
    const histories = { text: shapes[shape](length - 1, length), tools: works(length - 1, length) }
    for (const [key, row] of Object.entries(rows)) {
      const { cells } = results[key]
      const expected = forecast(cells, length, row.order ?? 0)
      if (expected > patience) {
        say(
          `  ${shape}, ${title}, ${whole(length)} messages: ${row.name.trim()} skipped, about ${time(expected)} a call`,
        )
        cells.push({ length, skipped: expected })
        continue
      }
      say(`  ${shape}, ${title}, ${whole(length)} messages: ${row.name.trim()}`)
      const given = {
        system: systemPrompt,
        messages: histories[row.tools ? 'tools' : 'text'],
        budget,
        count: exact.count,
        next: row.tools ? worked : shape === 'text' ? chatted : trafficked,
      }
      const made = await run(row, given, box)
      cells.push({ length, ...made })
    }
  }
  return results
}

/** What a call would take if it grew as it is known to. */
function forecast(cells, length, order) {
  const last = cells.findLast((cell) => cell.median !== undefined)
  return last ? last.median * (length / last.length) ** order : 0
}

async function steady(row, given, box) {
  const held = row.open(given)
  const kept = sizeOf(await held.build(), given)
  return { ...(await measure(held.build, { box })), kept }
}

/** Fresh messages come in until the history has grown by a tenth; then it begins anew. */
async function appending(row, given, box) {
  const memo = createMemo()
  const random = dice(given.messages.length)
  const limit = Math.max(2, Math.ceil(given.messages.length / 10))
  let held
  let next
  let added = 0
  const begin = async () => {
    held = row.open({ ...given, memo })
    next = given.next(random, given.messages.length)
    added = 0
    await held.build()
  }
  await begin()
  const prepare = async () => {
    if (added === limit) await begin()
    added++
    await held.add(next())
  }
  return measure(() => held.build(), { box, prepare })
}

/** What comes next in a history of so many messages. */
const chatted = (random, length) => {
  let index = length
  return () => chat(random, index++)
}
const worked = (random, length) => inTurns(length, (turn) => toolTurn(random, turn))
const trafficked = (random, length) => inTurns(length, (turn) => trafficTurn(random, turn))

function inTurns(length, make) {
  let turn = length
  let queue = []
  return () => {
    if (queue.length === 0) queue = make(turn++)
    return queue.shift()
  }
}

async function colds(row, given, box) {
  let held
  return measure(() => held.build(), {
    box,
    prepare: () => {
      held = row.open(given)
    },
  })
}

/** Messages in the window; Mastra returns nothing when it drops nothing. */
function sizeOf(result, given) {
  if (result === undefined) return given.messages.length
  return (result.items ?? result.prompt ?? result).filter?.((one) => (one.role ?? one.getType?.()) !== 'system').length
}

/** Tokens of a user's message and of another's: as people write, and as each preset's limits provoke. */
const everyday = { user: [20, 290], other: [20, 290] }
const limits = {
  'handoff-user-first': { user: [40, 2_500], other: [40, 500] },
  'handoff-assistant-first': { user: [10, 70], other: [40, 2_300] },
  'handoff-balanced': { user: [40, 900], other: [40, 500] },
}

/** Validating and truncating 50 messages; nothing remembered. */
async function handoffs({ box, say }) {
  say('  50 messages through each preset')
  const found = []
  const add = async (preset, history, shape) => found.push({ preset, history, ...(await handoff(preset, shape, box)) })
  for (const preset of Object.keys(presets)) await add(preset, 'everyday', everyday)
  for (const [preset, shape] of Object.entries(limits)) await add(preset, 'at its limits', shape)
  return found
}

async function handoff(preset, shape, box) {
  const random = dice(50)
  // the hard limit of this preset refuses a user's message over 300 characters
  const most = preset === 'handoff-assistant-first' ? 300 : undefined
  const messages = Array.from({ length: 50 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: i % 2 === 0 ? words(random, shape.user).slice(0, most) : words(random, shape.other),
    timestamp: new Date(1_767_225_600_000 + i * 60_000).toISOString(),
  }))
  const build = () => assemble({ messages, current: 'And now?' }, preset, { digest, now: '2026-01-02T00:00:00.000Z' })
  const made = build()
  if (!made.ok) throw new Error(`${preset} refused the history of the bench: ${made.error.message}`)
  const { kept, clipped, dropped } = made.receipt.totals
  const all = messages.reduce((sum, message) => sum + message.content.length, 0)
  return { chars: all, kept, clipped, dropped, ...(await measure(build, { box })) }
}

const words = (random, range) => {
  const tokens = random.between(...range)
  return tokens > 1_000 ? output(random, tokens * 0.7).slice(0, 12_000) : prose(random, tokens)
}

/** How often the counter is asked when the history is the same, and when one message is new. */
function recounts(tools) {
  const asked = []
  const counter = { ...exact, count: (text) => asked.push(text) && exact.count(text) }
  const messages = tools ? works(999, 5) : chats(999, 5)
  const memo = createMemo()
  const options = { model: 'gpt-4o', budget, counter, digest, memo }
  const build = () => {
    asked.length = 0
    assemble({ messages, system: systemPrompt }, 'balanced', options)
    return [...asked]
  }
  const known = new Set()
  // a word or a marker is no message
  const isOld = (text) => text.length >= 100 && known.has(text)
  const first = build()
  for (const text of first) known.add(text)
  const again = build()
  const next = (tools ? worked : chatted)(dice(6), messages.length)
  const builds = 100
  const grown = { all: 0, fresh: 0, unchanged: 0, chars: 0 }
  for (let i = 0; i < builds; i++) {
    const message = next()
    messages.push(message)
    const texts = build()
    grown.all += texts.length
    grown.fresh += texts.filter((text) => text === message.content).length
    grown.unchanged += texts.filter(isOld).length
    grown.chars += chars(texts)
    for (const text of texts) known.add(text)
  }
  return {
    first: first.length,
    again: { all: again.length, fresh: 0, unchanged: again.filter(isOld).length, chars: chars(again) },
    appended: { builds, ...grown },
  }
}

const chars = (texts) => texts.reduce((sum, text) => sum + text.length, 0)

const named = Object.keys(peers).filter((key) => !peers[key].scale && key !== 'llamaindexMemoised')
const any = Object.keys(peers).filter((key) => key !== 'aisdk')

const cellAt = (found, key, length) => found[key]?.cells.find((cell) => cell.length === length)

function best(found, keys, length) {
  const times = keys.flatMap((key) => cellAt(found, key, length)?.median ?? [])
  return times.length ? Math.min(...times) : undefined
}

function bars({ handoff, counts }) {
  const out = []
  for (const { preset, history, p99 } of handoff) {
    if (!preset.startsWith('handoff') || history !== 'everyday') continue
    out.push({ bar: `50 messages validated and truncated, ${preset}: p99 under 1 ms`, ok: p99 < 1, figure: time(p99) })
  }
  for (const [history, { again, appended }] of Object.entries(counts)) {
    out.push({
      bar: `no message that is unchanged is counted again, ${history}`,
      ok: again.unchanged + appended.unchanged === 0,
      figure: `${again.unchanged} of ${again.all} calls on the same history, ${appended.unchanged} of ${appended.all} over ${appended.builds} appended messages`,
    })
  }
  return out
}

function shapeBars(lengths, { shape, steady: warm, append, cold: first }) {
  const out = []
  const most = lengths.at(-1)
  for (const key of ['exact', 'estimate']) {
    const growth = cellAt(first, key, most).median / cellAt(first, key, 100).median
    out.push({
      bar: `${shape}, the first call, ${key}: time at ${whole(most)} over time at 100 is at most 3`,
      ok: growth <= 3,
      figure: growth.toFixed(2),
    })
  }
  const tables = { [`${shape}, same history`]: warm, [`${shape}, one message more`]: append }
  for (const [label, found] of Object.entries(tables)) {
    for (const key of ['exact', 'estimate']) {
      const who = `${label}, ${key}`
      const mine = cellAt(found, key, 10).median
      const theirs = best(found, named, 10)
      out.push({
        bar: `10 messages, ${who}: no slower than the best peer`,
        ok: mine <= theirs,
        figure: `${time(mine)} against ${time(theirs)} (${factor(theirs / mine)})`,
      })
      const longer = lengths.filter((length) => length >= 1_000)
      const ratios = longer.map((length) => best(found, named, length) / cellAt(found, key, length).median)
      out.push({
        bar: `1,000 messages and more, ${who}: at least 10x faster than the best peer`,
        ok: ratios.every((ratio) => ratio >= 10),
        figure: ratios.map((ratio, i) => `${factor(ratio)} at ${whole(longer[i])}`).join(', '),
      })
      const growth = cellAt(found, key, most).median / cellAt(found, key, 100).median
      out.push({
        bar: `flat, ${who}: time at ${whole(most)} over time at 100 is at most 1.5`,
        ok: growth <= 1.5,
        figure: growth.toFixed(2),
      })
    }
  }
  return out
}

export function speedTables(result) {
  const { lengths } = result
  const heads = (label) => [label, ...lengths.map(whole)]
  const cells = (found, draw) => Object.values(found).map((row) => [row.name, ...row.cells.map(draw)])
  const shown = (cell) =>
    cell.skipped ? `skipped (~${time(cell.skipped)})` : `${time(cell.median)} / ${time(cell.p99)}`
  const ratio = (found, key, keys) =>
    lengths.map((length) => {
      const theirs = best(found, keys, length)
      return theirs ? factor(theirs / cellAt(found, key, length).median) : '-'
    })
  const compared = (found) => [
    ['best peer / ours, exact', ...ratio(found, 'exact', named)],
    ['best peer / ours, estimated', ...ratio(found, 'estimate', named)],
    ['best peer, patched ones too / ours, exact', ...ratio(found, 'exact', any)],
    ['best peer, patched ones too / ours, estimated', ...ratio(found, 'estimate', any)],
  ]
  const lengthHeads = heads('messages in the history')
  const tables = result.shapes.flatMap(({ shape, steady: warm, append, cold: first }) => [
    table(`The same history again, ${shape} (median / p99)`, lengthHeads, [...cells(warm, shown), ...compared(warm)]),
    table(`One more message, then build, ${shape} (median / p99)`, lengthHeads, [
      ...cells(append, shown),
      ...compared(append),
    ]),
    table(`The first time, nothing remembered, ${shape} (median / p99)`, lengthHeads, cells(first, shown)),
    table(
      `Messages in the window, ${shape}, system prompt apart`,
      lengthHeads,
      cells(warm, (cell) => (cell.kept === undefined ? '-' : whole(cell.kept))),
    ),
  ])
  tables.push(
    table(
      'Validate and truncate 50 messages, no memo',
      ['preset, history', 'chars in', 'kept', 'clipped', 'dropped', 'median', 'p99'],
      result.handoff.map((cell) => [
        `${cell.preset}, ${cell.history}`,
        whole(cell.chars),
        String(cell.kept),
        String(cell.clipped),
        String(cell.dropped),
        time(cell.median),
        time(cell.p99),
      ]),
    ),
    table(
      'Calls of the counter, 1,000 messages',
      ['build', 'calls', 'on the new message', 'on unchanged messages', 'chars counted'],
      Object.entries(result.counts).flatMap(([history, { first, again, appended }]) => [
        [`${history}: first`, whole(first), '-', '-', '-'],
        counted(`${history}: the same again`, again),
        counted(`${history}: ${appended.builds} builds, one message more each`, appended),
      ]),
    ),
  )
  return tables
}

const counted = (label, { all, fresh, unchanged, chars: seen }) => [
  label,
  whole(all),
  whole(fresh),
  whole(unchanged),
  whole(seen),
]
