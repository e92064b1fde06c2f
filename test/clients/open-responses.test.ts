/** The cases of the Open Responses compliance suite that the tests of `openai` do not have: WebSockets and compaction. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { hostOf } from '../../src/cli/serve/host.js'
import { openaiHouse } from './openai.fixture.js'

const { client, house } = await openaiHouse()

const server = hostOf(house.service, { leaving: () => false, streaming: () => () => {} })
await once(server.listen(0, '127.0.0.1'), 'listening')
const port = (server.address() as AddressInfo).port
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

// biome-ignore lint/suspicious/noExplicitAny: events of any shape
type Event = any

async function open(headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/responses`, { headers })
  await once(socket, 'open')
  /** The events of one response, the last of them its end. */
  const say = (body: object): Promise<Event[]> =>
    new Promise((resolve) => {
      const events: Event[] = []
      const take = (data: Buffer) => {
        const event = JSON.parse(String(data))
        events.push(event)
        if (!/^error$|^response\.(completed|failed|incomplete)$/.test(event.type)) return
        socket.off('message', take)
        resolve(events)
      }
      socket.on('message', take)
      socket.send(JSON.stringify({ type: 'response.create', model: house.model, ...body }))
    })
  return { socket, say, close: () => socket.terminate() }
}

describe('a WebSocket', () => {
  test('is told the events of each response, one response after the other', async () => {
    const { socket, say, close } = await open()
    const ends: string[] = []
    socket.on('message', (data) => {
      const { type, response } = JSON.parse(String(data))
      if (type === 'response.created' || type === 'response.completed') ends.push(`${type} ${response.id}`)
    })
    // sent at once: each waits for the end of the one before it
    const [events] = await Promise.all([say({ input: 'One.' }), say({ input: 'Two.', store: false })])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i))
    await expect.poll(() => ends.length).toBe(4)
    const ids = ends.map((end) => end.split(' ')[1])
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]])
    expect(ids[0]).not.toBe(ids[2])
    close()
  })

  test('goes on from what nobody keeps, and only while it is open', async () => {
    const first = await open()
    const said = await first.say({ input: 'My name is Ada.', store: false })
    const previous_response_id = said.at(-1)?.response.id
    const next = await first.say({ input: 'Who am I?', store: false, previous_response_id })
    expect(next.at(-1)).toMatchObject({ response: { previous_response_id, status: 'completed' } })
    expect(house.heard()).toMatch(/Ada.*Who am I/)
    first.close()
    const second = await open()
    const lost = await second.say({ input: 'And now?', store: false, previous_response_id })
    expect(lost).toEqual([
      { type: 'error', status: 404, error: expect.objectContaining({ code: 'previous_response_not_found' }) },
    ])
    expect((await second.say({ input: 'Anew.', store: false })).at(-1)?.type).toBe('response.completed')
    second.close()
  })

  test('goes on from a response that is kept, on any connection', async () => {
    const { id } = await client.responses.create({ model: house.model, input: 'My name is Ada.' })
    const { say, close } = await open()
    const events = await say({ input: 'Who am I?', previous_response_id: id })
    expect(events.at(-1)?.type).toBe('response.completed')
    expect(house.heard()).toMatch(/Ada.*Who am I/)
    close()
  })

  test('forgets what a continuation failed behind', async () => {
    const { say, close } = await open()
    const previous_response_id = (await say({ input: 'Hello.', store: false })).at(-1)?.response.id
    const output = { type: 'function_call_output', call_id: 'call_nobody_made', output: '1' }
    const failed = await say({ input: [output], store: false, previous_response_id })
    expect(failed).toMatchObject([{ type: 'error', status: 400 }])
    const again = await say({ input: 'Once more.', store: false, previous_response_id })
    expect(again).toMatchObject([{ type: 'error', error: { code: 'previous_response_not_found' } }])
    close()
  })

  test('takes the outputs of calls that the response before it made', async () => {
    house.says({ text: '', calls: [{ id: 'call_1', name: 'look', input: { q: 'x' } }] })
    const { say, close } = await open()
    const previous_response_id = (await say({ input: 'How tall?', store: false })).at(-1)?.response.id
    house.says({ text: 'Two metres.' })
    const output = { type: 'function_call_output', call_id: 'call_1', output: '2 m' }
    const next = await say({ input: [output], store: false, previous_response_id })
    expect(next.at(-1)?.type).toBe('response.completed')
    expect(house.heard()).toContain('2 m')
    expect(house.faults()).toEqual([])
    close()
  })

  test('is told what is wrong with a message, and goes on', async () => {
    const { socket, say, close } = await open()
    socket.send('no JSON')
    const [[told]] = [await once(socket, 'message')]
    expect(JSON.parse(String(told))).toMatchObject({ type: 'error', status: 400 })
    expect(await say({ model: 'nobody/knows', input: 'Hi.' })).toMatchObject([{ error: { code: 'model_not_found' } }])
    expect((await say({ input: 'Hi.' })).at(-1)?.type).toBe('response.completed')
    close()
  })

  test('begins anew with what was compacted', async () => {
    const input = [
      { role: 'user' as const, content: 'The code word is slate.' },
      { role: 'assistant' as const, content: 'OK.' },
    ]
    const { output } = await client.responses.compact({ model: house.model as never, input })
    expect(output).toEqual([{ id: expect.any(String), type: 'compaction', encrypted_content: expect.any(String) }])
    const { say, close } = await open()
    const events = await say({ input: [...output, { role: 'user', content: 'What was it?' }], store: false })
    expect(events.at(-1)?.type).toBe('response.completed')
    expect(house.heard()).toMatch(/slate.*What was it/)
    close()
  })

  test('is not opened to a page of another site', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/responses`, { headers: { origin: 'https://evil.example' } })
    const [, refused] = await once(socket, 'unexpected-response')
    expect(refused.statusCode).toBe(403)
  })
})

test('a client that would rather speak HTTP/2 is answered as if it had not said so, its body included', async () => {
  const body = JSON.stringify({ model: house.model, input: 'Hi.', store: false })
  const socket = connect(port, '127.0.0.1')
  let told = ''
  socket.on('data', (chunk) => (told += chunk))
  socket.write(
    `POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect.poll(() => told, { timeout: 10_000 }).toContain('Hello there.')
  expect(told).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('phases of earlier answers are taken', async () => {
  const phased = (phase: string, content: string) => ({ type: 'message', role: 'assistant', phase, content })
  const input = [
    phased('commentary', 'I look it up.'),
    phased('final_answer', 'It is four.'),
    { role: 'user', content: 'Repeat it.' },
  ]
  const response = await client.responses.create({ model: house.model, input: input as never })
  expect(response.status).toBe('completed')
  expect(house.heard()).toMatch(/It is four/)
})

test('a model has to be named to compact for', async () => {
  const answer = await house.call('POST', '/v1/responses/compact', { body: { input: 'Hi.' } })
  expect(answer.status).toBe(400)
})
