// Finds a Chromium for the tests of the app, and installs one where that takes one command.
import { canInstall, findChromium, installChromium, whyNot } from './lib/chromium.mjs'
import { say, step } from './lib/progress.mjs'
import { fail } from './lib/run.mjs'

try {
  if (findChromium() === null) {
    if (!canInstall) throw new Error(whyNot)
    await step('install Chromium (apt-get install chromium)', installChromium)
  }
  say(`Chromium is at ${findChromium()}`)
} catch (error) {
  fail(error)
}
