// How long it takes to build one window, ours and the peers', over histories of 10 to 100,000 messages.
import { assemble, createMemo } from '../dist/index.js'
import { chat, chats, dice, output, prose, systemPrompt, toolTurn, works } from './lib/history.mjs'
import { measure } from './lib/measure.mjs'
import { cold, digest, exact, ours } from './lib/ours.mjs'
import { peers } from './lib/peers.mjs'
import { factor, table, time, whole } from './lib/table.mjs'

const budget = 6_000
const patience = 20_000

export async function speed({ quick, say }) {
  const lengths = quick ? [10, 100, 1_000, 10_000] : [10, 100, 1_000, 10_000, 100_000]
  const box = quick ? 250 : 1_000
  const rows = { ...peers, ...ours }
  const warm = await cases('the same history again', rows, { lengths, box, say, run: steady })
  const append = await cases('one more message each time', rows, { lengths, box, say, run: appending })
  const budgeted = Object.fromEntries(Object.entries(peers).filter(([, peer]) => !peer.scale))
  const first = await cases('the first time', { ...budgeted, ...cold }, { lengths, box, say, run: colds })
  const presets = await handoffs({ box, say })
  const counts = recounts()
  return {
    budget,
    lengths,
    versions: Object.values(peers).flatMap((peer) => peer.version ?? []),
    steady: warm,
    append,
    cold: first,
    handoff: presets,
    counts,
    bars: bars({ lengths, steady: warm, append, handoff: presets, counts }),
  }
}

async function cases(title, rows, { lengths, box, say, run }) {
  const results = Object.fromEntries(Object.keys(rows).map((key) => [key, { name: rows[key].name, cells: [] }]))
  for (const length of lengths) {
    const histories = { text: chats(length - 1, length), tools: works(length - 1, length) }
    for (const [key, row] of Object.entries(rows)) {
      const { cells } = results[key]
      const expected = forecast(cells, length, row.order ?? 0)
      if (expected > patience) {
        say(`  ${title}, ${whole(length)} messages: ${row.name.trim()} skipped, about ${time(expected)} a call`)
        cells.push({ length, skipped: expected })
        continue
      }
      say(`  ${title}, ${whole(length)} messages: ${row.name.trim()}`)
      const given = {
        system: systemPrompt,
        messages: histories[row.tools ? 'tools' : 'text'],
        budget,
        count: exact.count,
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
    next = feed(random, given.messages.length, row.tools)
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

function feed(random, length, tools) {
  let index = length
  let turn = length
  let queue = []
  return () => {
    if (!tools) return chat(random, index++)
    if (queue.length === 0) queue = toolTurn(random, turn++)
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

/** Validating and truncating 50 messages, each preset at the lengths that its limits are about; nothing remembered. */
async function handoffs({ box, say }) {
  say('  50 messages through each preset')
  const shapes = {
    'handoff-user-first': { user: [40, 2_500], other: [40, 500] },
    // its hard limit refuses a user's message over 300 characters
    'handoff-assistant-first': { user: [10, 70], other: [40, 2_300], most: 300 },
    'handoff-balanced': { user: [40, 900], other: [40, 500] },
    'stateless-query': { user: [20, 290], other: [20, 290] },
    'agent-turns': { user: [20, 290], other: [20, 290] },
    'session-window': { user: [20, 290], other: [20, 290] },
    balanced: { user: [20, 290], other: [20, 290] },
  }
  const found = {}
  for (const [preset, shape] of Object.entries(shapes)) {
    const random = dice(50)
    const messages = Array.from({ length: 50 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content:
        i % 2 === 0
          ? long(random, random.between(...shape.user)).slice(0, shape.most)
          : long(random, random.between(...shape.other)),
      timestamp: new Date(1_767_225_600_000 + i * 60_000).toISOString(),
    }))
    const options = { digest, now: '2026-01-02T00:00:00.000Z' }
    const build = () => assemble({ messages, current: 'And now?' }, preset, options)
    const made = build()
    if (!made.ok) throw new Error(`${preset} refused the history of the bench: ${made.error.message}`)
    const { kept, clipped, dropped } = made.receipt.totals
    const chars = messages.reduce((sum, message) => sum + message.content.length, 0)
    found[preset] = { chars, kept, clipped, dropped, ...(await measure(build, { box })) }
  }
  return found
}

const long = (random, tokens) =>
  (tokens > 1_000 ? output(random, tokens * 0.7) : prose(random, tokens)).slice(0, 12_000)

/** How often the counter is asked when the history is the same, and when one message is new. */
function recounts() {
  const asked = []
  const counter = { ...exact, count: (text) => asked.push(text) && exact.count(text) }
  const messages = chats(999, 5)
  const memo = createMemo()
  const options = { model: 'gpt-4o', budget, counter, digest, memo }
  const build = () => {
    asked.length = 0
    assemble({ messages, system: systemPrompt }, 'balanced', options)
    return [...asked]
  }
  const old = messages.map((message) => message.content)
  const isOld = (text) => text.length >= 20 && old.some((content) => content.includes(text) || text.includes(content))
  const first = build()
  const again = build()
  const random = dice(6)
  const grown = []
  for (let i = 0; i < 100; i++) {
    messages.push(chat(random, messages.length))
    grown.push(build())
  }
  const flat = grown.flat()
  return {
    first: first.length,
    again: { all: again.length, unchanged: again.filter(isOld).length, chars: chars(again) },
    appended: { builds: grown.length, all: flat.length, unchanged: flat.filter(isOld).length, chars: chars(flat) },
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

function bars({ lengths, steady: warm, append, handoff, counts }) {
  const out = []
  for (const preset of ['handoff-user-first', 'handoff-assistant-first', 'handoff-balanced']) {
    const { p99 } = handoff[preset]
    out.push({ bar: `50 messages validated and truncated, ${preset}: p99 under 1 ms`, ok: p99 < 1, figure: time(p99) })
  }
  const tables = { 'same history': warm, 'one message more': append }
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
      const most = lengths.at(-1)
      const growth = cellAt(found, key, most).median / cellAt(found, key, 100).median
      out.push({
        bar: `flat, ${who}: time at ${whole(most)} over time at 100 is at most 1.5`,
        ok: growth <= 1.5,
        figure: growth.toFixed(2),
      })
    }
  }
  const { again, appended } = counts
  out.push({
    bar: 'no message that is unchanged is counted again',
    ok: again.unchanged + appended.unchanged === 0,
    figure: `${again.unchanged} of ${again.all} calls on the same history, ${appended.unchanged} of ${appended.all} over ${appended.builds} appended messages`,
  })
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
  const tables = [
    ['The same history again (median / p99)', result.steady],
    ['One more message, then build (median / p99)', result.append],
  ].map(([title, found]) =>
    table(title, heads('messages in the history'), [...cells(found, shown), ...compared(found)]),
  )
  tables.push(
    table(
      'The first time, nothing remembered (median / p99)',
      heads('messages in the history'),
      cells(result.cold, shown),
    ),
    table(
      'Messages in the window, system prompt apart',
      heads('messages in the history'),
      cells(result.steady, (cell) => (cell.kept === undefined ? '-' : whole(cell.kept))),
    ),
    table(
      'Validate and truncate 50 messages, no memo',
      ['preset', 'chars in', 'kept', 'clipped', 'dropped', 'median', 'p99'],
      Object.entries(result.handoff).map(([preset, cell]) => [
        preset,
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
      ['build', 'calls', 'on unchanged messages', 'chars counted'],
      [
        ['first', whole(result.counts.first), '-', '-'],
        [
          'same history again',
          whole(result.counts.again.all),
          whole(result.counts.again.unchanged),
          whole(result.counts.again.chars),
        ],
        [
          `${result.counts.appended.builds} builds, one message more each`,
          whole(result.counts.appended.all),
          whole(result.counts.appended.unchanged),
          whole(result.counts.appended.chars),
        ],
      ],
    ),
  )
  return tables
}
