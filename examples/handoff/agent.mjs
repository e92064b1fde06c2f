// A small agent: reads its task on stdin, asserts what it got, and reports back by MCP to the same database.
// node agent.mjs THROUGHLINE_MAIN DATABASE WORDS... (the words that the user must be quoted with)
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [main, db, ...expected] = process.argv.slice(2)
const { THROUGHLINE_TASK: task_id, THROUGHLINE_AGENT: agent_id } = process.env
const prompt = await text(process.stdin)

const client = new Client({ name: 'agent', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', '--db', db] }))
const call = async (name, given) => {
  const answer = await client.callTool({ name, arguments: { task_id, agent_id, ...given } })
  assert.equal(answer.isError, undefined, JSON.stringify(answer.content))
}

await call('update_agent_progress', { status: 'working', message: 'reading', progress: 10 })
// what all agents of the task get, and behind it the words for this one
const [shared, own = ''] = prompt.split(/^YOUR PART: /m)
try {
  assert.match(shared, /CONVERSATION HISTORY \(Leading to This Task\):/)
  for (const words of expected) assert.ok(shared.includes(words), `the words of the user are missing: ${words}`)
  assert.ok(own.includes(`You are agent ${agent_id} of task ${task_id}`), 'the agent is not named')
  const [part] = own.split(',')
  await call('report_agent_finding', {
    finding_type: 'insight',
    severity: 'high',
    message: `the ${part} knows why the task exists`,
    data: { shared: createHash('sha256').update(shared).digest('hex') },
  })
  await call('update_agent_progress', { status: 'completed', message: 'done', progress: 100 })
} catch (error) {
  await call('report_agent_finding', { finding_type: 'issue', severity: 'critical', message: error.message })
  process.exitCode = 1
}
await client.close()
process.stdout.write(`{"agent":"${agent_id}"}\n`)
