import { afterEach, describe, expect, test } from 'vitest'
import { gated, modelsOf, saying } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
const { visit } = visits
afterEach(() => visits.end())

describe.skipIf(blind !== null)('the app in Chromium', () => {
  test('two turns, a reload, an edit that branches, and what the model saw', async () => {
    const { page, faults } = await visit()
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await page.getByRole('button', { name: 'no AI' }).waitFor()
    await field.fill('We leave for Lisbon on the 4th of May. The hotel is called Miramar.')
    await field.press('Enter')
    const answers = page.locator('article.assistant:not([data-live="true"])')
    await answers.first().getByRole('button', { name: 'What the model saw' }).waitFor()
    await field.fill('What is the hotel called?')
    await field.press('Enter')
    await answers.nth(1).getByText('Miramar').waitFor()

    await page.reload()
    await answers.nth(1).getByText('Miramar').waitFor()
    expect(await page.locator('article').count()).toBe(4)

    const first = page.locator('article.user').first()
    await first.hover()
    await first.getByRole('button', { name: 'Edit' }).click()
    await page
      .getByRole('textbox', { name: /Edit the message/ })
      .fill('We leave for Porto. The hotel is called Infante.')
    await page.keyboard.press('Enter')
    const versions = page.getByRole('navigation', { name: 'Versions' })
    await versions.getByText('2 / 2').waitFor()
    expect(await page.locator('article.user').count()).toBe(1)
    await answers.first().getByRole('button', { name: 'What the model saw' }).waitFor()
    await versions.getByRole('button', { name: 'Version before' }).click()
    await versions.getByText('1 / 2').waitFor()
    await answers.nth(1).getByText('Miramar').waitFor()

    await answers.nth(1).getByRole('button', { name: 'What the model saw' }).click()
    const inspector = page.getByRole('complementary', { name: 'What the model saw' })
    await inspector.getByText('of 3 messages').waitFor()
    await inspector.getByRole('tab', { name: 'Map' }).click()
    await inspector.getByText('Everything was sent.').waitFor()
    await inspector.getByRole('tab', { name: 'Request' }).click()
    await inspector.getByText('the same bytes as were sent').waitFor()
    await page.keyboard.press('Escape')
    await inspector.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search messages, titles and commands' }).fill('Infante')
    await page.locator('.hit mark').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('article[data-target="true"]').getByText('Infante').waitFor()
    expect(faults).toEqual([])
  })

  test('a reload in the middle of an answer goes on with it, and stop keeps what was said', async () => {
    const gate = gated()
    const { page, faults } = await visit({ models: modelsOf(gate.model) })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Tell me a story')
    await field.press('Enter')
    gate.say('Once upon ')
    const live = page.locator('article[data-live="true"]')
    await live.getByText('Once upon').waitFor()
    await page.reload()
    await live.getByText('Once upon').waitFor()
    gate.say('a time')
    await live.getByText('Once upon a time').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped by you.').waitFor()
    expect(await page.locator('article.assistant').textContent()).toContain('Once upon a time')
    expect(faults).toEqual([])
  })

  test('what a model says is never markup, and a picture is never fetched', async () => {
    const hostile = [
      '<img src=x onerror="window.fired=1"> <script>window.fired=1</script>',
      '[click](javascript:window.fired=1) [data](data:text/html,<script>window.fired=1</script>)',
      '![pixel](https://evil.example/p.png)',
      '**bold** `code` [fine](https://example.com)',
    ].join('\n\n')
    const { page, faults } = await visit({ models: modelsOf(saying(hostile)) }, { width: 390, height: 760 })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Go')
    await field.press('Enter')
    const answer = page.locator('article.assistant:not([data-live="true"])')
    await answer.getByRole('link', { name: 'fine' }).waitFor()
    expect(await answer.locator('img, script, [href^="javascript"], [href^="data"]').count()).toBe(0)
    expect(await answer.getByRole('link', { name: 'fine' }).getAttribute('rel')).toContain('noopener')
    expect(await page.evaluate('window.fired')).toBeUndefined()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(faults).toEqual([])
  })
})
