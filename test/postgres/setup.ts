/**
 * One PostgreSQL for a whole run of vitest, started when the first test asks for it. Workers ask over a loopback socket,
 * because they live in other threads or processes.
 */
import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { type Server, startServer } from './server.js'

/** What a worker is told. `url` is an ordinary role's, so that row level security holds in every test. */
export type Desk = { readonly url: string; readonly admin: string } | { readonly reason: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: number
  }
}

interface Running {
  readonly told: Desk
  readonly end: () => Promise<void>
}

let running: Promise<Running> | undefined

const desk = createServer((socket) => {
  running ??= open()
  socket.on('error', () => {})
  void running.then(({ told }) => socket.end(JSON.stringify(told)))
})

export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    desk.once('error', reject)
    desk.listen(0, '127.0.0.1', resolve)
  })
  desk.unref()
  project.provide('postgres', (desk.address() as AddressInfo).port)
}

export async function teardown(): Promise<void> {
  desk.close()
  const run = await running
  await run?.end()
}

async function open(): Promise<Running> {
  let server: Server | undefined
  try {
    const given = process.env.TEST_DATABASE_URL
    if (given === undefined) server = await startServer(['fsync=off'])
    const admin = given ?? (server as Server).url
    const { url, drop } = await database(admin)
    const end = async () => {
      if (!server) await drop()
      await server?.stop()
    }
    return { told: { url, admin }, end }
  } catch (error) {
    await server?.stop()
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`\nno PostgreSQL, so its tests are skipped: ${reason}\n`)
    return { told: { reason }, end: async () => {} }
  }
}

/** A database of its own that belongs to an ordinary role: superusers are exempt from row level security. */
async function database(admin: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `throughline_test_${randomBytes(6).toString('hex')}`
  await command(admin, `create role ${name} login nosuperuser nobypassrls password '${name}'`)
  await command(admin, `create database ${name} owner ${name}`)
  const url = new URL(admin)
  url.username = name
  url.password = name
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await command(admin, `drop database ${name} with (force)`)
      await command(admin, `drop role ${name}`)
    },
  }
}

async function command(url: string, sql: string): Promise<void> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
