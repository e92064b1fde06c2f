/** A page without policy or care, and the guard that watches it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Host, startService } from '../../http/host.js'
import { type Browser, openBrowser } from '../browser.js'
import { type Guard, guard } from './guard.js'

const careless = '/careless'

export function carelessPage() {
  const at = {} as { host: Host; browser: Browser; page: Page; watched: Guard }
  beforeAll(async () => {
    at.host = await startService()
    at.browser = await openBrowser()
    at.page = at.browser.page
    at.watched = await guard(at.browser.context, at.host.url)
    const body = '<div id=at></div>'
    await at.page.route(`**${careless}`, (route) => route.fulfill({ contentType: 'text/html', body }))
  }, 60_000)
  afterAll(async () => {
    await at.browser?.close()
    await at.host?.stop()
  })
  return { at, open: () => at.page.goto(at.host.url + careless) }
}
