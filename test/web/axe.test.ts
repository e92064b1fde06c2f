/** Every screen, both themes: no serious or critical finding of axe. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoId } from '../../src/cli/demo/seed.js'
import { blind, openVisits, type Visit } from './visit.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Evaluated over the debugger, which the page's own policy does not bind. */
async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    readonly violations: readonly Finding[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary?.slice(0, 240)}`)
}

const at = async (page: Page, address: string, text: string): Promise<void> => {
  await page.evaluate(`location.hash = '${address}'`)
  await page.getByText(text).first().waitFor()
}
const conversation = (page: Page) => at(page, `#/c/${demoId}`, 'Where we sleep I cannot say')

/** How each screen is reached from the start. */
const screens: Readonly<Record<string, (made: Visit) => Promise<unknown>>> = {
  'first run': ({ page }) => page.getByRole('link', { name: 'Open the demo' }).waitFor(),
  conversation: ({ page }) => conversation(page),
  'what the model saw': async ({ page }) => {
    await conversation(page)
    await page.locator('article.assistant').last().getByRole('button', { name: 'What the model saw' }).click()
    await page.getByRole('complementary', { name: 'What the model saw' }).getByText('in a summary').first().waitFor()
  },
  search: async ({ page }) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search messages, titles and commands' }).fill('hotel')
    await page.locator('.hit mark').first().waitFor()
  },
  'share dialog': async ({ page }) => {
    await conversation(page)
    await page.getByRole('button', { name: 'Share' }).first().click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByRole('textbox', { name: 'Link' }).waitFor()
  },
  'folder and tags': async ({ page }) => {
    await page.getByRole('button', { name: /Actions for Demo/ }).click()
    await page
      .locator('.menu:popover-open')
      .getByRole('button', { name: /Folder and tags/ })
      .click()
    await page.getByRole('button', { name: 'Save' }).waitFor()
  },
  'menu of a conversation': ({ page }) => page.getByRole('button', { name: /Actions for Demo/ }).click(),
  usage: ({ page }) => at(page, '#/usage', 'Tokens by day'),
  'what it knows': ({ page }) => at(page, '#/memory', 'My cat is Miso'),
  models: ({ page }) => at(page, '#/models', 'Connect another'),
  shortcuts: async ({ page }) => {
    await page.keyboard.press('Control+/')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  },
  'a wrong address': ({ page }) => at(page, '#/nowhere', 'There is no such page'),
  'a conversation that is gone': ({ page }) => at(page, '#/c/none', 'There is no such conversation'),
  'shared page': async ({ page, host }) => {
    const { body } = await host.call('POST', `/api/v1/conversations/${demoId}/shares`, { body: {} })
    await page.goto(host.url + body.url)
  },
  'a link that has ended': ({ page, host }) => page.goto(`${host.url}/s/none`),
}

describe.skipIf(blind !== null)('axe finds nothing serious', () => {
  const visits = openVisits()
  let made: Visit
  beforeAll(async () => {
    made = await visits.visit({ demo: true })
    for (const message of ['My cat is Miso.', 'What is my cat called?'])
      await made.host.call('POST', '/chat', { body: { session_id: 'cats', message } })
    await made.client.memories.add({ kind: 'profile', text: 'My cat is Miso.' })
  }, 60_000)
  afterAll(() => visits.end())

  test.each(Object.keys(screens))(
    'on %s, light and dark',
    async (name) => {
      const { page, host } = made
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto('about:blank')
        await page.goto(host.url)
        await page.getByRole('textbox', { name: 'Say something' }).waitFor()
        await (screens[name] as (made: Visit) => Promise<unknown>)(made)
        expect(await findings(page), `${name}, ${colorScheme}`).toEqual([])
      }
    },
    60_000,
  )

  test('and something, where there is something', async () => {
    const { page } = made
    await page.goto('about:blank')
    await page.evaluate("document.body.innerHTML = '<img src=x><button></button>'")
    expect((await findings(page)).length).toBeGreaterThan(1)
  })
})
