// npm run nodes [-- 22 24] [FILES]: both tiers of the tests on other versions of Node, which come from the registry.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { step } from './lib/progress.mjs'
import { fail, npm, root, run } from './lib/run.mjs'

const args = process.argv.slice(2)
const majors = args.filter((arg) => /^\d+$/.test(arg))
const files = args.filter((arg) => !/^\d+$/.test(arg))
const name = `node-${process.platform}-${process.arch}`

try {
  for (const major of majors.length > 0 ? majors : ['22', '24']) {
    const command = await nodeOf(major)
    const env = { PATH: `${dirname(command)}${delimiter}${process.env.PATH}` }
    process.stderr.write(`\nNode ${(await run(command, ['-v'])).stdout}`)
    await run(command, [join(root, 'scripts', 'test.mjs'), '--all', ...files], { show: true, env })
  }
} catch (error) {
  fail(error)
}

async function nodeOf(major) {
  const folder = join(root, 'node_modules', '.cache', 'throughline', `node-${major}`)
  const command = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(command)) return command
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${major}`]
  await step(`fetch Node ${major}`, () => npm(words, { cwd: folder }))
  return command
}
