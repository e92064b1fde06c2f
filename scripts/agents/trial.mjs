/** What one agent is put through, and what came of it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { differencesOf } from './differ.mjs'
import { openHouse } from './house.mjs'
import { openProvider } from './provider.mjs'
import { pathFor, placeFor, turn } from './run.mjs'

/** Turns of a session: what a person asks, a call of the shell, and an answer; each but the first resumes it. */
const turnCount = 8
const turns = Array.from({ length: turnCount }, (_, i) => [
  // a shell that ends at once is lost on an agent that listens late
  { call: `echo hello-${i}; seq 1 20; sleep 0.3`, expect: `hello-${i}` },
  { say: `Turn ${i + 1} is done.` },
]).flat()

/** Results of about 5 KB; the provider takes so little that a dozen of them fill it. */
const roundCount = 60
const rounds = [
  ...Array.from({ length: roundCount }, (_, i) => ({
    call: `echo begin-${i}; seq 1000 2000; echo end-${i}`,
    expect: `end-${i}`,
  })),
  { say: 'All rounds are done.' },
]

export async function tryAgent(client, { root, cache }) {
  const { direct, through, ...compared } = await pairOf(client, { root, cache })
  const long = await longTalk(client, {
    root: join(root, 'long'),
    cache,
    least: Math.max(0, ...direct.seen.map(({ tokens }) => tokens ?? 0)),
  })
  const mcp = client.hasMcp === false ? 'has no MCP' : await withMcp(client, { root: join(root, 'mcp'), cache })
  const task = await asTask(client, { root: join(root, 'task'), cache })
  return {
    client,
    mcp,
    task,
    direct: direct.verdict,
    through: through.verdict,
    recorded: through.recorded,
    ...compared,
    rounds: long,
    cached: cachedIn(direct.seen, through.seen),
  }
}

/** Agents differ from themselves now and then; what we change differs in every pair of runs. */
async function pairOf(client, { root, cache }, pair = 1) {
  const direct = await session(client, { root: join(root, 'one'), cache })
  const through = await session(client, { root: join(root, 'two'), cache, house: true })
  const compared = differencesOf(direct.seen, through.seen)
  if (compared.differences.length === 0 || pair === 3) return { direct, through, pair, ...compared }
  process.stderr.write(`${client.name}, once more: ${compared.differences[0]}\n`)
  for (const name of ['one', 'two']) rmSync(join(root, name), { recursive: true, force: true })
  return pairOf(client, { root, cache }, pair + 1)
}

async function session(client, { root, cache, house: isThrough = false }) {
  const provider = openProvider({ steps: turns })
  const url = `http://127.0.0.1:${await provider.listening()}`
  const house = isThrough ? await openHouse({ root: join(root, 'house'), provider: url }) : null
  const place = placeFor(client, { root, url: house?.url ?? url, cache })
  const codes = []
  for (let i = 0; i < turnCount; i++) {
    const { code, out } = await turn(place, i === 0 ? 'first' : 'next', `Run step ${i + 1}.`)
    codes.push(code === 0 && !out.includes(`Turn ${i + 1} is done`) ? 'silent' : code)
  }
  const recorded = house ? await recordedIn(house) : ''
  await house?.close()
  await provider.close()
  const isDone = codes.every((code) => code === 0) && talk(provider.seen).every(({ blind }) => !blind)
  return { verdict: isDone ? 'works' : `**fails** (${codes.join(', ')})`, recorded, seen: provider.seen }
}

/** It asks our MCP server, over stdio, for what another conversation said. */
async function withMcp(client, { root, cache }) {
  const steps = [
    { tool: 'conversation_search', input: { q: 'walrus' }, expect: 'forty-two tusks' },
    { say: 'The memory was read.' },
  ]
  const provider = openProvider({ steps })
  const url = `http://127.0.0.1:${await provider.listening()}`
  const house = await openHouse({ root: join(root, 'house'), provider: url })
  await post(house, '/api/v1/conversations', { id: 'animals' })
  await post(house, '/api/v1/conversations/animals/messages', {
    messages: [{ role: 'user', content: 'The walrus has forty-two tusks.' }],
  })
  const place = placeFor(client, { root, url: house.url, cache, server: house.server })
  const { code, out } = await turn(place, 'first', 'Look it up.')
  await house.close()
  await provider.close()
  const isRead = talk(provider.seen).every(({ blind }) => !blind) && /memory was read/.test(out)
  return code === 0 && isRead ? 'works' : `**fails** (${code})`
}

/** A task's runner starts it: it is pointed at the service, its session names the task, and the task ends with it. */
async function asTask(client, { root, cache }) {
  const steps = [{ call: 'echo hello-task', expect: 'hello-task' }, { say: 'The task is done.' }]
  const provider = openProvider({ steps })
  const url = `http://127.0.0.1:${await provider.listening()}`
  const [home, work] = [join(root, 'house'), join(root, 'work')]
  mkdirSync(work, { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: work })
  const keys = { ANTHROPIC_API_KEY: 'test-key', OPENAI_API_KEY: 'test-key', GEMINI_API_KEY: 'test-key' }
  const settings = { ...keys, PATH: pathFor(client, cache) }
  const house = await openHouse({ root: home, provider: url, settings })
  client.task.setup(home, house.url, work)
  const { task_id } = await post(house, '/api/v1/tasks', { description: 'Run the step.', client_cwd: work })
  const { runner, model } = client.task
  const { agent_id } = await post(house, `/api/v1/tasks/${task_id}/agents`, { runner, ...(model && { model }) })
  const status = await ended(house, task_id)
  const { items } = await get(house, '/api/v1/conversations?limit=10')
  const isRecorded = items.some(({ meta }) => meta.task === task_id && !meta.side)
  const { out } = await house.cli('task', 'output', agent_id)
  await house.close()
  await provider.close()
  const made = talk(provider.seen)
  if (status === 'completed' && isRecorded && made.length === 2 && made.every(({ blind }) => !blind)) return 'works'
  process.stderr.write(`${out.slice(-600)}\n`)
  return `**task ${status}, ${isRecorded ? 'recorded' : 'not recorded under it'}, ${made.length} requests**`
}

async function ended(house, task) {
  for (let tries = 0; tries < 2_400; tries++) {
    const { task: now } = await get(house, `/api/v1/tasks/${task}`)
    if (now.status !== 'active') return now.status
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 'active'
}

const get = async ({ url }, path) => (await fetch(`${url}${path}`)).json()

async function post({ url }, path, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function recordedIn(house) {
  const { out } = await house.cli('list', '--json')
  const { items } = JSON.parse(out)
  const [only] = items
  if (items.length !== 1) return `**${items.length} conversations**`
  return only.title === 'Run step 1.' ? 'yes' : `**titled ${only.title}**`
}

async function longTalk(client, { root, cache, least }) {
  const provider = openProvider({ steps: rounds, limit: least + 15_000 })
  const url = `http://127.0.0.1:${await provider.listening()}`
  const house = await openHouse({ root: join(root, 'house'), provider: url })
  const place = placeFor(client, { root, url: house.url, cache })
  const { code, out } = await turn(place, 'first', 'Run all the rounds.', 900)
  await house.close()
  await provider.close()
  const made = talk(provider.seen)
  const blind = made.filter((one) => one.blind).length
  const refused = provider.seen.filter((one) => one.refused !== undefined).length
  if (refused === 0) return '**was never over the limit**'
  if (code === 0 && /All rounds are done/.test(out) && blind === 0) return 'works'
  return `**${made.length - 1} rounds, ${blind} blind, exit ${code}**`
}

const talk = (seen) => seen.filter(({ side, status }) => side === false && status === 200)

/** A provider's cache is read as much as without us, or within two points of it. */
function cachedIn(direct, through) {
  const [one, other] = [shareOf(direct), shareOf(through)]
  const told = `${one.toFixed(1)} % / ${other.toFixed(1)} %`
  return other >= one - 2 ? told : `**${told}**`
}

/** Of the tokens of the talk, in percent. */
function shareOf(seen) {
  const [input, cached] = talk(seen).reduce(
    ([all, read], { usage }) => [all + usage.input, read + usage.cached],
    [0, 0],
  )
  return input === 0 ? 0 : (cached / input) * 100
}
