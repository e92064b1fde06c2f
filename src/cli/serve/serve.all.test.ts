import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, run } from '../cli.fixture.js'
import { chat, downAll, freshDb, said, slowModel, up } from './serve.fixture.js'

beforeAll(build, 120_000)

afterAll(downAll)

describe('the port', () => {
  test('that was asked for and is taken ends the command with the reason', async () => {
    const { url } = await up(['--db', freshDb()])
    const port = new URL(url).port
    const { code, stderr } = await run(['serve', '--port', port, '--db', freshDb()])
    expect(code).toBe(1)
    expect(stderr).toContain(`port ${port} is taken`)
    expect(stderr).toContain('--port 0')
  })
})

describe('keys', () => {
  test.each([
    [2, ['keys', 'create', '--scopes', 'reed'], "did you mean 'read'?"],
    [2, ['keys', 'create', '--workspace', '$system'], '--workspace must be'],
    [2, ['keys', 'revoke'], 'needs a PREFIX'],
    [1, ['keys', 'revoke', 'tl_000000000000'], 'there is no key tl_000000000000'],
    [2, ['keys'], 'throughline keys create'],
  ])('end with %i for %j', async (code, args, said) => {
    const ran = await run([...args, ...(args.length > 1 ? ['--db', freshDb()] : [])])
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(said)])
  })
})

describe('a signal', () => {
  test('lets an answer finish for a while, then leaves it interrupted and resumable', async () => {
    const db = freshDb()
    const model = await slowModel(50)
    const env = { ...model.env, THROUGHLINE_GRACE_SECONDS: '2' }
    const one = await up(['--db', db], env)
    const session = crypto.randomUUID()
    const stream = await fetch(`${one.url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ session_id: session, message: 'Count.' }),
    })
    const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
    let read = ''
    while (!read.includes('word3')) read += (await reader.read()).value
    const ending = one.stop()
    await said(one, 'server-stopping')
    expect((await fetch(`${one.url}/ready`)).status).toBe(503)
    for (let more = await reader.read(); !more.done; more = await reader.read()) read += more.value
    const { code, milliseconds } = await ending
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(10_000)
    const last = Array.from(read.matchAll(/^id: *(\S+)$/gm)).at(-1)?.[1] as string

    const other = await up(['--db', db], env)
    const path = `${other.url}/api/v1/conversations/${session}`
    const { items } = (await (await fetch(`${path}/runs`)).json()) as { items: { id: string; state: string }[] }
    expect(items.map(({ state }) => state)).toEqual(['interrupted'])
    const rest = await fetch(`${path}/runs/${items[0]?.id}/events`, { headers: { 'last-event-id': last } })
    const told = await rest.text()
    expect(told).toContain('run-ended')
    expect(told).not.toContain('"word0 ')
    expect((await other.stop()).code).toBe(0)
    model.close()
  })
})

test('a run that a killed server left behind is ended by the next one', async () => {
  const db = freshDb()
  const model = await slowModel(50)
  const env = { ...model.env, THROUGHLINE_RUN_LEASE_SECONDS: '2' }
  const one = await up(['--db', db], env)
  const session = crypto.randomUUID()
  void chat(one.url, session, 'Count.').catch(() => {})
  await said(one, 'conversation_context_loaded')
  await one.stop('SIGKILL')
  const other = await up(['--db', db], env)
  const state = async () => {
    const answer = await fetch(`${other.url}/api/v1/conversations/${session}/runs`)
    return ((await answer.json()) as { items: { state: string }[] }).items[0]?.state
  }
  await expect.poll(state, { timeout: 15_000, interval: 200 }).toBe('interrupted')
  await said(other, 'runs-recovered')
  model.close()
})
