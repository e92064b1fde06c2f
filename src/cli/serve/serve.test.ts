import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, rawClient } from '../../../test/postgres/database.js'
import { build, desk, run, start } from '../cli.fixture.js'
import { chat, downAll, freshDb, said, slowModel, up } from './serve.fixture.js'

beforeAll(build, 120_000)

afterAll(downAll)

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
})

describe('a signal', () => {
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
