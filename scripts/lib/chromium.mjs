// Where the system's Chromium is, and how to get one.
import { existsSync } from 'node:fs'
import { run } from './run.mjs'

const known = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const findChromium = () => known.find((path) => path !== undefined && existsSync(path)) ?? null

export const chromiumPath = findChromium()

/** What to do about it, on this machine. */
const ways = {
  linux: 'as root run `npm run chromium`, or `apt-get install chromium`, `dnf install chromium`, `apk add chromium`',
  darwin: 'install Google Chrome, or run `brew install --cask chromium`',
}

export const whyNot = `no Chromium was found: ${ways[process.platform] ?? 'install Chromium or Google Chrome'}; if it is elsewhere, set CHROMIUM_PATH=/path/to/chromium`

/** Whether one command installs it: for root on a system with apt. */
export const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

export async function installChromium() {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env })
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env })
  if (findChromium() === null) throw new Error(`apt-get installed no Chromium that is known here; ${whyNot}`)
}
