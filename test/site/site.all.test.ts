/** The site of the guides, built and served as a reader gets it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../lib/tree.js'
import { findings } from '../web/axe.suite.js'
import { blind, openVisits, type Visit } from '../web/visit.js'

const dist = join(root, 'site', 'dist')
const visits = openVisits()

describe.skipIf(blind !== null)('the site', () => {
  let made: Visit
  let pages: string[]

  beforeAll(async () => {
    execFileSync(process.execPath, [join(root, 'scripts', 'site.mjs')], { stdio: 'pipe' })
    pages = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .sort()
    made = await visits.visit()
  }, 300_000)
  afterAll(() => visits.end())

  const open = (name: string) =>
    made.page.goto(`${made.host.url}/guide/${name === 'index.html' ? '' : name.replace(/\.html$/, '')}`)

  test('has a page for every guide', () => {
    const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.startsWith('surface'))
      .map((name) => name.replace(/\.md$/, '.html'))
    expect(pages).toEqual(expect.arrayContaining([...guides, 'index.html', 'glossary.html', 'changelog.html']))
  })

  test('shows every page in a browser, with no error and no request to another host', async () => {
    for (const name of pages) {
      await open(name)
      await made.page.locator('h1').first().waitFor()
    }
    expect(made.faults).toEqual([])
  }, 300_000)

  test('has no link that leads nowhere', async () => {
    const read = (name: string) => {
      const text = readFileSync(join(dist, name), 'utf8')
      return { text, ids: new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)) }
    }
    const known = new Map(pages.map((name) => [name.replace(/(index)?\.html$/, ''), read(name)]))
    const broken = [...known].flatMap(([name, { text }]) =>
      [...text.matchAll(/<a[^>]*\bhref="([^"]+)"/g)].flatMap(([, href = '']) => {
        if (/^https?:/.test(href)) return []
        const [path = '', hash = ''] = href.replace(/^\/guide\//, '').split('#')
        const page = known.get(href.startsWith('#') ? name : path)
        return page && (hash === '' || page.ids.has(decodeURIComponent(hash))) ? [] : [`${name}: ${href}`]
      }),
    )
    expect(broken).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds serious on any page, in %s',
    async (colorScheme) => {
      await made.page.emulateMedia({ colorScheme })
      const found: string[] = []
      for (const name of pages) {
        await open(name)
        await made.page.locator('h1').first().waitFor()
        found.push(...(await findings(made.page)).map((one) => `${name}: ${one}`))
      }
      expect(found).toEqual([])
    },
    600_000,
  )

  test('finds a word by its own search', async () => {
    await open('index.html')
    await made.page.getByRole('button', { name: 'Search' }).first().click()
    await made.page.locator('input[type="search"]').fill('torture')
    await made.page.locator('.results .result').first().waitFor()
  })

  test('has its text for models', async () => {
    for (const name of ['llms.txt', 'llms-full.txt']) {
      const answer = await fetch(`${made.host.url}/guide/${name}`)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await answer.text()).toContain('Watch your coding agent')
    }
  })

  test('leads nowhere else', async () => {
    for (const path of ['nothing', '..%2f..%2fpackage.json', 'assets/..%2f..%2fpackage.json', 'package.json'])
      expect((await fetch(`${made.host.url}/guide/${path}`)).status, path).toBe(404)
  })
})
