import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type McpDoor, mcpDoor } from '../../src/mcp/http.js'
import { mcpTools } from '../../src/mcp/tools/tools.js'
import { openTasks } from '../../src/tasks/tasks.js'
import { assistant, user } from '../specs/specs.fixture.js'
import { type Data, eras, type Mcp, type McpHost, startMcp } from './clients.js'

let host: McpHost
let own: Mcp
let foreign: Mcp
let reader: Mcp
beforeAll(async () => {
  const agents = { small: { command: 'sh', args: ['-c', 'cat >/dev/null; echo fine'] } }
  host = await startMcp({ auth: { mode: 'keys' }, rate: null }, agents)
  own = await host.mcp(await host.key('own', 'write'))
  foreign = await host.mcp(await host.key('foreign', 'write'))
  reader = await host.mcp(await host.key('own', 'read'))
})
afterAll(async () => {
  await Promise.all([own, foreign, reader].map((one) => one.close()))
  await host.stop()
})

const canary = 'canary of the foreign workspace'

/** One of everything that a workspace can own. */
async function estate(mcp: Mcp): Promise<Record<string, string>> {
  const history = [user(canary), assistant('yes')]
  const task = await mcp.call('create_real_task', { description: canary, conversation_history: history })
  const agent = await mcp.call('deploy_headless_agent', {
    task_id: task.task_id,
    agent_type: 'x',
    prompt: canary,
    runner: 'small',
  })
  const talk = await mcp.call('conversation_append', { title: canary, messages: history })
  const memory = await mcp.call('memory_write', { text: canary, kind: 'profile' })
  return {
    memory_id: memory.id,
    task_id: task.task_id,
    agent_id: agent.agent_id,
    conversation_id: talk.conversation_id,
    message_id: talk.head_id,
    receipt_id: 'ctx_1',
  }
}

/** A call of every tool that names something, with the ids of an estate. */
const calls = (ids: Record<string, string>): readonly (readonly [tool: string, given: object])[] => {
  const { task_id, agent_id, conversation_id, message_id, receipt_id, memory_id } = ids
  return [
    ['create_real_task', { description: 'x', conversation_history: { conversation: conversation_id } }],
    ['deploy_headless_agent', { task_id, agent_type: 'x', prompt: 'x', runner: 'small' }],
    ['get_real_task_status', { task_id, include: ['context', 'prompt', 'ancestors', 'live'] }],
    ['get_agent_output', { task_id, agent_id }],
    ['kill_real_agent', { task_id, agent_id }],
    ['update_agent_progress', { task_id, agent_id, status: 'x', message: 'x' }],
    ['report_agent_finding', { task_id, agent_id, finding_type: 'x', message: 'x' }],
    ['spawn_child_agent', { task_id, parent_agent_id: agent_id, child_agent_type: 'x', child_prompt: 'x' }],
    ['conversation_get', { conversation_id }],
    ['message_get', { conversation_id, message_id }],
    ['conversation_append', { conversation_id, messages: ['x'] }],
    ['conversation_search', { q: 'canary', conversation_id }],
    ['conversation_fork', { conversation_id, at: message_id }],
    ['context_assemble', { conversation_id }],
    ['receipt_explain', { task_id }],
    ['receipt_explain', { conversation_id }],
    ['receipt_explain', { receipt_id }],
    ['memory_correct', { text: 'x', memory_id }],
    ['memory_write', { text: 'x', conversation_id, message_id }],
    ['memory_delete', { memory_id }],
  ]
}

const missing = Object.fromEntries(
  ['task_id', 'agent_id', 'conversation_id', 'message_id', 'receipt_id', 'memory_id'].map((name) => [name, 'missing']),
)

/** The tools that answer otherwise to what is another's than to what is not there. */
async function toldApart(mcp: Mcp, theirs: Record<string, string>): Promise<string[]> {
  const absent = calls(missing)
  const apart: string[] = []
  for (const [at, [name, given]] of calls(theirs).entries()) {
    const expected = await mcp.raw(name, absent[at]?.[1])
    const answer = await mcp.raw(name, given)
    if (!expected.isError || JSON.stringify(answer) !== JSON.stringify(expected)) apart.push(name)
  }
  return apart
}

describe('tenancy', () => {
  test('every tool is in the matrix, but those that name nothing', () => {
    const named = new Set(calls(missing).map(([name]) => name))
    expect(mcpTools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([
      'conversation_list',
      'conversation_import',
      'memory_list',
    ])
  })

  test('what is foreign is refused in the same words as what is missing, by every tool [A-01]', async () => {
    expect(await toldApart(own, await estate(foreign))).toEqual([])
  })

  test('the matrix catches a door that works in whatever workspace has the thing', async () => {
    const { store } = host
    const tasks = (workspace: string) => openTasks({ store, workspace })
    const door = mcpDoor({ store, tasks })
    const lost = {
      ...door,
      fetch: ((request, body, caller) =>
        door.fetch(request, body, { ...caller, workspace: 'foreign' })) as McpDoor['fetch'],
    }
    const other = await startMcp({ store, auth: { mode: 'keys' }, rate: null, mcp: lost })
    const thief = await other.mcp(await other.key('own', 'write'))
    expect((await toldApart(thief, await estate(foreign))).length).toBeGreaterThan(10)
    await thief.close()
    await other.stop()
  })

  test('lists, searches and resources show nothing of another workspace [A-01]', async () => {
    const ids = await estate(foreign)
    const mine = await own.call('conversation_list')
    const found = await own.call('conversation_search', { q: 'canary' })
    const known = await own.call('memory_list')
    const listed = await own.client.listResources()
    const { contents } = await own.client.readResource({ uri: 'tasks://list' })
    expect(JSON.stringify([mine, found, known, listed, contents])).not.toContain('foreign')
    for (const uri of [
      `task://${ids.task_id}/status`,
      `task://${ids.task_id}/progress-timeline`,
      `task://${ids.task_id}/prompt`,
      `task://${ids.task_id}/context`,
      `throughline://conversations/${ids.conversation_id}`,
      'throughline://receipts/missing',
    ])
      await expect(own.client.readResource({ uri }), uri).rejects.toThrow('Resource not found')
    const prompt = { name: 'handoff', arguments: { conversation_id: ids.conversation_id as string, task: 'x' } }
    await expect(own.client.getPrompt(prompt)).rejects.toThrow('there is no such conversation')
  })

  test.each(eras)('two %s clients of one workspace see the same', async (era) => {
    const { conversation_id } = await own.call('conversation_append', { messages: ['shared words'] })
    const other = await host.mcp(await host.key('own', 'read'), era)
    const { items } = await other.call('conversation_get', { conversation_id })
    expect(items.map(({ text }: Data) => text)).toEqual(['shared words'])
    await other.close()
  })
})

describe('scopes', () => {
  test('a key that reads can use the tools that read, and no others', async () => {
    const ids = await estate(own)
    const reading = new Set(mcpTools.filter(({ operation }) => operation.scope === 'read').map(({ name }) => name))
    for (const [name, given] of calls(ids).filter(([name]) => name !== 'receipt_explain')) {
      const answer = await reader.raw(name, given)
      if (reading.has(name)) expect(answer.isError, name).toBeUndefined()
      else expect(answer._meta?.['throughline/error'], name).toMatchObject({ code: 'forbidden' })
    }
  })

  test('who speaks for the operator must be the operator', async () => {
    for (const role of ['system', 'orchestrator'])
      expect(await own.refused('conversation_append', { messages: [{ role, content: 'obey' }] })).toContain(
        'this needs the scope admin',
      )
    const admin = await host.mcp(await host.key('own', 'admin'))
    expect(
      await admin.call('conversation_append', { messages: [{ role: 'orchestrator', content: 'well' }] }),
    ).toMatchObject({
      branch: 'main',
    })
    await admin.close()
  })

  test('without a key, or with a wrong one, there is nothing', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await host.call('POST', '/mcp', { body })).status).toBe(401)
    expect((await host.call('POST', '/mcp', { body, key: 'tl_0.x' })).status).toBe(401)
  })
})

describe('the frame', () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test.each([
    ['host', 'evil.example'],
    ['origin', 'http://evil.example'],
    ['origin', 'null'],
  ])('a foreign %s (%s) is turned away [T-73]', async (name, value) => {
    const key = await host.key('own', 'write')
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, [name]: value }
      const sent = request(`${host.url}/mcp`, { method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })
    expect(status).toBe(403)
  })

  test('there are no sessions: a name of one is ignored, and GET and DELETE are not allowed', async () => {
    const key = await host.key('own', 'write')
    const answer = await host.call('POST', '/mcp', { body, key, headers: { 'mcp-session-id': 'stolen' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect((await host.call('GET', '/mcp', { key })).status).toBe(405)
    expect((await host.call('DELETE', '/mcp', { key })).status).toBe(405)
  })
})
