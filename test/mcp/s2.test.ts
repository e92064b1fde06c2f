import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alternating, assistant, stamp, times, user } from '../specs/specs.fixture.js'
import { type Data, type Mcp, type McpHost, startMcp } from './clients.js'

let host: McpHost
let mcp: Mcp
beforeAll(async () => {
  // the setting `handoff` of a server: callers name no preset
  host = await startMcp({}, {}, { handoff: 'handoff-assistant-first' })
  mcp = await host.mcp(undefined, 'modern')
})
afterAll(async () => {
  await mcp.close()
  await host.stop()
})

const given = (conversation_history: unknown) => ({
  description: 'Fix the login',
  conversation_history,
})

async function made(history: unknown): Promise<{ stored: Data; warnings: string[]; answer: Data }> {
  const answer = await mcp.call('create_real_task', given(history))
  const { contents } = await mcp.client.readResource({ uri: `task://${answer.task_id}/context` })
  const context = JSON.parse((contents[0] as { text: string }).text)
  return { answer, stored: context.conversation_history, warnings: answer.warnings.map((one: Data) => one.message) }
}

const refused = (history: unknown) => mcp.refused('create_real_task', given(history))

describe('handoff-assistant-first through MCP', () => {
  test('a history with all fields passes unchanged and without a word [S2-1] [S2-2] [S2-21]', async () => {
    const { stored, warnings } = await made([user('fix it'), assistant('which one?')])
    expect(warnings).toEqual([])
    expect(stored.messages.map(({ role, content }: Data) => [role, content])).toEqual([
      ['user', 'fix it'],
      ['assistant', 'which one?'],
    ])
  })

  test.each([['hello'], [7], [false]])('%j is no list and fatal [S2-3]', async (history) => {
    expect(await refused(history)).toContain('conversation_history')
  })

  test.each([
    ['a message that is no object', ['junk'], 'conversation_history[0]'],
    ['a message without content', [{ role: 'user', timestamp: stamp }], 'content'],
    ['a message without a role', [{ content: 'x', timestamp: stamp }], 'role'],
    ['a strange role', [{ role: 'tool', content: 'x', timestamp: stamp }], 'tool'],
    ['300 chars of a user', [user('x'.repeat(301))], 'hard limit of 300 characters'],
    ['16,384 chars of an assistant', [assistant('x'.repeat(16_385))], 'hard limit of 16384 characters'],
  ])(
    'fatal is %s, and it is told with its place [S2-4] [S2-5] [S2-6] [S2-7] [S2-28] [S2-29] [S2-31]',
    async (_, history, words) => {
      const said = await refused(history)
      const { _meta } = await mcp.raw('create_real_task', given(history))
      const [issue] = (_meta as Data)['throughline/error'].issues
      expect(issue).toMatchObject({
        field: expect.stringContaining('conversation_history[0]'),
        reason: expect.any(String),
      })
      expect(issue).toHaveProperty('value')
      expect(said).toMatch(/^invalid: /)
      expect(said).toContain('conversation_history[0]')
      expect(said).toContain(words)
    },
  )

  test('over 50 messages the last 50 stay, with a warning [S2-8] [S2-24]', async () => {
    const { answer, warnings } = await made(times(60, (index) => user(`m${index}`)))
    expect(answer.conversation_messages_count).toBe(50)
    expect(warnings.join()).toContain('60')
  })

  test.each([[undefined], [''], ['not a time']])(
    'the timestamp %j becomes the time of the call, with a warning [S2-9] [S2-10] [S2-22] [S2-23]',
    async (timestamp) => {
      const { stored, warnings } = await made([{ role: 'user', content: 'x', timestamp }])
      expect(Number.isNaN(Date.parse(stored.messages[0].timestamp))).toBe(false)
      expect(warnings).toHaveLength(1)
    },
  )

  test('an empty message is skipped with a warning, and content is trimmed [S2-11] [S2-18] [S2-30]', async () => {
    const { stored, warnings } = await made([user('  '), { ...user('  hi '), role: ' USER ' }])
    expect(stored.messages.map(({ role, content }: Data) => [role, content])).toEqual([['user', 'hi']])
    expect(warnings).toHaveLength(1)
  })

  test('over the soft limits the head stays, with a warning of both lengths [S2-12] [S2-25] [S2-26]', async () => {
    const { stored, warnings } = await made([user('u'.repeat(200)), assistant('a'.repeat(9_000))])
    expect(stored.messages.map(({ truncated, original_length }: Data) => [truncated, original_length])).toEqual([
      [true, 200],
      [true, 9_000],
    ])
    expect(warnings).toEqual([
      'Message truncated from 200 to 165 characters',
      'Message truncated from 9000 to 8207 characters',
    ])
  })

  test.each([[[]], [[user(' ')]]])(
    'when nothing is left (%j) nothing is stored, with a warning [S2-13] [S2-20] [S2-32] [S2-34]',
    async (history) => {
      const { answer, stored, warnings } = await made(history)
      expect(stored).toBeUndefined()
      expect(answer).toMatchObject({ conversation_messages_count: 0, has_enhanced_context: false })
      expect(warnings.length).toBeGreaterThan(0)
    },
  )

  test('null gives nothing and no warning [S2-17] [S2-33]', async () => {
    expect(await made(null)).toMatchObject({ warnings: [], answer: { conversation_messages_count: 0 } })
  })

  test('over the total the oldest go, the last five stay, and it is said [S2-14] [S2-15] [S2-16] [S2-27]', async () => {
    const { answer, stored, warnings } = await made(
      alternating(12, (index) => (index % 2 ? `${index} `.repeat(1_200) : 'why?')),
    )
    expect(stored.total_messages).toBeLessThan(12)
    expect(stored.total_messages).toBeGreaterThanOrEqual(5)
    expect(answer.history.dropped).toBeGreaterThan(0)
    expect(warnings.length).toBeGreaterThan(0)
  })

  test('the checks come in their order, and their limits can be changed by another preset [S2-19] [S2-35]', async () => {
    expect(await refused([{ role: 'tool', content: '' }])).toContain('conversation_history[0].role')
    const answer = await mcp.call('create_real_task', { ...given([user('x'.repeat(301))]), preset: 'handoff-balanced' })
    expect(answer.conversation_messages_count).toBe(1)
  })
})

describe("specification 2's errors", () => {
  const tool = { role: 'tool', content: 'x', timestamp: stamp }
  const expected = {
    field: 'conversation_history[0].role',
    reason: "Role must be one of {'user', 'assistant'}, got 'tool'",
    value: 'tool',
  }

  test('keep field, reason and value over MCP [S2-3] [S2-4] [S2-5] [S2-6] [S2-7] [C-9]', async () => {
    const { _meta, content } = await mcp.raw('create_real_task', given([tool]))
    expect((_meta as Data)['throughline/error'].issues[0]).toMatchObject(expected)
    expect(JSON.stringify(content)).toContain('got \\"tool\\"')
  })

  test('keep them over HTTP [S2-6] [C-9]', async () => {
    const body = {
      ...given([{ ...tool, role: 'assistant', content: 'x'.repeat(16_385) }]),
      preset: 'handoff-assistant-first',
    }
    const answer = await host.call('POST', '/api/v1/tasks', { body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0]).toMatchObject({
      path: 'conversation_history[0].content',
      reason: expect.stringContaining('hard limit of 16384 characters'),
      value: '16385 characters',
    })
  })

  test('a timestamp that is a number is replaced with a warning, and is no date of 1970 [S2-10] [S2-23] [C-20]', async () => {
    const { stored, warnings } = await made([{ role: 'user', content: 'x', timestamp: 5 }])
    expect(warnings).toEqual(["Invalid timestamp format '5' - replaced with current time"])
    expect(stored.messages[0].timestamp).not.toContain('1970')
  })
})
