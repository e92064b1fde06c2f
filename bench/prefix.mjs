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
const large = 100_000
/** What the request before must have paid for, at 8,000 tokens and at 100,000. */
const bars8 = { 'text only': 0.8, 'tool-heavy': 0.62, 'mixed, long pastes': 0.72 }
const bar100 = 0.88
/** With recall, which is another from turn to turn, and with summaries, so much less. */
const recallLoss = 0.05
const usedBar = { steps: 0.75, full: 0.95 }
/** Parts of the budget that a step may free, from none to half of it. */
const curve = [0, 1 / 12, 1 / 6, 1 / 4, 1 / 3, 1 / 2]
const caching = { read: 0.25, write: 1, least: 1_024 }
/** Input tokens that Anthropic's cache gives back between two cuts. */
const cacheBar = 0.85
const tokens = memoised(exact.count)

export async function prefix({ quick, say }) {
  const turns = quick ? 100 : 300
  const rows = []
  const big = []
  const steps = []
  for (const [conversation, turn] of Object.entries(conversations)) {
    const random = dice(300)
    const history = Array.from({ length: turns }, (_, i) => turn(random, i))
    for (const [method, open] of Object.entries(methods)) {
      say(`  prefix, ${conversation}: ${method}`)
      rows.push({ conversation, method, ...(await follow(history, open())) })
    }
    for (const [method, open] of Object.entries(larger)) {
      say(`  prefix at ${whole(large)}, ${conversation}: ${method}`)
      big.push({ conversation, method, ...(await follow(history, open(), large)) })
    }
    for (const step of curve) {
      say(`  prefix, ${conversation}: steps of ${percent(step)}`)
      const stepped = balanced('openai-chat', { overrides: { fit: { step } } })
      steps.push({ conversation, step, ...(await follow(history, stepped)) })
    }
  }
  return { budget, turns, rows, big, steps, bars: [...cacheBars(rows), ...prefixBars(rows, big)] }
}

/** Each takes the messages before a request and the question, and returns the request's messages with their cost. */
const methods = {
  'balanced, openai-chat': () => balanced('openai-chat'),
  'balanced, anthropic': () => balanced('anthropic'),
  'balanced, nothing cached': () => balanced('openai-chat', { caching: null }),
  'stored, recall off, compaction off': () => stored({ recall: false, compaction: false }),
  'stored, recall on, compaction off': () => stored({ recall: true, compaction: false }),
  'stored, recall off, compaction on': () => stored({ recall: false, compaction: true }),
  'stored, recall on, compaction on': () => stored({ recall: true, compaction: true }),
  'sliding window of turns': () => sliding,
  'LangChain trimMessages': () => langchain(),
}

const larger = {
  'balanced, openai-chat': () => balanced('openai-chat', { budget: large }),
  'stored, recall on, compaction on': () => stored({ recall: true, compaction: true, most: large }),
}

function balanced(target, more = {}) {
  const memo = createMemo()
  return (turns, question) => {
    const made = assemble({ messages: turns.flat(), current: question }, 'balanced', {
      model,
      budget,
      target,
      counter: exact,
      digest,
      memo,
      ...more,
    })
    if (!made.ok) throw new Error(`assemble refused: ${made.error.message}`)
    const cached = target === 'anthropic' ? [...midway(turns, memo), breakpoints(made)] : null
    return {
      cached,
      messages: made.rendered.messages,
      used: made.receipt.request.used,
      cut: made.receipt.budget.limit !== null,
    }
  }
}

const breakpoints = ({ rendered, receipt }) => ({
  ...withBreakpoints({ model: 'claude-sonnet-4-5', ...rendered }),
  dropped: receipt.totals.dropped,
})

/** The requests inside the turn before: an agent asks again after each round of results. */
function midway(turns, memo) {
  const turn = turns.at(-1) ?? []
  const before = turns.slice(0, -1).flat()
  const asked = turn.flatMap(({ role }, i) => (role === 'assistant' && i > 1 ? [turn.slice(0, i)] : []))
  return asked.map((begun) => {
    const options = { model, budget, target: 'anthropic', counter: exact, digest, memo }
    const made = assemble({ messages: [...before, ...begun] }, 'balanced', options)
    if (!made.ok) throw new Error(`assemble refused: ${made.error.message}`)
    return breakpoints(made)
  })
}

/** The product's default, with a store behind it. */
function stored({ recall, compaction, most = budget }) {
  const opened = openHistory({ store: memoryStore(), model, recaller: recall ? createRecaller() : null })
  let written = 0
  return async (turns, question) => {
    const history = await opened
    const fresh = turns.slice(written).flat()
    written = turns.length
    if (fresh.length > 0) await history.append(fresh)
    if (compaction) await history.compact({ budget: most, counter: exact })
    const made = await history.window({ current: question, budget: most, model, target: 'openai-chat', counter: exact })
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
async function follow(history, build, most = budget) {
  let before = []
  const all = []
  const after = []
  const used = []
  const cache = promptCache()
  const seldom = promptCache()
  const read = []
  const perTurn = []
  let excess = 0
  let paid = 0
  for (let i = 0; i < history.length; i++) {
    const made = await build(history.slice(0, i), history[i][0])
    const now = made.messages.map((message) => JSON.stringify(message))
    if (i > 0) all.push(shared(before, now))
    paid += made.used * (i === 0 ? 1 : priceOf(all.at(-1), made.used))
    if (made.cached) read.push(...made.cached.map(cache))
    if (made.cached) perTurn.push(seldom(made.cached.at(-1)))
    if (i > 0 && made.cut) {
      after.push(all.at(-1))
      used.push(made.used / most)
    }
    excess = Math.max(excess, made.used - most)
    before = now
  }
  return {
    all: mean(all),
    after: mean(after),
    lowest: Math.min(...after),
    broken: after.filter((share) => share < 0.5).length / after.length,
    occupancy: mean(used),
    emptiest: Math.min(...used),
    overflowed: after.length,
    excess,
    /** What a request costs on average, in tokens at the full price. */
    price: paid / history.length,
    ...(read.length > 0 && { cache: costs(read), perTurn: costs(perTurn) }),
  }
}

/** For each token of a request, when so much of it is known to the provider. */
const priceOf = (share, used) => (share * used < caching.least ? 1 : share * caching.read + (1 - share) * caching.write)

/** As Anthropic's documents have it: looked for up to 20 blocks back from a breakpoint, written up to the last one. */
function promptCache(lookback = 20) {
  const known = new Set()
  let before = 0
  return ({ system, messages, dropped }) => {
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
    // a cut leaves messages out that the request before still had; what is merely shortened is no cut
    const cut = dropped > before
    before = dropped
    return { read, written, total: sum, cut }
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
    requests: requests.length,
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

const plain = 'balanced, openai-chat'
const fullest = 'stored, recall on, compaction on'

const cacheBars = (rows) =>
  rows
    .filter(({ cache }) => cache)
    .map(({ conversation, cache, perTurn }) => ({
      bar: `input tokens read from Anthropic's cache between cuts, ${conversation}: at least ${100 * cacheBar} %`,
      ok: cache.between >= cacheBar,
      figure: `${told(cache)}; were a turn one request: ${told(perTurn)}`,
    }))

const told = ({ between, cuts, requests, all, paid }) =>
  `${percent(between)} between ${cuts} cuts in ${requests} requests, ${percent(all)} with those after a cut, input at ${percent(paid)} of its price`

function prefixBars(rows, big) {
  const at8 = (row, loss = 0) => reuse(row, bars8[row.conversation] - loss, budget)
  const at100 = (row, loss = 0) => reuse(row, bar100 - loss, large)
  const lossOf = ({ method }) => (method === fullest ? recallLoss : 0)
  return [
    ...rows.filter(({ method }) => method === plain || method === fullest).map((row) => at8(row, lossOf(row))),
    ...rows.filter(({ method }) => method === plain).map((row) => filled(row, usedBar.steps)),
    ...rows.filter(({ method }) => method === 'balanced, nothing cached').map((row) => filled(row, usedBar.full)),
    ...big.map((row) => at100(row, lossOf(row))),
  ]
}

const reuse = (row, least, most) => ({
  bar: `prefix shared with the request before, ${whole(most)} tokens, ${row.conversation}, ${row.method}: at least ${percent(least)}`,
  ok: row.all >= least,
  figure:
    row.overflowed === 0
      ? `${percent(row.all)}, all of it fits`
      : `${percent(row.all)} of all, ${percent(row.after)} after the overflow`,
})

const filled = (row, least) => ({
  bar: `budget used after the overflow, ${row.conversation}, ${row.method}: at least ${percent(least)} on average`,
  ok: row.occupancy >= least,
  figure: percent(row.occupancy),
})

export function prefixTables({ turns, rows, big, steps }) {
  const heads = ['all', 'after overflow', 'lowest', 'under half', 'budget used', 'requests after overflow']
  const cells = (row) => [
    percent(row.all),
    percent(row.after),
    percent(row.lowest),
    percent(row.broken),
    percent(row.occupancy),
    String(row.overflowed),
  ]
  const named = (row) => [`${row.conversation}: ${row.method}`, ...cells(row)]
  return [
    table(
      `Input tokens that are a byte prefix of the request before: ${turns} turns, ${whole(budget)} tokens, o200k exact`,
      ['conversation, method', ...heads],
      rows.map(named),
    ),
    table(`The same with ${whole(large)} tokens`, ['conversation, method', ...heads], big.map(named)),
    table(
      `What a step costs: the part of the budget it may free against reuse, fill and price (cached tokens at ${percent(caching.read)})`,
      [
        'conversation, step',
        'all',
        'after overflow',
        'budget used',
        'lowest use',
        'price of a request, in uncached tokens',
      ],
      steps.map((row) => [
        `${row.conversation}: ${percent(row.step)}`,
        percent(row.all),
        percent(row.after),
        percent(row.occupancy),
        percent(row.emptiest),
        whole(Math.round(row.price)),
      ]),
    ),
  ]
}
