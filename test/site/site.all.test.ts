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

  test('shows every page in a browser, with no error and no request to another host', async () => {
    expect(pages.length).toBeGreaterThan(20)
    for (const name of pages) {
      await open(name)
      await made.page.locator('h1').first().waitFor()
    }
    expect(made.faults).toEqual([])
  }, 300_000)

  test('has no link that leads nowhere', async () => {
    const known = new Set(pages.map((name) => name.replace(/(index)?\.html$/, '')))
    const broken = pages.flatMap((name) => {
      const page = readFileSync(join(dist, name), 'utf8')
      const ids = new Set([...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))
      return [...page.matchAll(/<a[^>]*\bhref="([^"]+)"/g)].flatMap(([, href = '']) => {
        if (href.startsWith('#')) return ids.has(decodeURIComponent(href.slice(1))) ? [] : [`${name}: ${href}`]
        if (!href.startsWith('/')) return /^https?:/.test(href) ? [] : [`${name}: ${href}`]
        const path = href.replace(/^\/guide\//, '').replace(/#.*$/, '')
        return known.has(path) ? [] : [`${name}: ${href}`]
      })
    })
    expect(broken).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'has nothing that axe finds serious, in %s',
    async (colorScheme) => {
      await made.page.emulateMedia({ colorScheme })
      for (const name of ['index.html', 'tutorials/coding-agent.html', 'policies.html', 'compare.html']) {
        await open(name)
        await made.page.locator('h1').first().waitFor()
        expect(await findings(made.page), name).toEqual([])
      }
    },
    120_000,
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
