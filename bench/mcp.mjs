// What a task costs at the MCP door: the time to validate its history, and the tokens of its prompt.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mcpServer } from '../dist/mcp/index.js'
import { validateConversationHistory } from '../dist/recipes/index.js'
import { memoryStore } from '../dist/store/index.js'
import { openTasks } from '../dist/tasks/index.js'
import { root } from '../scripts/lib/run.mjs'
import { measure } from './lib/measure.mjs'
import { exact } from './lib/ours.mjs'
import { table, time, whole } from './lib/table.mjs'

const count = 50
const most = { validation: 10, tokens: 20_000 }
const policy = 'handoff-user-first'
const presets = ['handoff-balanced', 'handoff-user-first', 'handoff-assistant-first']
/** So many tasks are kept before the store is a new one. */
const crowd = 200

const english =
  'The user dashboard page is taking over ten seconds to load, and we are running multiple queries in the layer. '
const chinese = '用户仪表板页面加载需要十多秒，我们在数据层中运行了多个查询，请先优化这些查询，再添加适当的索引。'
const code =
  'const rows = await db.query("select * from posts where user_id = $1", [user.id])\n  return rows.map(toPost)\n'

const history = (text, size, roleOf = () => 'user') =>
  Array.from({ length: count }, (_, at) => ({
    role: roleOf(at),
    content: `${at} ${text.repeat(Math.ceil(size / text.length))}`.slice(0, size),
    timestamp: '2025-10-29T10:00:00Z',
  }))
const taking = (at) => (at % 2 === 0 ? 'user' : 'assistant')

const histories = {
  '50 x 400 chars': history(english, 400, taking),
  '50 x 8,000 chars': history(english, 8_000),
}

export async function mcp({ quick, say }) {
  const box = quick ? 1_000 : 4_000
  const times = []
  for (const [name, messages] of Object.entries(histories))
    for (const [call, open] of Object.entries(calls)) {
      say(`  mcp, ${name}: ${call}`)
      const { run, prepare, close } = await open(messages)
      times.push({ history: name, call, ...(await measure(run, { box, most: 2_000, prepare })) })
      await close?.()
    }
  say('  mcp: tokens of the worst case')
  const tokens = await tokensOfTasks()
  return { times, tokens, bars: bars(times, tokens) }
}

const calls = {
  validation: (messages) => ({ run: () => validateConversationHistory(messages, { policy }) }),
  'MCP call, refused at the last message': (messages) =>
    inProcess([...messages.slice(0, -1), { role: 'nobody', content: 'x' }], true),
  'MCP call, task created in memory': (messages) => inProcess(messages, false),
  'MCP call, stdio and SQLite': overStdio,
}

const given = (messages, preset = policy) => ({
  name: 'create_real_task',
  arguments: { description: 'Make the dashboard fast', preset, conversation_history: messages },
})

function expecting(answer, refused) {
  if (Boolean(answer.isError) !== refused) throw new Error(`not expected: ${JSON.stringify(answer).slice(0, 300)}`)
  return answer.structuredContent
}

async function connected() {
  const store = memoryStore()
  const tasks = openTasks({ store })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = mcpServer({ store, tasks })
  await server.connect(ours)
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(theirs)
  const close = async () => {
    await client.close()
    await tasks.close()
  }
  return { client, close }
}

async function inProcess(messages, refused) {
  const request = given(messages)
  let session = await connected()
  let made = 0
  return {
    async prepare() {
      if (++made % crowd !== 0) return
      await session.close()
      session = await connected()
    },
    run: async () => expecting(await session.client.callTool(request), refused),
    close: () => session.close(),
  }
}

async function overStdio(messages) {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-mcp-'))
  const args = [join(root, 'dist', 'cli', 'main.js'), 'mcp', '--db', join(folder, 'mcp.db')]
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const request = given(messages)
  return {
    run: async () => expecting(await client.callTool(request), false),
    async close() {
      await client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The prompt as an agent reads it, counted by the task and by o200k. */
async function tokensOfTasks() {
  const { client, close } = await connected()
  const rows = []
  for (const preset of presets)
    for (const [text, words] of Object.entries({ English: english, code, Chinese: chinese })) {
      // specification 2 refuses users that say more than 300 chars
      const role = preset === 'handoff-assistant-first' ? 'assistant' : 'user'
      const messages = history(words, 8_000, () => role)
      const { task_id, history: told } = expecting(await client.callTool(given(messages, preset)), false)
      const status = await client.callTool({ name: 'get_real_task_status', arguments: { task_id, include: 'prompt' } })
      const { contents } = await client.readResource({ uri: `task://${task_id}/prompt` })
      const { tokens } = expecting(status, false).prompt
      rows.push({ preset, text, shown: told.kept + told.clipped, tokens, exact: exact.count(contents[0].text) })
    }
  await close()
  return rows
}

function bars(times, tokens) {
  const validation = times.filter(({ call }) => call === 'validation')
  const refused = times.filter(({ call }) => call.includes('refused'))
  const p99 = (rows) => Math.max(...rows.map((row) => row.p99))
  return [
    {
      bar: `validation of ${count} messages under ${most.validation} ms p99`,
      ok: p99(validation) < most.validation,
      figure: validation.map((row) => `${time(row.p99)} (${row.history})`).join(', '),
    },
    {
      bar: `the whole MCP call that validates ${count} messages under ${most.validation} ms p99`,
      ok: p99(refused) < most.validation,
      figure: refused.map((row) => `${time(row.p99)} (${row.history})`).join(', '),
    },
    ...Object.entries({ tokens: 'as the task counts', exact: 'of o200k' }).flatMap(([key, how]) =>
      budgets(tokens, key, how),
    ),
  ]
}

/** One for each preset, over all texts. */
const budgets = (tokens, key, how) =>
  presets.map((preset) => {
    const rows = tokens.filter((row) => row.preset === preset).sort((one, other) => other[key] - one[key])
    return {
      bar: `a task of ${count} x 8,000 chars under ${whole(most.tokens)} tokens ${how}, ${preset}`,
      ok: rows[0][key] <= most.tokens,
      figure: rows.map((row) => `${whole(row[key])} (${row.text})`).join(', '),
    }
  })

export const mcpTables = ({ times, tokens }) => [
  table(
    `MCP: ${count} messages, ${policy}`,
    ['', 'history', 'p50', 'p99', 'calls'],
    times.map(({ history, call, median, p99, calls }) => [call, history, time(median), time(p99), whole(calls)]),
  ),
  table(
    `MCP: tokens of the prompt of a task, ${count} x 8,000 chars given`,
    ['preset', 'text', 'messages shown', 'tokens', 'o200k'],
    tokens.map(({ preset, text, shown, ...row }) => [preset, text, whole(shown), whole(row.tokens), whole(row.exact)]),
  ),
]
