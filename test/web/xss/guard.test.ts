/** The payloads are real and the guard sees them: on a page without care they fire, leave and leave marks. */
import { describe, expect, test } from 'vitest'
import { blind } from '../visit.js'
import { carelessPage } from './careless.fixture.js'
import { type Sort, sweep } from './guard.js'

const patient = { timeout: 20_000 }

describe.skipIf(blind !== null)('a page without care', () => {
  const { at, open } = carelessPage()
  /** Into the page as it is, as a renderer that escapes nothing would. */
  const put = (html: string) => at.page.evaluate(`document.getElementById('at').innerHTML = ${JSON.stringify(html)}`)
  const saw = (sort: Sort, what: RegExp) =>
    expect
      .poll(() => at.watched.seen(sort).some((one) => what.test(one)), { ...patient, message: `${sort} ${what}` })
      .toBe(true)

  test.each<[string, Sort, RegExp, string]>([
    ['a script that runs', 'fired', /^fired: 7$/, '<img src=x onerror="fired(7)">'],
    ['a handler', 'foreign', /img\[onload/, '<img src="/assets/icon.svg" onload="0">'],
    ['a frame', 'foreign', /<iframe>/, '<iframe></iframe>'],
    ['an object', 'foreign', /<object>/, '<object></object>'],
    ['a base', 'foreign', /<base>/, '<base target="x">'],
    ['a style', 'foreign', /<style>/, '<style>a{}</style>'],
    ['a link that is script', 'foreign', /a\[href="java/, '<a href="java\tscript:1">x</a>'],
    ['a link that is a page of its own', 'foreign', /a\[href="data:/, '<a href="data:text/html,x">x</a>'],
    ['a picture from elsewhere', 'foreign', /img\[src="http:\/\/att/, '<img src="http://attacker.invalid/a.png">'],
    ['a picture that can hold script', 'foreign', /img\[src="data:image\/svg/, '<img src="data:image/svg+xml,x">'],
    ['a style that loads', 'foreign', /div\[style/, '<div style="background:url(http://attacker.invalid/b)">x</div>'],
    ['a request that leaves', 'left', /\/c\.png/, '<img src="http://attacker.invalid/c.png">'],
    ['a dialog', 'dialog', /hello/, '<img src=x onerror="alert(\'hello\')">'],
    ['another page', 'left', /\/gone/, '<img src=x onerror="location=\'http://attacker.invalid/gone\'">'],
  ])('shows the guard %s', async (_, sort, what, html) => {
    await open()
    await put(html)
    await saw(sort, what)
  })

  test('shows the guard what its policy held back', async () => {
    const page = await at.browser.context.newPage()
    await page.route('**/held', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': "script-src 'none'" },
        body: '<p>x</p><img src=x onerror="fired(8)">',
      }),
    )
    await page.goto(`${at.host.url}/held`)
    await saw('blocked', /script-src/)
    expect(await sweep(page)).toEqual([expect.stringMatching(/^img\[onerror/)])
    expect(at.watched.seen('fired')).not.toContain('fired: 8')
  })

  test('is not what the app is: a renderer that lets markup through is caught', async () => {
    const page = await at.browser.context.newPage()
    await page.goto(at.host.url)
    await page.getByRole('textbox', { name: 'Ask anything' }).waitFor()
    const before = at.watched.seen('foreign').length
    await page.evaluate(`(() => {
      const link = document.createElement('a')
      link.setAttribute('href', 'data:text/html,renderer')
      document.querySelector('main').append(link)
    })()`)
    await expect.poll(() => at.watched.seen('foreign').length, patient).toBe(before + 1)
  })
})
