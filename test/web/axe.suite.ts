/** No serious or critical finding of axe on any screen. */
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
export async function findings(page: Page): Promise<readonly string[]> {
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
const conversation = (page: Page) => at(page, `#/c/${demoId}`, 'I can’t say where we sleep')

const saw = async (page: Page, tab: string): Promise<void> => {
  await conversation(page)
  await page.locator('article.assistant').last().getByRole('button', { name: 'What the model saw' }).click()
  await page.locator('.inspector').getByText('Seen').first().waitFor()
  await page.locator('.inspector').getByRole('tab', { name: tab, exact: true }).click()
  await page
    .locator(tabHas[tab] as string)
    .first()
    .waitFor()
}
const tabHas: Readonly<Record<string, string>> = {
  Map: '.segment',
  Request: '.inspector pre, .inspector .lines',
  Changes: '.inspector [role="tabpanel"] button, .inspector [role="tabpanel"] p',
  'What if': '.verdict p',
  'Over time': '.turn',
}
const branches = async (page: Page): Promise<void> => {
  await conversation(page)
  await page.locator('.head').getByRole('button', { name: 'Branch main: show all branches' }).click()
  await page.getByRole('dialog', { name: 'Branches' }).waitFor()
}
const onPhone = { width: 390, height: 780 }
const wide = { width: 1280, height: 820 }

/** How each screen is reached from the start. */
const screens: Readonly<Record<string, (made: Visit) => Promise<unknown>>> = {
  'first run': ({ page }) => page.getByRole('link', { name: 'Open the demo' }).waitFor(),
  conversation: ({ page }) => conversation(page),
  'what the model saw': async ({ page }) => {
    await conversation(page)
    await page.locator('article.assistant').last().getByRole('button', { name: 'What the model saw' }).click()
    await page.getByRole('complementary', { name: 'What the model saw' }).getByText('Summarised').first().waitFor()
  },
  'the map of a window': ({ page }) => saw(page, 'Map'),
  'a window as it was sent': ({ page }) => saw(page, 'Request'),
  'what changed in a window': ({ page }) => saw(page, 'Changes'),
  'another window': ({ page }) => saw(page, 'What if'),
  'windows over time': ({ page }) => saw(page, 'Over time'),
  'all branches': ({ page }) => branches(page),
  'two branches': async ({ page }) => {
    await branches(page)
    await page.getByRole('button', { name: 'Compare with ryokan-instead' }).click()
    await page.locator('.compare-row').first().waitFor()
  },
  'the tree': async ({ page }) => {
    await conversation(page)
    await page.getByRole('button', { name: 'The whole conversation' }).click()
    await page.getByRole('tree').getByRole('treeitem').nth(1).waitFor()
  },
  'a phone': async ({ page }) => {
    await page.setViewportSize(onPhone)
    await conversation(page)
  },
  'the list on a phone': async ({ page }) => {
    await page.setViewportSize(onPhone)
    await page.getByRole('button', { name: 'Show conversations' }).click()
    await page.getByRole('link', { name: 'Demo: a week in Kyoto' }).waitFor()
  },
  'what the model saw, on a phone': async ({ page }) => {
    await page.setViewportSize(onPhone)
    await saw(page, 'Map')
  },
  'no connection': async ({ page, browser }) => {
    await browser.context.setOffline(true)
    await page.getByText('This device is offline').waitFor()
  },
  'a service that asks for a key': async ({ page }) => {
    await page.route('**/api/v1/system', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        json: { code: 'unauthorized', status: 401 },
      }),
    )
    await page.reload()
    await page.getByRole('heading', { name: /key/ }).waitFor()
  },
  'an app that broke': async ({ page }) => {
    await page.route('**/api/v1/system', (route) => route.fulfill({ json: { models: null } }))
    await page.reload()
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
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
  models: ({ page }) => at(page, '#/models', 'Connect a model'),
  tools: ({ page }) => at(page, '#/tools', 'Your servers'),
  settings: ({ page }) => at(page, '#/settings', 'Your data'),
  'importing chats': async ({ page }) => {
    await at(page, '#/settings', 'Your data')
    await page.getByRole('button', { name: 'Import chats' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  },
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

type Look = readonly [screen: string, theme: 'light' | 'dark']

/** Every screen in both themes. */
export const everything = Object.keys(screens).flatMap((name) => [[name, 'light'] as Look, [name, 'dark'] as Look])

export function findsNothing(looks: readonly Look[]): void {
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

    test.each(looks)(
      'on %s, %s',
      async (name, colorScheme) => {
        const { page, host } = made
        await made.browser.context.setOffline(false)
        await page.unrouteAll()
        await page.setViewportSize(wide)
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto('about:blank')
        await page.goto(host.url)
        await page.getByRole('textbox', { name: 'Ask anything' }).waitFor()
        await (screens[name] as (made: Visit) => Promise<unknown>)(made)
        expect(await findings(page)).toEqual([])
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
}
