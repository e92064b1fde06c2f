import { join } from 'node:path'
import { install, prepare } from './lib/prepare.mjs'
import { fail, node, root } from './lib/run.mjs'

try {
  await prepare()
  await install(join(root, 'bench'), "the bench's dependencies")
  await node([join(root, 'bench', 'run.mjs'), ...process.argv.slice(2)], { show: true })
} catch (error) {
  fail(error)
}
