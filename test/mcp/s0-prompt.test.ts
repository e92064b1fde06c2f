import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { jwt, jwtDeliverables, slowQueries } from '../specs/examples.fixture.js'
import { alternating, assistant, orchestrator, times, user } from '../specs/specs.fixture.js'
import type { Data } from './clients.js'
import { openS0, type S0 } from './s0.js'

let s0: S0
beforeAll(async () => {
  await build()
  s0 = await openS0()
}, 60_000)
afterAll(() => s0?.mcp.close())

const made: S0['made'] = (history, more) => s0.made(history, more)

describe('the prompt', () => {
  test('has the section with numbers, signs, times and the footer [S0-23] [S0-24] [S0-25] [S0-27] [S0-28] [S0-31] [S0-42]', async () => {
    const { prompt } = await made([
      user('Help me fix a bug', '2025-10-29T10:00:00'),
      assistant('a'.repeat(200), '2025-10-29T10:00:15'),
      orchestrator('on it', '2025-10-29T10:00:16'),
    ])
    expect(prompt).toContain('💬 CONVERSATION HISTORY (Leading to This Task):')
    expect(prompt).toContain('The orchestrator had the following conversation before creating this task.')
    expect(prompt).toContain('This provides context for WHY this task exists and WHAT the user wants.')
    expect(prompt).toContain('[1] 👤 User (10:00:00):\n    Help me fix a bug')
    expect(prompt).toContain('[2] 🤖 Assistant (10:00:15) [TRUNCATED]:')
    expect(prompt).toContain('[3] 🎯 Orchestrator (10:00:16):\n    on it')
    expect(prompt).toContain('📊 History metadata: 3 messages, 1 truncated')
  })

  test('shows a time that cannot be read as it is [S0-26]', async () => {
    expect((await made([user('x', 'yesterday')])).prompt).toContain('[1] 👤 User (yesterday):')
  })

  test('has the section after the files and before the documentation [S0-30]', async () => {
    const { prompt } = await made(jwt, { relevant_files: ['a.ts'], related_documentation: ['RFC 7519'] })
    const places = ['RELEVANT FILES', 'CONVERSATION HISTORY', 'RELATED DOCUMENTATION'].map((words) =>
      prompt.indexOf(words),
    )
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places[0]).toBeGreaterThan(0)
  })

  test('stays under 20,000 tokens and the stored history near 80 KB, whatever is given [S0-43] [S0-44] [S0-46]', async () => {
    const { answer, stored } = await made(times(50, (index) => user(`${index} ${'word '.repeat(1_598)}`)))
    const { prompt } = await s0.mcp.call('get_real_task_status', { task_id: answer.task_id, include: 'prompt' })
    expect(prompt.tokens).toBeLessThanOrEqual(20_000)
    expect(prompt.excess).toBe(0)
    expect(JSON.stringify(stored).length).toBeLessThan(84 * 1024)
    expect(answer.history.dropped).toBeGreaterThan(0)
  })

  test('the first usage example comes out as the rules say [S0-51]', async () => {
    const { answer, prompt } = await made(jwt, { priority: 'P1', expected_deliverables: jwtDeliverables })
    expect(answer).toMatchObject({ priority: 'P1', conversation_messages_count: 3 })
    expect(prompt).toContain('[1] 👤 User (10:00:00):\n    I need to add a new feature for user authentication')
    expect(prompt).toContain(
      "[2] 🤖 Assistant (10:00:15) [TRUNCATED]:\n    I'll help you implement user authentication.",
    )
    expect(prompt).toContain('[3] 👤 User (10:01:00):\n    Focus on JWT tokens first')
    expect(prompt).toContain('📊 History metadata: 3 messages, 1 truncated')
    for (const deliverable of jwtDeliverables) expect(prompt).toContain(`  • ${deliverable}`)
  })

  test('the second usage example comes out as the rules say [S0-52]', async () => {
    const { stored } = await made(slowQueries)
    const [question, reply] = slowQueries as [Data, Data]
    expect(stored.messages[0]).toMatchObject({ content: question.content, truncated: false })
    expect(stored.messages[1].content).toBe(`${[...reply.content].slice(0, 150).join('')} ... (truncated)`)
  })
})

describe('what specification 0 has yet to come', () => {
  const long = alternating(
    40,
    (index) => `Turn ${index}: the login page of Project Falcon needs JWT. ${'More words here. '.repeat(40)}`,
  )

  test('what does not fit is quoted, and its names are saved [S0-F1] [S0-P4]', async () => {
    const { answer } = await made(long, { preset: 'handoff-balanced', compress: 'extractive', tokens: 1_500 })
    expect(await s0.read(`task://${answer.task_id}/prompt`)).toMatch(
      /Sentences quoted from \d+ messages that are not shown/,
    )
  })

  test('only the turns that concern the task are passed on [S0-F2]', async () => {
    const { prompt } = await made(
      [
        user('How do JWT authentication tokens expire?'),
        assistant('They carry an expiry.'),
        user('What shall we cook tonight?'),
        assistant('Soup.'),
        user('Back to the JWT token authentication system.'),
        assistant('Yes.'),
      ],
      { thread: JSON.stringify({ relevance: 0.3 }) },
    )
    expect(prompt).toContain('JWT authentication tokens')
    expect(prompt).not.toContain('cook tonight')
  })

  test('a message can carry attachments [S0-F3]', async () => {
    const attachments = [{ type: 'code', language: 'python', content: 'print(1)' }]
    const { stored, prompt } = await made([{ ...user('Fix this code'), attachments }])
    expect(stored.messages[0].attachments).toEqual(attachments)
    expect(prompt).toContain('Fix this code')
  })

  test('a picture is named in the prompt, and comes with it [S0-F3] [C-18]', async () => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const attachments = [{ type: 'image', mediaType: 'image/png', data }]
    const { answer, prompt } = await made([{ ...user('Why is it blue?'), attachments }])
    expect(prompt).toContain('Why is it blue?\n    [image: image-1.png]')
    const { contents } = await s0.mcp.client.readResource({ uri: `task://${answer.task_id}/prompt` })
    expect(contents[1]).toMatchObject({ mimeType: 'image/png', blob: data })
  })

  test('a child can ask for the history of its parent [S0-P5]', async () => {
    const { answer } = await made(jwt)
    const said = await s0.mcp.refused('spawn_child_agent', {
      task_id: answer.task_id,
      parent_agent_id: `${answer.task_id}.1`,
      child_agent_type: 'tester',
      child_prompt: 'Test the tokens',
      runner: 'nobody',
    })
    expect(said).toContain("there is no runner 'nobody'")
    const { tasks } = JSON.parse(await s0.read('tasks://list'))
    const child = tasks.find((one: Data) => one.parent_task_id === answer.task_id)
    expect(child).toMatchObject({ status: 'cancelled', description: 'Test the tokens' })
    const { ancestors } = await s0.mcp.call('get_real_task_status', { task_id: child.task_id, include: ['ancestors'] })
    expect(ancestors.text).toContain('Focus on JWT tokens first')
  })
})
