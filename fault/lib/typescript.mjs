// Loads one TypeScript file of the tests that imports nothing but packages and Node.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { root } from '../../scripts/lib/run.mjs'
import { command, own } from '../../test/postgres/own.mjs'

export async function typescript(path) {
  const file = join(root, path)
  const define = { 'import.meta.url': JSON.stringify(pathToFileURL(file).href) }
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm', define })
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

/** A PostgreSQL of our own that waits for the disk, or a place on the one that is given; else the reason why there is none. */
export async function postgres(settings = []) {
  if (process.env.TEST_DATABASE_URL) return given(process.env.TEST_DATABASE_URL)
  const { startServer } = await typescript('test/postgres/server.ts')
  return startServer(settings).catch((error) => ({ reason: error.message.split('\n')[0] }))
}

/** It is crashed by the command that is given, or else all connections to it are. */
async function given(admin) {
  const { url, drop } = await own(admin, process.env.TEST_DISTRIBUTE !== undefined)
  const role = new URL(url).username
  process.env.FAULT_SCHEMA = role
  const cut = () => command(admin, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
  const crash = process.env.FAULT_CRASH
  return { url, restart: async () => (crash ? execSync(crash, { stdio: 'ignore' }) : cut()), stop: drop }
}
