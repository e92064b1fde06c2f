import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openToolServers, type ToolServers } from '../../src/runs/tools/servers.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { type Files, filesystem } from './filesystem.fixture.js'
import { type House, openHouse } from './house.js'

let house: House
let files: Files
let servers: ToolServers
beforeAll(async () => {
  files = filesystem()
  const store = memoryStore()
  servers = openToolServers({
    ...{ store, workspace: '$system', version: '1.0.0', programs: true, now: () => new Date().toISOString() },
    named: { files: { address: files.command, approval: 'ask', tools: { read_text_file: 'always' } } },
  })
  house = await openHouse('anthropic', { store, toolServers: servers })
}, 60_000)
afterAll(() => house.stop())

const post = (path: string, body: unknown) => house.call('POST', path, { body })

describe('an agent of the service with the reference filesystem server', () => {
  test('reads a file at once, asks before it writes one, and goes on when it may [S3-15]', async () => {
    const path = join(files.folder, 'owner.txt')
    writeFileSync(join(files.folder, 'notes.txt'), 'Team Blue owns the Cincinnati service.')
    const offered = await house.call('GET', '/api/v1/tools')
    expect(offered.body.items).toContainEqual(expect.objectContaining({ name: 'files__write_file', approval: 'ask' }))
    house.says(({ body }) => {
      const said = JSON.stringify(body)
      if (said.includes('Successfully wrote')) return { text: 'Written down.' }
      if (said.includes('Team Blue'))
        return { calls: [{ id: 'c2', name: 'files__write_file', input: { path, content: 'Team Blue' } }] }
      return { calls: [{ id: 'c1', name: 'files__read_text_file', input: { path: join(files.folder, 'notes.txt') } }] }
    })
    const asked = await post('/chat', { session_id: 'own', message: 'Who owns it? Write it to owner.txt.' })
    expect(asked.body).toMatchObject({
      state: 'waiting',
      steps: 2,
      waiting: [{ call_id: 'c2', name: 'files__write_file' }],
    })
    expect(() => readFileSync(path)).toThrow()
    const decide = `/api/v1/conversations/own/runs/${asked.body.run_id}/decide`
    const decided = await post(decide, { call_id: 'c2', verdict: 'approve' })
    expect(decided).toMatchObject({ status: 200, body: { run: { state: 'done' }, next: { repeated: false } } })
    await expect
      .poll(
        async () => (await house.call('GET', `/api/v1/conversations/own/runs/${decided.body.next.run.id}`)).body.state,
      )
      .toBe('done')
    expect(readFileSync(path, 'utf8')).toBe('Team Blue')
    expect(await post(decide, { call_id: 'c2', verdict: 'approve' })).toMatchObject({ status: 409 })
    const { body } = await house.call('GET', '/api/v1/conversations/own/messages')
    expect(body.items.at(-1).parts ?? body.items[0].parts).toBeDefined()
    expect(house.faults()).toEqual([])
  })

  test('is told by events what a card of a tool shows: arguments, result, duration, approval', async () => {
    const path = join(files.folder, 'long.txt')
    writeFileSync(path, 'x'.repeat(60_000))
    house.says(({ body }) =>
      JSON.stringify(body).includes('tool_result')
        ? { text: 'It is long.' }
        : { calls: [{ id: 'c9', name: 'files__read_text_file', input: { path } }] },
    )
    const run = await post('/chat', { session_id: 'cards', message: 'How long is it?' })
    const { text } = await house.call('GET', `/api/v1/conversations/cards/runs/${run.body.run_id}/events`)
    const told = (type: string) =>
      JSON.parse(new RegExp(`event: ${type}\\ndata: (.*)`).exec(text)?.[1] as string) as Record<string, unknown>
    expect(told('call-made')).toMatchObject({ id: 'c9', input: { path } })
    expect(told('tool-started')).toEqual({ run: run.body.run_id, id: 'c9', name: 'files__read_text_file' })
    const ended = told('tool-ended')
    expect(ended).toMatchObject({ id: 'c9', state: 'ok', chars: 60_000, milliseconds: expect.any(Number) })
    const whole = await house.call('GET', `/api/v1/conversations/cards/messages/${ended.message_id}/text`)
    expect(whole.text).toContain('x'.repeat(60_000))
    const kept = await house.call('GET', `/api/v1/conversations/cards/messages/${ended.message_id}`)
    expect(JSON.stringify(kept.body)).toContain('[truncated for storage]')
  })

  test('servers are tested, added and removed while it runs', async () => {
    const other = filesystem()
    const given = { server: 'more', ...other.command, approval: 'always' }
    const tested = await post('/api/v1/tool-servers/test', given)
    expect(tested.body.tools).toContainEqual(expect.objectContaining({ name: 'more__list_directory' }))
    expect(
      (await house.call('GET', '/api/v1/tool-servers')).body.items.map(({ name }: { name: string }) => name),
    ).toEqual(['files'])
    expect(await post('/api/v1/tool-servers', given)).toMatchObject({
      status: 201,
      body: { name: 'more', from: 'app' },
    })
    const names = async () =>
      (await house.call('GET', '/api/v1/tools')).body.items.map(({ name }: { name: string }) => name)
    expect(await names()).toContain('more__list_directory')
    expect(await house.call('DELETE', '/api/v1/tool-servers/more')).toMatchObject({ status: 204 })
    expect(await names()).not.toContain('more__list_directory')
    expect(await house.call('DELETE', '/api/v1/tool-servers/files')).toMatchObject({ status: 404 })
    const broken = { server: 'broken', command: process.execPath, args: ['-e', 'process.exit(1)'] }
    expect(await post('/api/v1/tool-servers', broken)).toMatchObject({ status: 502 })
    expect(await post('/api/v1/tool-servers', { server: 'none' })).toMatchObject({ status: 400 })
  })
})
