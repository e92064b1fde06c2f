// How much of a request its predecessor has already paid for: what a provider's prompt cache can reuse.

import { trimMessages } from '@langchain/core/messages'
import { assemble, createMemo } from '../dist/index.js'
import { conversations, dice } from './lib/history.mjs'
import { digest, exact } from './lib/ours.mjs'
import { langchainMessage, langchainOptions, memoised } from './lib/peers.mjs'
import { percent, table, whole } from './lib/table.mjs'

const budget = 8_000
const bar = 0.75
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
  'sliding window of turns': () => sliding,
  'LangChain trimMessages': () => langchain(),
}

function balanced(target) {
  const memo = createMemo()
  return (turns, question) => {
    const made = assemble({ messages: turns.flat(), current: question }, 'balanced', {
      model: 'gpt-4o',
      budget,
      target,
      counter: exact,
      digest,
      memo,
    })
    if (!made.ok) throw new Error(`assemble refused: ${made.error.message}`)
    return { messages: made.rendered.messages, used: made.receipt.budget.used, cut: made.receipt.totals.dropped > 0 }
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
  let excess = 0
  for (let i = 0; i < history.length; i++) {
    const made = await build(history.slice(0, i), history[i][0])
    const now = made.messages.map((message) => JSON.stringify(message))
    if (i > 0) all.push(shared(before, now))
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

function bars(rows) {
  return rows
    .filter((row) => row.method.startsWith('balanced'))
    .map((row) => ({
      bar: `prefix shared with the request before, ${row.conversation}, ${row.method}: at least 75 %`,
      ok: row.all >= bar && row.after >= bar,
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
