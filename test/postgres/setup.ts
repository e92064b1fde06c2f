/** One PostgreSQL for a whole run of vitest, started when the first test asks for it. */
import type { TestProject } from 'vitest/node'
import { type Opened, type Shared, share } from '../lib/shared.js'
import { own } from './own.mjs'
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
    const { url, drop } = await own(admin, process.env.TEST_DISTRIBUTE !== undefined)
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
