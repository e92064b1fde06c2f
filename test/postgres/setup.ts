/** One PostgreSQL for a whole run of vitest, started when the first test asks for it. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { type Opened, type Shared, share } from '../lib/shared.js'
import { type Server, startServer } from './server.js'

/** What a worker is told. `url` is an ordinary role's, so that row level security holds in every test. */
export type Postgres = { readonly url: string; readonly admin: string } | { readonly reason: string }

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: number
  }
}

let shared: Shared

export async function setup(project: TestProject): Promise<void> {
  shared = await share(open)
  project.provide('postgres', shared.port)
}

export const teardown = (): Promise<void> => shared.end()

async function open(): Promise<Opened<Postgres>> {
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
