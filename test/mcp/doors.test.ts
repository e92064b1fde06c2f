import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { room } from '../../src/mcp/kit/room.js'
import { jwt } from '../specs/examples.fixture.js'
import { times, user } from '../specs/specs.fixture.js'
import { type Data, eras, eventually, freshDesk, type Mcp, type McpHost, overStdio, startMcp } from './clients.js'

let host: McpHost
beforeAll(async () => {
  await build()
  host = await startMcp()
}, 60_000)
afterAll(() => host.stop())

const doors = eras.flatMap((era) => [
  [`stdio, ${era}`, () => overStdio(freshDesk(), era)] as const,
  [`HTTP, ${era}`, () => host.mcp(undefined, era)] as const,
])

describe.each<readonly [string, () => Promise<Mcp>]>(doors)('over %s', (door, open) => {
  let mcp: Mcp
  beforeAll(async () => {
    mcp = await open()
  })
  afterAll(() => mcp.close())

  test('the tools have titles, short descriptions, schemas and hints', async () => {
    const { tools } = await mcp.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['create_real_task', 'deploy_headless_agent', 'get_real_task_status', 'get_agent_output', 'kill_real_agent'],
      ...['update_agent_progress', 'report_agent_finding', 'spawn_child_agent'],
      ...['conversation_list', 'conversation_get', 'message_get', 'conversation_append'],
      ...['conversation_search', 'conversation_fork', 'conversation_import'],
      ...['context_assemble', 'receipt_explain'],
      ...['memory_list', 'memory_write', 'memory_correct', 'memory_delete'],
    ])
    for (const { title, description = '', inputSchema, outputSchema, annotations } of tools) {
      expect(title).toBeTruthy()
      expect(description.length).toBeLessThan(300)
      expect(inputSchema.type).toBe('object')
      expect(outputSchema?.type).toBe('object')
      expect(Object.values(annotations ?? {}).filter((hint) => typeof hint === 'boolean')).toHaveLength(4)
    }
    // every client pays for this list with every conversation
    expect(JSON.stringify(tools.map(({ outputSchema: _, ...rest }) => rest)).length).toBeLessThan(20_000)
  })

  test('a conversation is kept, read, searched, branched and windowed', async () => {
    const first = await mcp.call('conversation_append', { title: 'Trip', messages: JSON.stringify(jwt), key: 'once' })
    const id = { conversation_id: first.conversation_id }
    expect(first.messages).toHaveLength(3)
    const again = await mcp.call('conversation_append', { ...id, messages: jwt, key: 'once' })
    expect(again).toMatchObject({ repeated: true, head_id: first.head_id })
    const page = await mcp.call('conversation_get', { ...id, limit: 2 })
    expect(page.items.map(({ role }: Data) => role)).toEqual(['assistant', 'user'])
    const before = await mcp.call('conversation_get', { ...id, limit: 2, before: page.next_cursor })
    expect(before.items).toHaveLength(1)
    expect(before.next_cursor).toBeNull()
    const { items } = await mcp.call('conversation_search', { q: 'focus jwt', ...id })
    expect(items).toMatchObject([{ message_id: first.head_id, role: 'user' }])
    const near = await mcp.call('conversation_search', { q: 'login tokens', mode: 'hybrid', branch: 'main', ...id })
    expect(near.items[0]).toMatchObject({ why: expect.any(String), score: expect.any(Number) })
    const fork = await mcp.call('conversation_fork', { ...id, at: first.messages[0].id, branch: 'other' })
    expect(fork).toMatchObject({ name: 'other', head_id: first.messages[0].id })
    const window = await mcp.call('context_assemble', { ...id, branch: 'other', budget: 2_000 })
    expect(window.request).toContain('I need to add a new feature')
    expect(window.request).not.toContain('Focus on JWT')
    // the one message of the branch waits for its answer
    expect(window.totals).toMatchObject({ messages: 0, kept: 0 })
    const list = await mcp.call('conversation_list', { q: 'trip', limit: 1 })
    expect(list.items).toHaveLength(1)
  })

  test('an agent remembers something, corrects it, finds it in a window and forgets it [S4-F5]', async () => {
    const { conversation_id, head_id } = await mcp.call('conversation_append', { title: 'Dinner', messages: jwt })
    const source = { conversation_id, message_id: head_id }
    const memory = await mcp.call('memory_write', { text: 'Is vegan.', kind: 'profile', ...source })
    expect(memory).toMatchObject({ source, author: 'agent', kind: 'profile', revision: 1 })
    const memory_id = memory.id
    await mcp.call('memory_correct', { text: 'Is vegetarian.', memory_id })
    const { items } = await mcp.call('memory_list', { kind: 'profile' })
    expect(items).toMatchObject([{ id: memory_id, text: 'Is vegetarian.', revision: 2 }])
    const asked = { conversation_id, current: 'Hello!', target: 'text-tagged' }
    expect((await mcp.call('context_assemble', asked)).request).not.toContain('vegetarian')
    const made = await mcp.call('context_assemble', { ...asked, recall: 'memories' })
    expect(made.request).toContain('memory: Is vegetarian.')
    await mcp.call('memory_delete', { memory_id })
    expect((await mcp.raw('memory_delete', { memory_id })).isError).toBe(true)
    expect((await mcp.call('context_assemble', { ...asked, recall: 'memories' })).request).not.toContain('vegetarian')
  })

  test('who gets a part of a conversation is told that, and how to find the rest [L-19]', async () => {
    const long = Array.from({ length: 60 }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: `${i === 20 ? 'The harbour gate opens with 4711. ' : ''}${'so it goes on and on '.repeat(10)}`,
    }))
    const { conversation_id } = await mcp.call('conversation_append', { title: 'Long', messages: long })
    const made = await mcp.call('context_assemble', { conversation_id, budget: 900, policy: 'session-window' })
    expect(made.totals.dropped).toBeGreaterThan(0)
    expect(made.missing).toContain(`conversation_search finds them`)
    expect(made.missing).toContain(conversation_id)
    const { items } = await mcp.call('conversation_search', { conversation_id, q: 'harbour gate' })
    expect(items).toHaveLength(1)
    const whole = await mcp.call('context_assemble', { conversation_id, budget: 90_000 })
    expect(whole.missing).toBeNull()
  })

  test('resources can be listed, read and completed', async () => {
    const { conversation_id } = await mcp.call('conversation_append', { title: 'A # title', messages: jwt })
    const { task_id } = await mcp.call('create_real_task', { description: 'x', conversation_history: jwt })
    const { resources } = await mcp.client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris[0]).toBe('tasks://list')
    expect(uris).toContain(`throughline://conversations/${conversation_id}`)
    expect(uris).toContain(`task://${task_id}/status`)
    expect((await mcp.client.listResourceTemplates()).resourceTemplates).toHaveLength(6)
    const read = async (uri: string) => (await mcp.client.readResource({ uri })).contents[0] as Data
    expect(await read(`throughline://conversations/${conversation_id}`)).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringMatching(/^# A # title\n[\s\S]*## user · 2025-10-29T10:01:00\n\nFocus on JWT tokens first$/),
    })
    expect(JSON.parse((await read(`task://${task_id}/status`)).text).task.task_id).toBe(task_id)
    expect(JSON.parse((await read(`task://${task_id}/progress-timeline`)).text).entries).toMatchObject([
      { type: 'state' },
    ])
    const explained = await mcp.call('receipt_explain', { task_id })
    expect(explained.explanation).toContain('3 of 3 messages sent')
    const { completion } = await mcp.client.complete({
      ref: { type: 'ref/prompt', name: 'handoff' },
      argument: { name: 'conversation_id', value: conversation_id.slice(0, 8) },
    })
    expect(completion.values).toContain(conversation_id)
  })

  test('files come in by a tool, and conversations go out as resources', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'throughline-mcp-'))
    const path = join(folder, 'tea.md')
    await writeFile(path, `## User\n\nWhich tea, ${door}?\n\n## Assistant\n\nOolong.\n`)
    const tried = await mcp.call('conversation_import', { path, dry_run: true })
    expect(tried).toMatchObject({ dry_run: true, conversations: { added: 1 }, messages: { added: 2 }, left_out: {} })
    const done = await mcp.call('conversation_import', { path })
    expect(done).toMatchObject({ dry_run: false, messages: { found: 2, added: 2 } })
    expect(await mcp.call('conversation_import', { path })).toMatchObject({ messages: { found: 2, added: 0 } })
    await rm(folder, { recursive: true })
    const { items } = await mcp.call('conversation_search', { q: 'oolong' })
    const uri = `throughline://conversations/${items[0].conversation_id}`
    const read = async (form: string) =>
      (await mcp.client.readResource({ uri: `${uri}?format=${form}` })).contents[0] as Data
    const own = await read('json')
    expect(own.mimeType).toBe('application/json')
    expect(JSON.parse(own.text)).toMatchObject({ schema: 'throughline.conversation/1', entries: [{}, {}] })
    expect(JSON.parse((await read('openai')).text)).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }],
    })
    await expect(read('sonnet')).rejects.toThrow('not found')
  })

  test('the prompts go on with a conversation and hand it over', async () => {
    const { conversation_id } = await mcp.call('conversation_append', { messages: jwt })
    const { prompts } = await mcp.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['continue_conversation', 'handoff'])
    const text = async (name: string, given: Record<string, string>) =>
      ((await mcp.client.getPrompt({ name, arguments: given })) as Data).messages[0].content.text
    expect(await text('continue_conversation', { conversation_id })).toContain('Human: Focus on JWT tokens first')
    const handoff = await text('handoff', { conversation_id, task: 'Write the tokens' })
    expect(handoff).toMatch(/^TASK: Write the tokens\n\n💬 CONVERSATION HISTORY \(Leading to This Task\):/)
    expect(handoff).toContain('[3] 👤 User (10:01:00):\n    Focus on JWT tokens first')
    expect(handoff).toContain('📊 History metadata: 3 messages, 1 truncated')
    await expect(mcp.client.getPrompt({ name: 'handoff', arguments: { conversation_id } })).rejects.toThrow(
      'task is needed',
    )
    await expect(mcp.client.getPrompt({ name: 'nothing' })).rejects.toThrow('there is no prompt nothing')
  })

  test('errors name the parameter and what to do next, and tell no stack', async () => {
    const said = [
      await mcp.refused('conversation_get', { conversation_id: 'nothing' }),
      await mcp.refused('conversation_get', { conversaton_id: 'x' }),
      await mcp.refused('get_agent_output', { task_id: 'a', agent_id: 'b' }),
      await mcp.refused('context_assemble', { messages: [], policy: 'x' }),
      await mcp.refused('context_assemble', { messages: [{ role: 'user', content: 'x' }], policy: 'nothing' }),
    ]
    expect(said[0]).toBe(
      'not_found: there is no such conversation (conversation_id)\nNext: conversation_list names the conversations there are.',
    )
    expect(said[1]).toContain('did you mean conversation_id?')
    for (const words of said) {
      expect(words).toMatch(/^[a-z_]+: [\s\S]+\nNext: /)
      expect(words).not.toMatch(/\.(?:ts|js):\d/)
    }
    await expect(mcp.raw('conversation_gett')).rejects.toThrow('did you mean conversation_get?')
  })

  test('a long conversation comes in pages that say what is missing', async () => {
    const { conversation_id } = await mcp.call('conversation_append', {
      messages: times(30, (index) => user(`${index} ${'word '.repeat(2_000)}`)),
    })
    const page = await mcp.call('conversation_get', { conversation_id, limit: 30 })
    expect(JSON.stringify(page).length).toBeLessThan(room + 4_000)
    expect(page.items.length).toBeLessThan(10)
    expect(page.items.at(-1).text).toMatch(/^29 word [\s\S]*\[cut: \d+ more characters; message_get reads all of it\]$/)
    expect(page.next_cursor).toBe(page.items[0].id)
    const one = { conversation_id, message_id: page.items.at(-1).id }
    const begun = await mcp.call('message_get', one)
    const rest = await mcp.call('message_get', { ...one, offset: begun.next_offset })
    expect(begun.text + rest.text).toBe(`29 ${'word '.repeat(2_000)}`)
    expect(rest.next_offset).toBeNull()
  })

  // the old protocol tells of changes within a session, and HTTP has none (decision 11)
  if (door === 'HTTP, legacy') return
  test('changes are told to who follows', async () => {
    const { task_id } = await mcp.call('create_real_task', { description: 'x' })
    const uri = `task://${task_id}/status`
    const told: string[] = []
    mcp.client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
    await mcp.client.readResource({ uri })
    const listening = door.endsWith('modern') ? await mcp.client.listen({ resourceSubscriptions: [uri] }) : null
    if (!listening) await mcp.client.subscribeResource({ uri })
    await new Promise((resolve) => setTimeout(resolve, 100))
    await mcp.call('report_agent_finding', { task_id, agent_id: 'a', finding_type: 'insight', message: 'seen' })
    await eventually(async () => told.includes(uri))
    await listening?.close()
  })
})
