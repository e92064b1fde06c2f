/** The README as a newcomer reads it; `npm run readme` prints both figures. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { most, screens, strange } from '../../scripts/lib/newcomer.mjs'
import { root } from '../lib/tree.js'
import { chromiumPath, openBrowser } from '../web/browser.js'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const readme = read('README.md')
const glossary = read('GLOSSARY.md')

test('the README has no word that only the glossary explains', () => {
  expect(strange(readme, glossary)).toEqual([])
})

test('such a word is found, in any number, and one that is no longer explained', () => {
  expect(strange(`${readme}\nTwo policies and a sitting.`, glossary)).toEqual(['policy', 'sitting'])
  expect(strange(`${readme}\n\`a policy\`\n\n\`\`\`sh\na sitting\n\`\`\`\n`, glossary)).toEqual([])
  expect(strange('Each window fits.', glossary)).toEqual(['window'])
})

test.skipIf(chromiumPath === null)(
  'the README has five screens at most, and one that is longer is noticed',
  async () => {
    const browser = await openBrowser()
    try {
      const count = await screens(browser.page, readme, root)
      expect(count).toBeLessThanOrEqual(most)
      expect(await screens(browser.page, readme + readme, root)).toBeGreaterThan(count * 1.9)
    } finally {
      await browser.close()
    }
  },
)
