// Makes the clone ready and starts the service, on a free port if the usual one is taken.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { fail, root } from './lib/run.mjs'

try {
  await prepare()
  const main = join(root, 'dist', 'doors', 'cli.js')
  const server = spawn(process.execPath, [main, 'serve', ...process.argv.slice(2)], { stdio: 'inherit' })
  // a terminal sends Ctrl-C to both: the server is the one to decide when it is over
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => server.kill('SIGTERM'))
  server.on('error', fail)
  server.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
} catch (error) {
  fail(error)
}
