// Where the system's Chromium is, if there is one.
import { existsSync } from 'node:fs'

const known = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const chromiumPath = known.find((path) => path !== undefined && existsSync(path)) ?? null

export const whyNot = 'no Chromium was found: install one, or name it in CHROMIUM_PATH'
