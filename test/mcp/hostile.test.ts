import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, start } from '../../src/cli/cli.fixture.js'
import { deep } from '../runs.js'
import { times, user } from '../specs/specs.fixture.js'
import { type Data, eventually, freshDesk, type McpHost, type OverStdio, overStdio, startMcp } from './clients.js'

/** Bytes that an agent prints. */
const loud = deep ? 1_000_000_000 : 50_000_000

let mcp: OverStdio
let host: McpHost
beforeAll(async () => {
  await build()
  mcp = await overStdio(
    freshDesk({
      loud: { command: 'sh', args: ['-c', `head -c ${loud} /dev/zero | tr "\\\\0" x; echo; echo last words`] },
    }),
  )
  host = await startMcp()
}, 60_000)
afterAll(async () => {
  await mcp.close()
  await host.stop()
})

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
const task = { description: 'x' }

/** Still there, and still right. */
const alive = async () => expect((await mcp.call('create_real_task', task)).success).toBe(true)

describe('arguments', () => {
  test('of 11 MB are refused in words, and the server goes on', async () => {
    const conversation_history = times(11, () => user('x'.repeat(1024 * 1024)))
    expect(await mcp.refused('create_real_task', { ...task, conversation_history })).toMatch(/^too_large: .*bytes/)
    await alive()
  }, 30_000)

  test('of 9 MB are cut to what a prompt may have', async () => {
    const conversation_history = times(9, () => user('word '.repeat(200_000)))
    const { task_id } = await mcp.call('create_real_task', { ...task, conversation_history })
    const { prompt } = await mcp.call('get_real_task_status', { task_id, include: ['prompt'] })
    expect(prompt.tokens).toBeLessThanOrEqual(20_000)
  }, 30_000)

  test.each([100, 3_000])(
    'nested %i levels deep are refused',
    async (levels) => {
      for (const [name, given] of [
        ['create_real_task', { ...task, conversation_history: nested(levels) }],
        ['conversation_append', { messages: [{ role: 'user', content: nested(levels) }] }],
        [
          'report_agent_finding',
          { task_id: 'x', agent_id: 'x', finding_type: 'x', message: 'x', data: nested(levels) },
        ],
      ] as const)
        expect(await mcp.refused(name, given)).toMatch(/^invalid: .*levels deep/)
      const hidden = { ...task, conversation_history: '['.repeat(levels) + ']'.repeat(levels) }
      expect(await mcp.refused('create_real_task', hidden)).toMatch(/^invalid: /)
      await alive()
    },
    30_000,
  )

  test('nested as deep as a line can be are refused, too', async () => {
    const { db, config } = freshDesk()
    const child = start(['mcp', '--db', db, '--config', config])
    const say = (message: string) => child.stdin.write(`${message}\n`)
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    say(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }))
    say('this is no JSON')
    const nest = '['.repeat(200_000) + ']'.repeat(200_000)
    say(
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_real_task","arguments":{"description":${nest}}}}`,
    )
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    await eventually(async () => said.includes('"id":2'))
    expect(said).toMatch(/levels deep/)
    child.stdin.end()
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  })

  test.each([
    ['__proto__', '{"__proto__": {"polluted": 1}, "description": "x"}'],
    ['constructor', '{"constructor": 1, "description": "x"}'],
  ])('named %s are data', async (_, json) => {
    await mcp.raw('create_real_task', JSON.parse(json))
    expect(({} as Data).polluted).toBeUndefined()
    await alive()
  })

  test('with broken text are mended', async () => {
    const answer = await mcp.call('create_real_task', { description: 'half \ud83d of a pair and \0' })
    expect(answer.description).toBe('half \ufffd of a pair and \ufffd')
  })

  test.each(['../../etc/passwd', '/etc/../../x', '%2e%2e%2f', 'task_x\0', 'x'.repeat(200)])(
    'the id %j names nothing',
    async (id) => {
      expect(await mcp.refused('get_real_task_status', { task_id: id })).toMatch(/^not_found: /)
      expect(await mcp.refused('conversation_get', { conversation_id: id })).toMatch(/^not_found: /)
      const uri = `task://${encodeURIComponent(id)}/status`
      await expect(mcp.client.readResource({ uri })).rejects.toThrow('Resource not found')
    },
  )

  test('a folder outside of the roots is refused when an agent is deployed', async () => {
    const root = mkdtempSync(join(tmpdir(), 'throughline-mcp-roots-'))
    mkdirSync(join(root, 'in'))
    const { db, config } = freshDesk({ echo: { command: 'cat' } })
    const { writeFileSync } = await import('node:fs')
    const settings = { agents: { echo: { command: 'cat' } }, agent_roots: [join(root, 'in')], detect_models: false }
    writeFileSync(config, JSON.stringify(settings))
    const confined = await overStdio({ db, config })
    for (const client_cwd of ['../../etc', '/etc', `${root}/in/../..`, 'in']) {
      const { task_id } = await confined.call('create_real_task', {
        ...task,
        client_cwd,
        relevant_files: ['../../../etc/passwd'],
      })
      const said = await confined.refused('deploy_headless_agent', { task_id, agent_type: 'x', prompt: '' })
      expect(said, client_cwd).toMatch(/^invalid: .*client_cwd/)
    }
    await confined.close()
  }, 30_000)
})

test('an agent that prints without end costs little memory, and its last words are there', async () => {
  const { task_id } = await mcp.call('create_real_task', task)
  const { agent_id } = await mcp.call('deploy_headless_agent', { task_id, agent_type: 'x', prompt: '', runner: 'loud' })
  const output = await eventually(async () => {
    const seen = await mcp.call('get_agent_output', { task_id, agent_id, tail: 1 })
    return seen.agent.status === 'completed' && seen
  })
  expect(output).toMatchObject({ text: 'last words', total_bytes: loud + 12 })
  const all = await mcp.call('get_agent_output', { task_id, agent_id })
  expect(all.truncated).toBe(true)
  expect(JSON.stringify(all).length).toBeLessThan(40_000)
}, 60_000)

describe('over HTTP', () => {
  const send = (body: string) =>
    fetch(`${host.url}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

  test.each([
    ['too large', () => `{"jsonrpc":"2.0","x":"${'x'.repeat(2 * 1024 * 1024)}"}`, 413],
    ['too deep', () => '['.repeat(1_000) + ']'.repeat(1_000), 400],
    ['no JSON', () => '{', 400],
    ['no message', () => '{"x": 1}', 400],
    ['an empty batch', () => '[]', 400],
    ['null', () => 'null', 400],
  ])('a body that is %s is refused', async (_, body, status) => {
    const answer = await send(body())
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toMatch(/\.(?:ts|js):\d/)
  })

  test('a batch of many calls is bounded by the size of a body', async () => {
    const batch = times(200, (id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    expect((await send(JSON.stringify(batch))).status).toBeLessThan(500)
  })
})
