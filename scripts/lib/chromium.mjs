// Where the system's Chromium is, if there is one.
import { existsSync } from 'node:fs'

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

export const chromiumPath = known.find((path) => path !== undefined && existsSync(path)) ?? null

/** What to do about it, on this machine. */
const ways = {
  linux: 'as root run `npm run chromium`, or `apt-get install chromium`, `dnf install chromium`, `apk add chromium`',
  darwin: 'install Google Chrome, or run `brew install --cask chromium`',
}

export const whyNot = `no Chromium was found: ${ways[process.platform] ?? 'install Chromium or Google Chrome'}; one that is elsewhere is named by CHROMIUM_PATH=/path/to/chromium`
