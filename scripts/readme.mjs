// npm run readme: the README read as a newcomer: at most five screens, and no word that only the glossary explains.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumPath, whyNot } from './lib/chromium.mjs'
import { most, screens, strange } from './lib/newcomer.mjs'
import { fail, root } from './lib/run.mjs'

const read = (name) => readFileSync(join(root, name), 'utf8')

try {
  const words = strange(read('README.md'), read('GLOSSARY.md'))
  process.stdout.write(`words that only the glossary explains: ${words.join(', ') || 'none'}\n`)
  if (chromiumPath === null) throw new Error(whyNot)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  const count = await screens(await browser.newPage(), read('README.md'), root).finally(() => browser.close())
  process.stdout.write(`screens of 1280 x 800: ${count.toFixed(1)} of ${most}\n`)
  if (words.length > 0 || count > most) throw new Error('The README is not for newcomers.')
} catch (error) {
  fail(error)
}
