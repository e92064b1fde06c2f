/** Payloads in every place that shows what someone wrote: nothing runs, nothing leaves, nothing is markup. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startService } from '../../http/host.js'
import { openBrowser } from '../browser.js'
import { blind } from '../visit.js'
import { type Guard, guard, sweep, until } from './guard.js'
import { branchOf, manyId, seedBranches, seedMessages, seedTitles, tokenOf } from './seed.js'

export function staysWords(payloads: readonly string[]): void {
  describe.skipIf(blind !== null)('what was written', () => {
    let host: Host
    let page: Page
    let watched: Guard
    const ends: (() => Promise<unknown>)[] = []
    beforeAll(async () => {
      host = await startService({ store: 'sqlite' })
      ends.push(() => host.stop())
      await seedMessages(host, payloads)
      await seedTitles(host, payloads)
      await seedBranches(host, payloads)
      const browser = await openBrowser({ width: 1280, height: 3_000 })
      ends.push(() => browser.close())
      page = browser.page
      page.setDefaultTimeout(20_000)
      watched = await guard(browser.context, host.url)
      await page.goto(host.url)
      await page.getByRole('textbox', { name: 'Ask anything' }).waitFor()
    }, 120_000)
    afterAll(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    test('is words: of users and models, files, authors and tools [A-08] [T-78]', async () => {
      await page.goto(`${host.url}/#/c/${manyId}`)
      await page.locator('article').first().waitFor()
      await through('.log', -1, async () => (await page.evaluate<number>('guarded.rows.size')) >= 2 * payloads.length)
      expect(watched.seen()).toEqual([])
    }, 120_000)

    test('is a title: in the list, above the conversation and of the window [A-08]', async () => {
      const listed = new Set<string>()
      await through('.side-list', 1, async () => {
        const rows = await page.evaluate<string[]>(
          "[...document.querySelectorAll('a[data-row]')].map((a) => a.dataset.row)",
        )
        for (const row of rows) listed.add(row)
        return payloads.every((_, n) => listed.has(`t${n}`))
      })
      for (const [n, title] of payloads.entries()) {
        // the window's own title has no line breaks, and control characters are not worth an argument
        const bare = (of: string): string => `${of}.replace(/[\\s\\x00-\\x1f]+/g, '')`
        await page.evaluate(`location.hash = '#/c/t${n}'`)
        await until(page, `document.querySelector('h1.title')?.textContent === ${JSON.stringify(title)}`)
        await until(page, `${bare('document.title')} === ${bare(JSON.stringify(`${title} · Throughline`))}`)
      }
      expect(watched.seen()).toEqual([])
    }, 120_000)

    test('is found: ten payloads a search [A-08]', async () => {
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: 'Search messages, titles and commands' })
      for (let n = 0; n < payloads.length; n += 10) {
        await field.fill(tokenOf(n))
        await until(
          page,
          `[...document.querySelectorAll('.hit mark')].filter((one) => one.textContent === '${tokenOf(n)}').length === 10`,
        )
        const said = await page.locator('.hit .snippet').allTextContents()
        for (const payload of payloads.slice(n, n + 10)) expect(said).toContain(`${tokenOf(n)} ${payload}`)
      }
      await page.keyboard.press('Escape')
      expect(watched.seen()).toEqual([])
    }, 120_000)

    test('is the name of a branch: in the list of them, above the conversation and where one is shared [A-08]', async () => {
      await page.goto(`${host.url}/#/c/branches`)
      await page.getByRole('button', { name: 'Branch main: show all branches' }).click()
      await page.locator('dialog.branches li').nth(payloads.length).waitFor()
      const names = await page.locator('dialog.branches strong').allTextContents()
      for (const [n, payload] of payloads.entries()) expect(names).toContain(branchOf(payload, n))
      await page.keyboard.press('Escape')
      await page.locator('.head').getByRole('button', { name: 'Share' }).click()
      await page.locator('dialog option').nth(payloads.length).waitFor({ state: 'attached' })
      await page.keyboard.press('Escape')
      for (let n = 0; n < payloads.length; n += 25) {
        const name = branchOf(payloads[n] as string, n)
        await page.evaluate(`location.hash = ${JSON.stringify(`#/c/branches/${encodeURIComponent(name)}`)}`)
        await until(page, `document.querySelector('.branch')?.textContent.trim() === ${JSON.stringify(name.trim())}`)
      }
      expect(watched.seen()).toEqual([])
    }, 120_000)

    test('is shared: on a page without script, with or without a browser that would run one [A-08]', async () => {
      const shared = async (id: string, body: object): Promise<string> =>
        host.url + (await host.call('POST', `/api/v1/conversations/${id}/shares`, { body })).body.url
      const url = await shared(manyId, { authors: true })
      await page.goto(url)
      expect(await page.locator('article').count()).toBe(2 * payloads.length)
      expect(await sweep(page)).toEqual([])
      const plain = await openBrowser({ javaScript: false })
      ends.push(() => plain.close())
      await plain.page.goto(url)
      expect(await plain.page.locator('article').count()).toBe(2 * payloads.length)
      expect(await sweep(plain.page)).toEqual([])

      await page.goto('about:blank')
      for (const [n, title] of payloads.entries()) {
        const html = await (await fetch(await shared('branches', { title, branch: branchOf(title, n) }))).text()
        const read = `new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html')`
        expect(await sweep(page, read), title).toEqual([])
      }
      expect(watched.seen()).toEqual([])
    }, 120_000)

    test('has the strictest policy around it [A-08]', async () => {
      const { headers } = await host.call('GET', '/')
      const rules = new Map(
        (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
          const [name, ...sources] = rule.split(' ')
          return [name, sources.join(' ')]
        }),
      )
      expect(Object.fromEntries(rules)).toEqual({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': "'self' data:",
        'connect-src': "'self'",
        'manifest-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
        'require-trusted-types-for': "'script'",
      })
      const page = await host.call('GET', '/s/none')
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/)
      for (const answer of [headers, page.headers]) expect(answer.get('x-content-type-options')).toBe('nosniff')
    })

    /** Scrolls a list that draws only what is in sight, to one end and back, until everything was there. */
    async function through(box: string, step: number, done: () => Promise<boolean>): Promise<void> {
      let way = step
      for (let turn = 0; turn < 600 && !(await done()); turn++) {
        const at = await page.evaluate<number>(`(async () => {
          const box = document.querySelector('${box}')
          box.scrollTop += ${way} * 0.6 * box.clientHeight
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
          if (/Loading/.test(box.textContent)) return 0
          return box.scrollTop < 2 ? -1 : box.scrollTop + box.clientHeight > box.scrollHeight - 2 ? 1 : 0
        })()`)
        if (at === Math.sign(way)) way = -way
      }
      expect(await done()).toBe(true)
    }
  })
}
