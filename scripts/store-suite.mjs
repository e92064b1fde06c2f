// npm run store:suite -- --url postgres://…: the tests of the store, then F-06, F-08 and F-09, against a PostgreSQL that is
// given. The role of the address must be allowed to make roles and databases; all of it works in a database of its own, as a
// plain role, and drops it. With --distribute the database is a Citus: a schema of its own, whose tables are spread over its
// servers. --crash 'COMMAND' crashes a server and starts it again, for F-06; without it all connections are ended.
import { fail, node, vitest } from './lib/run.mjs'

const usage =
  "npm run store:suite -- --url postgres://user:password@host:5432/postgres [--distribute] [--crash 'COMMAND'] [FILE …]"
const args = process.argv.slice(2)
const take = (name) => {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args.splice(at, 2)[1]
}
const url = take('--url') ?? process.env.TEST_DATABASE_URL
const crash = take('--crash')
const spread = args.indexOf('--distribute')
if (spread >= 0) args.splice(spread, 1)
if (!url || !URL.canParse(url)) {
  process.stderr.write(`Usage: ${usage}\n`)
  process.exit(2)
}
const env = {
  TEST_DATABASE_URL: url,
  ...(spread >= 0 && { TEST_DISTRIBUTE: '1' }),
  ...(crash && { FAULT_CRASH: crash }),
}
const files = ['suite', 'store', 'verify', 'batch', 'migrate'].map((name) => `src/store/postgres/${name}.test.ts`)
try {
  await vitest(['run', ...(args.length > 0 ? args : files)], { show: true, env })
  if (args.length === 0) await node(['fault/run.mjs', 'F-06', 'F-08', 'F-09p'], { show: true, env })
} catch (error) {
  fail(error)
}
