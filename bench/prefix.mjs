// How much of a request its predecessor has already paid for: what a provider's prompt cache can reuse.

import { trimMessages } from '@langchain/core/messages'
import { withBreakpoints } from '../dist/core/render/cache.js'
import { openHistory } from '../dist/engine/index.js'
import { assemble, createMemo } from '../dist/index.js'
import { createRecaller } from '../dist/recall/index.js'
import { memoryStore } from '../dist/store/index.js'
import { conversations, dice } from './lib/history.mjs'
import { digest, exact } from './lib/ours.mjs'
import { langchainMessage, langchainOptions, memoised } from './lib/peers.mjs'
import { percent, table, whole } from './lib/table.mjs'

const budget = 8_000
const model = 'gpt-4o'
const bar = 0.75
/** With recall, which is another from turn to turn, and with summaries. */
const recallBar = 0.6
/** Input tokens that Anthropic's cache gives back between two cuts. */
const cacheBar = 0.85
const tokens = memoised(exact.count)

export async function prefix({ quick, say }) {
  const turns = quick ? 100 : 300
  const rows = []
  for (const [conversation, turn] of Object.entries(conversations)) {
    const random = dice(300)
    const history = Array.from({ length: turns }, (_, i) => turn(random, i))
    for (const [method, open] of Object.entries(methods)) {
      say(`  prefix, ${conversation}: ${method}`)
      rows.push({ conversation, method, ...(await follow(history, open())) })
    }
  }
  return { budget, turns, rows, bars: bars(rows) }
}

/** Each takes the messages before a request and the question, and returns the request's messages with their cost. */
const methods = {
  'balanced, openai-chat': () => balanced('openai-chat'),
  'balanced, anthropic': () => balanced('anthropic'),
  'stored, recall off, compaction off': () => stored({ recall: false, compaction: false }),
  'stored, recall on, compaction off': () => stored({ recall: true, compaction: false }),
  'stored, recall off, compaction on': () => stored({ recall: false, compaction: true }),
  'stored, recall on, compaction on': () => stored({ recall: true, compaction: true }),
  'sliding window of turns': () => sliding,
  'LangChain trimMessages': () => langchain(),
}

function balanced(target) {
  const memo = createMemo()
  return (turns, question) => {
    const made = assemble({ messages: turns.flat(), current: question }, 'balanced', {
      model,
      budget,
      target,
      counter: exact,
      digest,
      memo,
    })
    if (!made.ok) throw new Error(`assemble refused: ${made.error.message}`)
    const cached = target === 'anthropic' ? withBreakpoints({ model: 'claude-sonnet-4-5', ...made.rendered }) : null
    return {
      cached,
      messages: made.rendered.messages,
      used: made.receipt.budget.used,
      cut: made.receipt.totals.dropped > 0,
    }
  }
}

/** The product's default, with a store behind it. */
function stored({ recall, compaction }) {
  const opened = openHistory({ store: memoryStore(), model, recaller: recall ? createRecaller() : null })
  let written = 0
  return async (turns, question) => {
    const history = await opened
    const fresh = turns.slice(written).flat()
    written = turns.length
    if (fresh.length > 0) await history.append(fresh)
    if (compaction) await history.compact({ budget, counter: exact })
    const made = await history.window({ current: question, budget, model, target: 'openai-chat', counter: exact })
    if (!made.ok) throw new Error(`no window: ${made.error.message}`)
    return { messages: made.rendered.messages, used: made.receipt.budget.used, cut: made.receipt.budget.limit !== null }
  }
}

/** The newest whole turns that fit: what most programs write first. */
function sliding(turns, question) {
  const kept = [question]
  let used = cost(question)
  let cut = false
  for (let i = turns.length - 1; i >= 0; i--) {
    const more = turns[i].reduce((sum, message) => sum + cost(message), 0)
    cut = used + more > budget
    if (cut) break
    used += more
    kept.unshift(...turns[i])
  }
  return { messages: kept, used, cut }
}

function langchain() {
  const known = new Map()
  const converted = []
  const options = langchainOptions(budget, tokens)
  let seen = 0
  const take = (message) => {
    const id = String(seen++)
    known.set(id, message)
    return langchainMessage(message, id)
  }
  return async (turns, question) => {
    const given = turns.flat()
    for (const message of given.slice(converted.length)) converted.push(take(message))
    const trimmed = await trimMessages([...converted, take(question)], options)
    const messages = trimmed.map((message) => known.get(message.id))
    return {
      messages,
      used: messages.reduce((sum, message) => sum + cost(message), 0),
      cut: messages.length <= given.length,
    }
  }
}

/** As LangChain's counter has it: what a message says and calls, and four tokens. */
function cost({ content, tool_calls: calls = [] }) {
  return calls.reduce((sum, call) => sum + tokens(JSON.stringify(call.function)), tokens(content) + 4)
}

/** One request per turn, each compared with the one before it. */
async function follow(history, build) {
  let before = []
  const all = []
  const after = []
  const used = []
  const cache = promptCache()
  const read = []
  let excess = 0
  for (let i = 0; i < history.length; i++) {
    const made = await build(history.slice(0, i), history[i][0])
    const now = made.messages.map((message) => JSON.stringify(message))
    if (i > 0) all.push(shared(before, now))
    // a request that shares less than half with the one before is a cut
    if (made.cached) read.push({ ...cache(made.cached), cut: i === 0 || all.at(-1) < 0.5 })
    if (i > 0 && made.cut) {
      after.push(all.at(-1))
      used.push(made.used / budget)
    }
    excess = Math.max(excess, made.used - budget)
    before = now
  }
  return {
    all: mean(all),
    after: mean(after),
    lowest: Math.min(...after),
    broken: after.filter((share) => share < 0.5).length / after.length,
    occupancy: mean(used),
    overflowed: after.length,
    excess,
    ...(read.length > 0 && { cache: costs(read) }),
  }
}

/** As Anthropic's documents have it: looked for up to 20 blocks back from a breakpoint, written up to the last one. */
function promptCache(lookback = 20) {
  const known = new Set()
  return ({ system, messages }) => {
    const blocks = [system ?? [], ...messages.map(({ content }) => content)].flat()
    let prefix = ''
    let sum = 0
    const marks = []
    const places = blocks.map((block, i) => {
      const { cache_control: control, ...bare } = block
      const text = JSON.stringify(bare)
      prefix = digest(prefix + text)
      sum += tokens(text)
      if (control) marks.push(i)
      return { prefix, sum }
    })
    let read = 0
    for (const mark of marks)
      for (let i = mark; i >= 0 && i > mark - lookback; i--)
        if (known.has(places[i].prefix)) read = Math.max(read, places[i].sum)
    for (const mark of marks) known.add(places[mark].prefix)
    const written = Math.max(0, (places[marks.at(-1)]?.sum ?? 0) - read)
    return { read, written, total: sum }
  }
}

/** Priced as published: reading costs a tenth, writing a quarter more. */
function costs(requests) {
  const add = (list, of) => list.reduce((sum, one) => sum + of(one), 0)
  const between = requests.filter(({ cut }) => !cut)
  const total = add(requests, (one) => one.total)
  const paid = add(requests, ({ read, written, total: all }) => 0.1 * read + 1.25 * written + (all - read - written))
  return {
    between: add(between, (one) => one.read) / add(between, (one) => one.total),
    all: add(requests, (one) => one.read) / total,
    paid: paid / total,
    cuts: requests.length - between.length,
  }
}

/** The share of a request's tokens that stand in the common beginning of both. */
function shared(before, now) {
  const total = now.reduce((sum, message) => sum + tokens(message), 0)
  let same = 0
  let i = 0
  while (i < now.length && now[i] === before[i]) same += tokens(now[i++])
  if (i < now.length && i < before.length) same += exact.count(common(before[i], now[i]))
  return Math.min(1, same / total)
}

function common(one, other) {
  let i = 0
  while (i < one.length && one[i] === other[i]) i++
  return one.slice(0, i)
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

const fullest = 'stored, recall on, compaction on'

function bars(rows) {
  return [...cacheBars(rows), ...prefixBars(rows)]
}

const cacheBars = (rows) =>
  rows
    .filter(({ cache }) => cache)
    .map(({ conversation, cache }) => ({
      bar: `input tokens read from Anthropic's cache between cuts, ${conversation}: at least ${100 * cacheBar} %`,
      ok: cache.between >= cacheBar,
      figure: `${percent(cache.between)} between ${cache.cuts} cuts, ${percent(cache.all)} of all; input costs ${percent(cache.paid)} of its price without a cache`,
    }))

function prefixBars(rows) {
  return rows
    .map((row) => ({ row, least: row.method.startsWith('balanced') ? bar : row.method === fullest ? recallBar : null }))
    .filter(({ least }) => least !== null)
    .map(({ row, least }) => ({
      bar: `prefix shared with the request before, ${row.conversation}, ${row.method}: at least ${100 * least} %`,
      ok: row.all >= least && row.after >= least,
      figure: `${percent(row.all)} of all, ${percent(row.after)} after the overflow`,
    }))
}

export function prefixTables({ turns, rows }) {
  return [
    table(
      `Input tokens that are a byte prefix of the request before: ${turns} turns, ${whole(budget)} tokens, o200k exact`,
      [
        'conversation, method',
        'all',
        'after overflow',
        'lowest',
        'under half',
        'budget used',
        'requests after overflow',
      ],
      rows.map((row) => [
        `${row.conversation}: ${row.method}`,
        percent(row.all),
        percent(row.after),
        percent(row.lowest),
        percent(row.broken),
        percent(row.occupancy),
        String(row.overflowed),
      ]),
    ),
  ]
}
