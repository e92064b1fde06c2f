/** What people do every day: many chats at once, their own language, reading without a network. */
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { demoId } from '../../src/cli/demo/seed.js'
import { modelsOf, saying } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('the list', () => {
  test('what another page drags over a folder moves nothing', async () => {
    const { page, client } = await visits.visit()
    await client.conversations.create({ id: 'one', title: 'One', folder: 'Work' })
    await page.reload()
    await page.locator('.folders button').waitFor()
    await page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('application/x-throughline-chats', '{"not":"a list"}')
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('.folders button').dispatchEvent(drop)
    }`)
    expect(await page.locator('.toast').count()).toBe(0)
  })
})

describe.skipIf(blind !== null)('the language', () => {
  test('is chosen in the settings, holds for every screen, and counts as people there do', async () => {
    const { page, host, faults } = await visits.visit({ demo: true })
    await page.goto(`${host.url}/#/settings`)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.goto(`${host.url}/#/c/${demoId}`)
    const line = page.getByRole('button', { name: /Was das Modell gesehen hat/ }).last()
    await line.getByText(/von \d+,\dk|von \d+k Token|von \d+ Token/).waitFor()
    await line.click()
    await page.getByRole('tab', { name: 'Anfrage' }).waitFor()
    await page.locator('.hero .say', { hasText: /weggelassen|Zusammenfassung|gekürzt/ }).waitFor()
    await page.goto(`${host.url}/#/settings`)
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(faults).toEqual([])
  })

  test.each([1440, 390])('reads from right to left without a thing hanging out, at %i px', async (width) => {
    const { page, host } = await visits.visit({ demo: true }, { width, height: 860 })
    const places = ['', `c/${demoId}`, 'settings', 'models', 'tools', 'usage', 'memory']
    for (const place of places) {
      await page.goto(`${host.url}/#/${place}`)
      await page.locator('h1, article').first().waitFor()
      await page.evaluate("document.documentElement.dir = 'rtl'")
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect([place, wide]).toEqual([place, 0])
      const side = page.locator('.sidebar')
      const box = width > 820 ? await side.boundingBox() : null
      if (box) expect(Math.round(box.x + box.width)).toBe(width)
    }
  })
})

describe.skipIf(blind !== null)('without a network', () => {
  const answering = () => ({ models: modelsOf(saying('It is **blue**.')) })
  /** The worker has the page, and has kept what is read from now on. */
  const kept = (page: Page) =>
    expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), { timeout: 20_000 }).toBe(true)

  test('whoever signs out, or comes with another key, leaves nothing to read', async () => {
    const { page, host, client } = await visits.visit(answering(), { worker: true })
    await client.conversations.create({ id: 'mine', title: 'Only mine' })
    await client.messages.append('mine', { messages: [{ role: 'user', content: 'A secret word' }] })
    await kept(page)
    await page.goto(`${host.url}/#/c/mine`)
    await page.getByText('A secret word').first().waitFor()
    await page.reload()
    await page.getByText('A secret word').first().waitFor()
    const stores = () =>
      page.evaluate<string[]>(`caches.keys().then((names) => names.filter((name) => name.includes('reads')))`)
    expect(await stores()).toHaveLength(1)
    // another key asks for the same address: the service is gone, and nothing is given
    await host.stop()
    const other = `fetch('/api/v1/conversations/mine', { headers: { authorization: 'Bearer other' } })`
    expect(await page.evaluate(`${other}.then(({ status }) => status, () => 'nothing')`)).toBe('nothing')
    const own = `fetch('/api/v1/conversations/mine').then(({ status }) => status, () => 'nothing')`
    expect(await page.evaluate(own)).toBe(200)
    await page.goto(`${host.url}/#/settings`)
    await page.getByRole('button', { name: 'Forget them' }).click()
    await page.getByText('This browser has forgotten').waitFor()
    await expect.poll(async () => page.evaluate(own)).toBe('nothing')
  })
})
