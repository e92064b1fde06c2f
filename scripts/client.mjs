// Writes src/client/wire.ts, the types of the client, from the schemas of the operations. `--check` compares instead.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { wireFile, wireTypes } from './lib/client-types.mjs'
import { prepare } from './lib/prepare.mjs'
import { fail } from './lib/run.mjs'

const check = process.argv.includes('--check')

try {
  await prepare()
  const text = await wireTypes()
  const stale = !existsSync(wireFile) || readFileSync(wireFile, 'utf8') !== text
  if (stale && check) throw new Error('The types of the client do not match the operations. Run: npm run client')
  if (stale) writeFileSync(wireFile, text)
  process.stdout.write(`src/client/wire.ts ${stale ? 'was written' : 'is up to date'}\n`)
} catch (error) {
  fail(error)
}
