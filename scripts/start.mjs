import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { fail, node, root } from './lib/run.mjs'

try {
  await prepare()
  await node([join(root, 'dist', 'cli', 'tour.js'), ...process.argv.slice(2)], { cwd: process.cwd(), show: true })
} catch (error) {
  fail(error)
}
