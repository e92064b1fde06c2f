// Our windows and those of the peers' own functions, judged: `npm run torture` writes docs/torture.md.
import { join } from 'node:path'
import { install, prepare } from './lib/prepare.mjs'
import { fail, node, root } from './lib/run.mjs'

try {
  await prepare()
  await install(join(root, 'bench'), "the bench's dependencies")
  await install(join(root, 'test', 'clients'), 'the clients of the tests')
  await node([join(root, 'bench', 'torture.mjs'), ...process.argv.slice(2)], { show: true })
} catch (error) {
  fail(error)
}
