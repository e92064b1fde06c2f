// Loads one TypeScript file of the tests that imports nothing but packages and Node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { root } from '../../scripts/lib/run.mjs'

export async function typescript(path) {
  const file = join(root, path)
  const define = { 'import.meta.url': JSON.stringify(pathToFileURL(file).href) }
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm', define })
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

/** A PostgreSQL of our own that waits for the disk, or the reason why there is none. */
export async function postgres(settings = []) {
  const { startServer } = await typescript('test/postgres/server.ts')
  return startServer(settings).catch((error) => ({ reason: error.message.split('\n')[0] }))
}
