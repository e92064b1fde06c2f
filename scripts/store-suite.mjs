// npm run store:suite -- --url postgres://…: the tests of the store against a PostgreSQL that is given. The role of the address
// must be allowed to make roles and databases; the tests work in a database of their own, as a plain role, and drop it.
import { fail, vitest } from './lib/run.mjs'

const args = process.argv.slice(2)
const at = args.indexOf('--url')
const url = at < 0 ? process.env.TEST_DATABASE_URL : args[at + 1]
if (!url || !URL.canParse(url)) {
  process.stderr.write('Usage: npm run store:suite -- --url postgres://user:password@host:5432/postgres\n')
  process.exit(2)
}
const named = at < 0 ? args : args.toSpliced(at, 2)
const files = ['suite', 'store', 'verify', 'batch', 'migrate'].map((name) => `src/store/postgres/${name}.test.ts`)
await vitest(['run', ...(named.length > 0 ? named : files)], { show: true, env: { TEST_DATABASE_URL: url } }).catch(
  fail,
)
