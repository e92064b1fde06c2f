// Finds a Chromium for the tests of the app, and installs one where that is a matter of one command.
import { existsSync } from 'node:fs'
import { chromiumPath, whyNot } from './lib/chromium.mjs'
import { say, step } from './lib/progress.mjs'
import { fail, run } from './lib/run.mjs'

const quiet = { DEBIAN_FRONTEND: 'noninteractive' }

try {
  if (chromiumPath !== null) say(`Chromium is there: ${chromiumPath}`)
  else await install()
} catch (error) {
  fail(error)
}

async function install() {
  const isRoot = process.getuid?.() === 0
  if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) throw new Error(whyNot)
  await step('read the package lists (apt-get update)', () => run('apt-get', ['update', '-q'], { env: quiet }))
  await step('install Chromium (apt-get install chromium)', () =>
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env: quiet }),
  )
  if (!existsSync('/usr/bin/chromium')) throw new Error(`apt-get installed no /usr/bin/chromium. ${whyNot}`)
  say('Chromium is there: /usr/bin/chromium')
}
