// What passing a request on costs: the time to the first byte of its answer, asked directly and through the service.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHouse } from '../scripts/agents/house.mjs'
import { table, time } from './lib/table.mjs'

/** Most milliseconds that are added, by the size of the request. */
const most = { 150: 10, 600: 30 }
const kilobytes = Object.keys(most).map(Number)

/** `turns`: how many requests of the session come before those that are measured. */
export async function forward({ quick, say }) {
  const runs = quick ? 12 : 40
  const rows = []
  const provider = await openProvider()
  const root = mkdtempSync(join(tmpdir(), 'throughline-forward-'))
  const house = await openHouse({ root, provider: provider.url })
  try {
    for (const size of kilobytes)
      for (const turns of quick ? [0] : [0, 200]) {
        say(`  forward, ${size} KB after ${turns} turns`)
        rows.push({ size, turns, ...(await compared({ house, provider, size, turns, runs })) })
      }
  } finally {
    await house.close()
    await provider.close()
    rmSync(root, { recursive: true, force: true })
  }
  return { rows, bars: bars(rows) }
}

export const forwardTables = ({ rows }) => [
  table(
    'A request that is passed on: time to the first byte',
    ['request', 'turns before it', 'direct', 'through us', 'added, median of pairs', 'added, 90 %'],
    rows.map(({ size, turns, direct, through, added, late }) => [
      `${size} KB`,
      String(turns),
      ...[direct, through, added, late].map(time),
    ]),
  ),
]

const bars = (rows) =>
  rows.map(({ size, turns, added }) => ({
    bar: `at most ${most[size]} ms to the first byte at ${size} KB after ${turns} turns`,
    ok: added <= most[size],
    figure: `${added.toFixed(1)} ms`,
  }))

/** Asked in pairs, so that what else the machine does falls on both. */
async function compared({ house, provider, size, turns, runs }) {
  const id = `session-${size}-${turns}`
  const history = [{ role: 'user', content: 'Begin.' }]
  const grow = (length) => {
    const i = history.length
    history.push(
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `toolu_${i}`, name: 'Bash', input: { command: `run ${i}` } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `toolu_${i}`, content: `${i} ${'x'.repeat(length)}` }],
      },
    )
  }
  const full = size * 1024
  const rounds = Math.max(turns, 20)
  while (history.length < 2 * rounds) {
    grow(Math.floor(full / rounds) - 220)
    // a session grows request by request, and what is kept of it does, too
    if (history.length < 2 * turns) await ask(house.url, id, history)
  }
  const [direct, through] = [[], []]
  for (let run = 0; run < runs; run++) {
    grow(100)
    direct.push(await ask(provider.url, id, history))
    through.push(await ask(house.url, id, history))
    // what was passed on is recorded beside it: the next request does not come in the same moment
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const added = through.map((ms, i) => ms - direct[i])
  return { direct: at(direct, 0.5), through: at(through, 0.5), added: at(added, 0.5), late: at(added, 0.9) }
}

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]

/** Milliseconds to the first byte of the body; the rest is read as well. */
async function ask(url, session, messages) {
  const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 100, stream: true, tools, messages })
  const began = performance.now()
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'test-key',
      'user-agent': 'claude-cli/2',
      'x-claude-code-session-id': session,
    },
    body,
  })
  const reader = response.body.getReader()
  await reader.read()
  const ms = performance.now() - began
  while (!(await reader.read()).done);
  if (response.status !== 200) throw new Error(`answered with ${response.status}`)
  return ms
}

const tools = [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }]

/** In a process of its own: it answers at once, when it has the whole request. */
async function openProvider() {
  const { fork } = await import('node:child_process')
  const child = fork(new URL('./lib/answering.mjs', import.meta.url))
  const port = await new Promise((resolve) => child.once('message', resolve))
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((end) => child.once('exit', end) && child.kill()) }
}
