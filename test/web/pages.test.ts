/** Everything around the conversation, in a real browser. */
import { afterEach, describe, expect, test } from 'vitest'
import { demoId } from '../../src/cli/demo/seed.js'
import { openBrowser } from './browser.js'
import { act, conversations, list, make, open, row, visits } from './pages.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('around the conversation', () => {
  test('search jumps to a message on its own branch and makes none', async () => {
    const made = await open({ demo: true })
    const { page, host, faults } = made
    const branches = async () => (await host.call('GET', `/api/v1/conversations/${demoId}/branches`)).body.items.length
    const before = await branches()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search messages, titles and commands' })
    await field.fill('cypress bath')
    await page.locator('.hit mark').first().waitFor()
    await page.getByLabel('Said by').selectOption('assistant')
    await page.locator('.hit', { hasText: 'Tool ·' }).first().waitFor({ state: 'detached' })
    await page.locator('.hit', { hasText: 'Ryokan Motonago' }).first().waitFor()
    await field.focus()
    await page.keyboard.press('Enter')
    await page.locator('article[data-target="true"]').getByText('Ryokan Motonago').waitFor()
    expect(page.url()).toContain('/ryokan-instead?m=')
    expect(await branches()).toBe(before)

    await page.keyboard.press('Control+k')
    await page.locator('.hit', { hasText: 'cypress bath' }).waitFor()
    await field.fill('nothing has these words')
    await page.getByText('No message or title has these words.').waitFor()
    await field.fill('dark')
    await page.locator('.hit', { hasText: 'Dark theme' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(faults).toEqual([])
  })

  test('a link is made, read by a stranger without script, and taken back', async () => {
    const { page, faults } = await open({ demo: true })
    await page.goto(`${page.url()}#/c/${demoId}`)
    await page.getByRole('button', { name: 'Share' }).first().click()
    await page.getByRole('combobox', { name: 'Branch' }).selectOption('ryokan-instead')
    await page.getByLabel('The link ends after').selectOption('7')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const url = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    const stranger = await openBrowser({ javaScript: false })
    await stranger.page.goto(url)
    expect(await stranger.page.title()).toBe('Demo: a week in Kyoto')
    expect(await stranger.page.getByText('Ryokan Motonago').count()).toBe(1)
    expect(await stranger.page.getByText('find_hotels').count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The link was revoked').waitFor()
    await stranger.page.reload()
    await stranger.page.getByRole('heading', { name: 'There is nothing here any more' }).waitFor()
    await stranger.close()
    expect(faults).toEqual([])
  })

  test('rename, pin, folder, tags, archive and delete with undo', async () => {
    const made = await open()
    const { page, faults } = made
    for (const [id, title] of [
      ['a', 'Apples'],
      ['b', 'Bread'],
      ['c', 'Cheese'],
    ] as const)
      await make(made, id, title)
    await page.reload()
    await act(page, 'Apples', 'Rename')
    await page.getByRole('textbox', { name: 'New title' }).fill('Pears')
    await page.keyboard.press('Enter')
    await row(page, 'Pears').waitFor()
    await act(page, 'Pears', 'Pin')
    await list(page).getByRole('heading', { name: 'Pinned' }).waitFor()

    await act(page, 'Bread', /Folder and tags/)
    await page.getByLabel('Folder', { exact: true }).fill('Kitchen')
    await page.getByLabel('Tags', { exact: true }).fill('warm, soft')
    await page.getByRole('button', { name: 'Save' }).click()
    await list(page).getByRole('button', { name: 'Kitchen, 1 conversation' }).click()
    await row(page, 'Cheese').waitFor({ state: 'detached' })
    await list(page).getByText('Folder: Kitchen').waitFor()
    await list(page).getByRole('button', { name: 'Show all' }).click()
    await list(page).getByRole('button', { name: 'warm, 1 conversation' }).click()
    await row(page, 'Cheese').waitFor({ state: 'detached' })
    await list(page).getByRole('button', { name: 'Show all' }).click()

    await act(page, 'Cheese', 'Archive')
    await row(page, 'Cheese').waitFor({ state: 'detached' })
    await list(page).locator('footer').getByRole('button', { name: 'Archive' }).click()
    await row(page, 'Cheese').waitFor()
    await list(page).getByRole('button', { name: 'Back to all' }).click()

    await act(page, 'Bread', 'Delete')
    await row(page, 'Bread').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Bread').waitFor()
    expect((await conversations(made)).map(({ title }) => title).sort()).toEqual(['Bread', 'Cheese', 'Pears'])
    expect(faults).toEqual([])
  })

  test('without a mouse: skip link, list, search and back', async () => {
    const made = await open()
    for (const title of ['One', 'Two', 'Three']) await make(made, title, title)
    const { page } = made
    await page.reload()
    await row(page, 'Three').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement.dataset.row')).toBe('Two')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Two' }).waitFor()
    await page.getByRole('button', { name: 'Skip to the content' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await page.keyboard.press('Control+b')
    await list(page).waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+b')
    await list(page).waitFor()
    await page.keyboard.press('Control+k')
    // without waiting for it: what is typed is meant for the search, `t` and all
    await page.keyboard.type('th')
    await page.locator('.hit', { hasText: /^Three$/ }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('one')
    await page.locator('.hit', { hasText: /^One$/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('where the app itself breaks, there is a way out', async () => {
    const { page } = await open()
    await page.route('**/api/v1/system', (route) => route.fulfill({ json: { models: null } }))
    await page.reload()
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    await page.unroute('**/api/v1/system')
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('heading', { name: 'See what the model really saw.' }).waitFor()
  })
})
