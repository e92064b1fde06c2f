import { afterAll, beforeAll, expect, test } from 'vitest'
import { createdTask } from '../../src/operations/shapes/task.js'
import { getTask } from '../../src/operations/tasks.js'
import { type Host, startService } from './host.js'

let host: Host
beforeAll(async () => {
  host = await startService()
})
afterAll(() => host.stop())

const post = (path: string, body: unknown = {}) => host.call('POST', `/api/v1/tasks${path}`, { body })
const get = (path: string) => host.call('GET', `/api/v1/tasks${path}`)

test('a task is registered with its conversation, handed to an agent, reported on and read over HTTP', async () => {
  const history = [{ role: 'user', content: 'The import takes an hour.' }]
  const made = await post('', { description: 'Find out why', conversation_history: history })
  expect(made.status).toBe(201)
  expect(createdTask.parse(made.body)).toMatchObject({ status: 'registered', conversation_messages_count: 1 })
  const id = made.body.task_id
  expect(made.headers.get('location')).toBe(`/api/v1/tasks/${id}`)

  const agent = await post(`/${id}/agents`, { agent_type: 'investigator', prompt: 'stay until you are ended' })
  expect(agent).toMatchObject({ status: 201, body: { task_id: id, runner: 'echo' } })
  const at = `/${id}/agents/${agent.body.agent_id}`
  expect((await get(`${at}/output`)).body.text).toContain('The import takes an hour.')
  expect(await post(`${at}/kill`, { reason: 'enough' })).toMatchObject({ status: 200, body: { status: 'killed' } })

  const finding = { agent_id: 'me', finding_type: 'issue', severity: 'high', message: 'no index', data: '{"rows":3}' }
  expect((await post(`/${id}/findings`, finding)).body.entry).toMatchObject({
    finding_type: 'issue',
    data: { rows: 3 },
  })
  const done = {
    agent_id: 'me',
    status: 'done',
    message: 'added it',
    progress: 100,
    task_state: 'completed',
    result: 1,
  }
  expect((await post(`/${id}/progress`, done)).body).toMatchObject({ task_status: 'completed' })

  const looked = (await get(`/${id}?include=prompt`)).body
  expect(getTask.output.parse(looked)).toMatchObject({
    task: { task_id: id, status: 'completed', result: 1 },
    agents: [{ status: 'killed' }],
    finding_severities: { high: 1 },
    prompt: { text: expect.stringContaining('The import takes an hour.') },
  })
  expect((await get('?state=completed')).body.items).toMatchObject([{ task_id: id }])
})

test('what is wrong in a task is named, and one that does not exist is not found', async () => {
  expect(await post('', { description: 'x', priority: 'P9' })).toMatchObject({
    status: 422,
    body: { code: 'invalid', errors: [{ path: 'priority' }] },
  })
  expect(await post('', { description: '' })).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect((await get('/task_none')).status).toBe(404)
  expect((await post('/task_none/agents', { agent_type: 'x', prompt: '' })).status).toBe(404)
  const { task_id } = (await post('', { description: 'x' })).body
  expect(await post(`/${task_id}/agents`, { agent_type: 'x', prompt: '', runner: 'nobody' })).toMatchObject({
    status: 422,
  })
})
