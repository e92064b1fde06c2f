import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { fail, node, root } from './lib/run.mjs'

try {
  await prepare()
  await node([join(root, 'bench', 'memory', 'run.mjs'), ...process.argv.slice(2)], { show: true })
} catch (error) {
  fail(error)
}
