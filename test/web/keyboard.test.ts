/** All of it without a mouse: nothing needs one, and the focus is always somewhere and shows. */
import { afterEach, describe, expect, test } from 'vitest'
import { gated, modelsOf } from '../http/live-models.js'
import { keyboardOf } from './keyboard.fixture.js'
import { reason, stage } from './stage.js'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const settled = 'article.assistant:not([data-live="true"])'

describe.skipIf(reason !== null)('without a mouse', () => {
  test('first run, talk, stop, edit, branches, search, inspector, share, what-if, rename, delete, undo, theme', async () => {
    const gate = gated()
    const { page, host, faults, close } = await stage({ demo: true, models: modelsOf(gate.model) })
    ends.push(close)
    const { press, type, tabTo, seen, lost } = keyboardOf(page)
    const answer = async (text: string): Promise<void> => {
      gate.say(text)
      gate.end()
      await page.locator(settled).getByText(text).waitFor()
    }

    // first run: the demo and back
    await tabTo('Open the demo')
    await press('Enter')
    await page.getByText('Where we sleep I cannot say').waitFor()
    await seen('the demo opens')
    await press('Control+Shift+O')
    await page.getByRole('heading', { name: 'What is on your mind?' }).waitFor()
    await seen('a new conversation')

    // talk, twice
    await type('Tea, please')
    await press('Enter')
    await page.locator('article.user').getByText('Tea, please').waitFor()
    await seen('sent')
    await answer('Green or black?')
    await seen('answered')
    await type('Black')
    await press('Enter')
    gate.say('Here it')
    await page.locator('article[data-live="true"]').getByText('Here it').waitFor()
    await press('Escape')
    await page.getByText('Stopped here').waitFor()
    await seen('stopped')

    // edit, and back to the version before
    await press('ArrowUp')
    await page.getByRole('textbox', { name: /Edit the message/ }).waitFor()
    await seen('editing')
    await press('Control+a')
    await type('Green')
    await press('Enter')
    const versions = page.getByRole('navigation', { name: 'Versions' })
    await versions.getByText('2 / 2').waitFor()
    await answer('Sencha then')
    await seen('an edit was sent')
    await tabTo('Version before', true)
    await press('Enter')
    await versions.getByText('1 / 2').waitFor()
    await seen('the version before')

    // all branches, two of them side by side, the tree
    await tabTo(/^Branch main: show all branches$/, true)
    await press('Enter')
    await page.getByRole('dialog', { name: 'Branches' }).waitFor()
    await seen('branches')
    await tabTo('Rename edit-2')
    await press('Enter')
    await press('Control+a')
    await type('green')
    await press('Enter')
    await page.getByRole('button', { name: 'Rename green' }).waitFor()
    await seen('a branch has another name')
    await tabTo('Compare with green')
    await press('Enter')
    await page.getByRole('dialog', { name: 'Two branches side by side' }).waitFor()
    await seen('two branches')
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await seen('back from two branches')
    await tabTo('The whole conversation')
    await press('Enter')
    await page.getByRole('tree').getByRole('treeitem').nth(2).waitFor()
    await seen('the tree')
    await tabTo(/^The whole conversation$|Green/)
    await press('End', 'Enter')
    await page.locator('article[data-target="true"]').waitFor()
    await seen('a message from the tree')

    // search and jump
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await seen('search')
    await type('cypress bath')
    await page.locator('[data-busy="false"] .hit', { hasText: 'Ryokan Motonago' }).first().waitFor()
    await press('Enter')
    await page.locator('article[data-target="true"]').waitFor()
    await seen('found')

    // what the model saw: its tabs, an action, what-if
    await tabTo('What the model saw')
    await press('Enter')
    const inspector = page.getByRole('complementary', { name: 'What the model saw' })
    await inspector.getByRole('tab', { name: 'List' }).waitFor()
    await seen('the inspector')
    await tabTo('List')
    for (const name of ['Map', 'Wire', 'Diff', 'What if', 'Time']) {
      await press('ArrowRight')
      expect(await inspector.getByRole('tab', { name, exact: true }).getAttribute('aria-selected')).toBe('true')
      await seen(`the tab ${name}`)
    }
    await press('Home')
    await inspector.getByRole('table').waitFor()
    await tabTo(/^You /)
    await press('Enter')
    await inspector.getByRole('button', { name: /^Pin .*tokens/ }).waitFor()
    await seen('a message of the list')
    await tabTo(/^Pin/)
    await press('Enter')
    await inspector.getByRole('button', { name: /^Unpin/ }).waitFor()
    await seen('pinned')
    await tabTo('List', true)
    await press('End', 'ArrowLeft')
    await tabTo('Budget in tokens')
    await press('Home')
    await inspector.locator('.verdict').getByText('There is no such window.').waitFor()
    for (let step = 0; step < 8; step++) await press('PageUp')
    await inspector
      .locator('.verdict')
      .getByText(/ sent|the same/)
      .waitFor()
    await seen('what if')
    await press('Escape')
    await inspector.waitFor({ state: 'detached' })
    await seen('the inspector is closed')

    // share and take back
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await type('share')
    await page.locator('[data-busy="false"] .hit', { hasText: 'Share' }).first().waitFor()
    await press('Enter')
    await page.getByRole('button', { name: 'Make a link' }).waitFor()
    await seen('share')
    await tabTo('Make a link')
    await press('Enter')
    await page.getByRole('textbox', { name: 'Link' }).waitFor()
    await seen('a link')
    await tabTo('Take back')
    await press('Enter')
    await page.getByText('The link was taken back').waitFor()
    await seen('the link is taken back')
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await seen('sharing is closed')

    // rename, delete, undo
    const [{ id }] = (await host.call('GET', '/api/v1/conversations?limit=100')).body.items.filter(
      (one: { meta: { demo?: boolean } }) => one.meta.demo !== true,
    )
    const row = page.locator(`a[data-row="${id}"]`)
    const title = (await row.textContent()) ?? ''
    await tabTo(title, true)
    await press('F2')
    await page.getByRole('textbox', { name: 'New title' }).waitFor()
    await seen('renaming')
    await type('About tea')
    await press('Enter')
    await row.getByText('About tea').waitFor()
    await seen('renamed')
    await tabTo('Actions for About tea')
    await press('Enter')
    await tabTo('Delete')
    await press('Enter')
    await row.waitFor({ state: 'detached' })
    await seen('deleted')
    await tabTo('Undo')
    await press('Enter')
    await row.waitFor()
    await seen('undone')

    // the theme
    await press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await type('dark')
    await page.locator('[data-busy="false"] .hit', { hasText: 'Dark theme' }).waitFor()
    await press('Enter')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await seen('dark')
    expect(lost).toEqual([])
    // the budget that no window fits is refused, and the browser says so
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  }, 240_000)
})
