// node examples/handoff/run.mjs: from a conversation to the findings of three agents, with nothing but Node.
// It asserts every step and ends with 1 if one of them is wrong.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { conversation } from './conversation.mjs'
import { name as modelName, startModel, textOf } from './model-server.mjs'

/** What no agent may miss; words that the user never said show how the example fails. */
const wishes = process.argv.length > 2 ? process.argv.slice(2) : ['JWT tokens first', 'do not touch the sessions']

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const [main, script, project] = ['../../dist/doors/cli.js', './agent.mjs', './project'].map(pathOf)
const folder = mkdtempSync(join(tmpdir(), 'throughline-handoff-'))
const db = join(folder, 'handoff.db')
const config = join(folder, 'settings.json')
const model = await startModel('login.js')
const client = new Client({ name: 'orchestrator', version: '1.0.0' })

try {
  writeFileSync(config, JSON.stringify(settings()))
  const args = [main, 'mcp', '--db', db, '--config', config]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  await handOff()
} catch (error) {
  process.stderr.write(`\nThe hand-off went wrong: ${error.message}\n`)
  process.exitCode = 1
} finally {
  await client.close()
  model.close()
  rmSync(folder, { recursive: true, force: true })
}

/** One program as an agent, one model server, and one folder in which agents may work. */
function settings() {
  return {
    agents: { script: { command: process.execPath, args: [script, main, db, ...wishes] } },
    agent_roots: [project],
    providers: { example: { url: model.url, models: [modelName] } },
    model: `example/${modelName}`,
    detect_models: false,
  }
}

async function handOff() {
  const conversation_id = await talk()
  const task_id = await createTask(conversation_id)
  const parts = { investigator: 'script', builder: 'script', reviewer: 'model' }
  const agents = {}
  for (const [part, runner] of Object.entries(parts)) agents[part] = await deploy(task_id, part, runner)

  const status = await ended(task_id, 3)
  const findings = status.recent.filter(({ type }) => type === 'finding')
  for (const { finding_type, message } of findings) say('finding', `${finding_type}: ${message}`)
  assert.deepEqual(status.agent_states, { completed: 3 })
  assert.deepEqual(status.finding_severities, { high: 2, medium: 1 })
  const of = (part) => findings.find(({ agent_id }) => agent_id === agents[part])
  for (const part of ['investigator', 'builder'])
    assert.equal(of(part).message, `the ${part} knows why the task exists`)
  assert.equal(of('reviewer').message, 'login.js says TODO: sign the token with a key of its own')
  checkModel(of('investigator').data.shared, of('builder').data.shared)

  const { text } = await call('get_agent_output', { task_id, agent_id: agents.reviewer })
  say('reviewer', text.trim())
  assert.match(text, /login\.js is reviewed\. TODO: sign the token/)
  await complete(task_id)
}

/** The user talks; every turn is kept as it is said. */
async function talk() {
  let conversation_id
  for (const message of conversation) {
    say(message.role === 'user' ? 'user' : 'orchestrator', message.content)
    const kept = await call('conversation_append', {
      ...(conversation_id ? { conversation_id } : { title: 'Authentication' }),
      messages: [message],
    })
    conversation_id = kept.conversation_id
  }
  return conversation_id
}

async function createTask(conversation_id) {
  const task = await call('create_real_task', {
    description: 'Implement JWT tokens',
    priority: 'P1',
    client_cwd: project,
    relevant_files: ['login.js'],
    success_criteria: ['A token that was changed is refused'],
    conversation_history: { conversation: conversation_id },
  })
  assert.equal(task.conversation_messages_count, conversation.length)
  assert.deepEqual(task.warnings, [])
  say('task', `${task.description} (${task.priority}), with the ${conversation.length} messages that led to it`)
  return task.task_id
}

async function deploy(task_id, agent_type, runner) {
  const given = { task_id, agent_type, prompt: 'Be brief.', parent: 'orchestrator', runner, timeout_seconds: 60 }
  const { agent_id, prompt_tokens } = await call('deploy_headless_agent', given)
  say(agent_type, `deployed with the runner ${runner}; its prompt has ${prompt_tokens} tokens`)
  return agent_id
}

async function ended(task_id, count) {
  for (let tries = 0; tries < 600; tries++) {
    const status = await call('get_real_task_status', { task_id })
    const { queued = 0, running = 0, ...rest } = status.agent_states
    const over = Object.values(rest).reduce((sum, number) => sum + number, 0)
    if (queued + running === 0 && over === count) return status
    await setTimeout(100)
  }
  throw new Error('the agents do not end')
}

/** The model saw the user's words and the file, and the same bytes as the two programs. */
function checkModel(...shared) {
  const [first, second, third] = model.requests
  assert.equal(model.requests.length, 3)
  assert.ok(first.tools.some((tool) => tool.function.name === 'read_file'))
  const [prompt] = textOf(first.messages.find(({ role }) => role === 'user').content).split(/^YOUR PART: /m)
  for (const words of wishes) assert.ok(prompt.includes(words), `the model was not told: ${words}`)
  const hash = createHash('sha256').update(prompt).digest('hex')
  assert.deepEqual(shared, [hash, hash])
  say('orchestrator', 'all three read the same history, byte for byte')
  assert.match(textOf(second.messages.at(-1).content), /TODO: sign the token/)
  assert.equal(textOf(third.messages.at(-1).content), 'reported')
}

async function complete(task_id) {
  const { task_status } = await call('update_agent_progress', {
    task_id,
    agent_id: 'orchestrator',
    status: 'completed',
    message: 'three agents reported',
    progress: 100,
    task_state: 'completed',
    result: { findings: 3 },
  })
  assert.equal(task_status, 'completed')
  say('task', 'completed')
}

async function call(name, given) {
  const answer = await client.callTool({ name, arguments: given })
  assert.equal(answer.isError, undefined, answer.content.map(({ text }) => text).join('\n'))
  return answer.structuredContent
}

function say(who, words) {
  process.stdout.write(`${who.padEnd(14)}${words}\n`)
}
