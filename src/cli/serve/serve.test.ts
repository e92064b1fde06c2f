import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, rawClient } from '../../../test/postgres/database.js'
import { build, desk, run, start } from '../cli.fixture.js'
import { chat, freshDb, type Served, served, slowModel } from './serve.fixture.js'

beforeAll(build, 120_000)

const open: Served[] = []
afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop('SIGKILL')))
})

async function up(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const one = await served(args, env)
  open.push(one)
  return one
}

/** Waits until the server has logged the event. */
const said = (server: Served, event: string) =>
  expect.poll(server.out, { timeout: 15_000 }).toContain(`"event":"${event}"`)

const postgres = await askServer()
const dropped: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of dropped) await drop()
})

const places: readonly (readonly [string, () => Promise<string>])[] = [
  ['SQLite', async () => freshDb()],
  ...('url' in postgres ? [['PostgreSQL', () => databaseBeside(postgres)] as const] : []),
]

/** A database of its own, because a server takes the schema as it finds it. */
async function databaseBeside({ url, admin }: { readonly url: string; readonly admin: string }): Promise<string> {
  const own = new URL(url)
  const name = freshSchema()
  const client = await rawClient(admin)
  await client.query(`create database ${name} owner ${own.username}`)
  dropped.push(async () => {
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  })
  own.pathname = `/${name}`
  return own.href
}

describe.each(places)('on %s', (_, place) => {
  test('the second message of a session knows the first, on another replica [S4-4]', async () => {
    const db = await place()
    const session = crypto.randomUUID()
    const [one, other] = await Promise.all([up(['--db', db]), up(['--db', db])])
    const first = await chat(one.url, session, 'My cat is called Miso.')
    const second = await chat(other.url, session, 'What is my cat called?')
    expect([first.status, second.status]).toEqual([200, 200])
    expect(String(second.body.response)).toContain('Miso')
    expect(one.url).not.toBe(other.url)
    const ended = await Promise.all([one.stop(), other.stop('SIGINT')])
    expect(ended.map(({ code }) => code)).toEqual([0, 0])
  })
})

describe('the port', () => {
  test('is the next free one when the usual one is taken, and that is said', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => {
      // whoever has it already does as well
      blocker.once('error', () => resolve())
      blocker.listen(7333, '127.0.0.1', resolve)
    })
    const { url, err, stop } = await up(['-', '--db', freshDb()])
    expect(url).not.toBe('http://127.0.0.1:7333')
    expect(err()).toContain('(7333 is taken)')
    blocker.close()
    expect((await stop()).code).toBe(0)
  })

  test('that was asked for and is taken ends the command with the reason', async () => {
    const { url } = await up(['--db', freshDb()])
    const port = new URL(url).port
    const { code, stderr } = await run(['serve', '--port', port, '--db', freshDb()])
    expect(code).toBe(1)
    expect(stderr).toContain(`port ${port} is taken`)
    expect(stderr).toContain('--port 0')
  })
})

describe('what it says when it is ready', () => {
  test('is the address, the data, who answers, who may call, and two lines to try that work', async () => {
    const db = freshDb()
    const { err, url } = await up(['--db', db])
    const text = err()
    for (const part of [url, db, 'builtin/extractive  no AI', 'ANTHROPIC_API_KEY', 'open to this machine'])
      expect(text).toContain(part)
    const lines = text.match(/curl -s .*$/gm) ?? []
    expect(lines).toHaveLength(2)
    const answers: string[] = []
    for (const line of lines) answers.push((await promisify(execFile)('sh', ['-c', line])).stdout)
    expect(answers[1]).toContain('Miso')
  })
})

describe('keys', () => {
  test('are needed beyond loopback, and the refusal says how to make one', async () => {
    const { code, stderr } = await run(['serve', '--host', '0.0.0.0', '--db', freshDb()])
    expect(code).toBe(78)
    expect(stderr).toContain('throughline keys create')
    expect(stderr).not.toContain('    at ')
  })

  test('open the service to those who have one, until they are revoked', async () => {
    const db = freshDb()
    const made = await run([
      'keys',
      'create',
      '--db',
      db,
      '--workspace',
      'team',
      '--scopes',
      'read,write',
      '--name',
      'me',
    ])
    const key = made.stdout.trim()
    expect(key).toMatch(/^tl_[0-9a-f]{12}\.\S{43}$/)
    const { url } = await up(['--db', db, '--host', '0.0.0.0'])
    expect((await chat(url, 's', 'hello')).status).toBe(401)
    expect((await chat(url, 's', 'hello', { 'x-api-key': key })).status).toBe(200)
    expect((await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } })).status).toBe(403)

    const listed = await run(['keys', 'list', '--db', db])
    expect(listed.stdout).toContain(key.split('.')[0])
    expect(listed.stdout).toContain('works')
    expect(listed.stdout).not.toContain(key.split('.')[1])
    expect((await run(['keys', 'revoke', key, '--db', db])).code).toBe(0)
    const asked = async () => (await chat(url, 's', 'hello', { 'x-api-key': key })).status
    await expect.poll(asked, { timeout: 15_000 }).toBe(401)
    expect((await run(['keys', 'list', '--db', db])).stdout).toContain('revoked')
  })

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

  test('that comes twice ends it at once', async () => {
    const model = await slowModel(50)
    const one = await up(['--db', freshDb()], model.env)
    void fetch(`${one.url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Count.' }),
    }).catch(() => {})
    await said(one, 'conversation_context_loaded')
    void one.stop()
    await said(one, 'server-stopping')
    const { code, milliseconds } = await one.stop()
    expect(code).toBe(130)
    expect(milliseconds).toBeLessThan(5_000)
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

test('npm start runs the service, and an interrupt ends it cleanly', async () => {
  const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
  const child = start(['--port', '0', '--db', freshDb()], { script, cwd: desk().folder })
  let said = ''
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C')) resolve()
    }),
  )
  const url = /address +(http:\S+)/.exec(said)?.[1] as string
  expect((await chat(url, 's', 'hello')).status).toBe(200)
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
