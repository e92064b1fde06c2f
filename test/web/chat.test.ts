import { afterEach, describe, expect, test } from 'vitest'
import { gated, modelsOf, saying } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const settled = 'article.assistant:not([data-live="true"])'

describe.skipIf(blind !== null)('the conversation screen', () => {
  test('an edit is a branch with a name; it is switched, renamed, compared and found in the tree', async () => {
    const { host, page, faults } = await visits.visit({
      models: modelsOf(saying(({ items }) => `You said: ${items.at(-1)?.text ?? ''}`)),
    })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Tea, please')
    await field.press('Enter')
    await page.locator(settled).getByText('You said: Tea, please').waitFor()
    await field.fill('With milk')
    await field.press('Enter')
    await page.locator(settled).getByText('You said: With milk').waitFor()

    // ↑ in the empty field edits the last message
    await field.press('ArrowUp')
    const editor = page.getByRole('textbox', { name: /Edit the message/ })
    await editor.fill('With lemon')
    await editor.press('Enter')
    await page.locator(settled).getByText('You said: With lemon').waitFor()
    const versions = page.getByRole('navigation', { name: 'Versions' })
    await versions.getByText('2 / 2').waitFor()
    await versions.getByRole('button', { name: 'Branch edit-2: show all branches' }).click()

    await page.getByRole('button', { name: 'Rename edit-2' }).click()
    await page.getByRole('textbox', { name: 'New name of the branch' }).fill('lemon')
    await page.keyboard.press('Enter')
    await page.waitForURL(/lemon/)
    const { body } = await host.call('GET', '/api/v1/conversations')
    const id = body.items[0].id as string
    const names = (await host.call('GET', `/api/v1/conversations/${id}/branches`)).body.items.map(
      ({ name }: { name: string }) => name,
    )
    expect(names.sort()).toEqual(['lemon', 'main'])
    await page.keyboard.press('Escape')

    await versions.getByRole('button', { name: 'Compare' }).click()
    const compare = page.getByRole('dialog', { name: 'Two branches side by side' })
    await compare.getByText('The first 2 messages are the same').waitFor()
    const rows = compare.locator('.compare-row')
    await rows.first().getByText('With lemon').waitFor()
    await rows.first().getByText('With milk').waitFor()
    expect(await rows.count()).toBe(2)
    const marked = await page.evaluate("[...CSS.highlights.get('differs')].map(String)")
    expect(marked).toEqual(expect.arrayContaining(['lemon', 'milk']))
    expect(marked).not.toContain('With')
    await page.keyboard.press('Escape')
    await compare.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'The whole conversation' }).click()
    const tree = page.getByRole('tree', { name: 'The whole conversation' })
    await tree.getByRole('treeitem').nth(2).waitFor()
    expect(await tree.getByRole('treeitem').count()).toBe(3)
    await tree.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('article[data-target="true"]').getByText('With milk').waitFor()
    expect(page.url()).not.toContain('lemon')
    await versions.getByText('1 / 2').waitFor()
    expect(faults).toEqual([])
  })

  test('two browsers see each other: messages, the answer as it grows, a new branch', async () => {
    const gate = gated()
    const { host, page, faults } = await visits.visit({ models: modelsOf(gate.model) })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Hello from one')
    await field.press('Enter')
    gate.say('First ')
    await page.locator('article[data-live="true"]').getByText('First').waitFor()
    const other = await visits.join(host)
    await other.page.goto(page.url())
    await other.page.locator('article[data-live="true"]').getByText('First').waitFor()
    gate.say('words')
    gate.end()
    await other.page.locator(settled).getByText('First words').waitFor()

    const theirs = other.page.getByRole('textbox', { name: 'Ask anything' })
    await theirs.fill('Hello from two')
    await theirs.press('Enter')
    await page.locator('article.user').getByText('Hello from two').waitFor()
    gate.say('Second answer')
    await page.locator('article[data-live="true"]').getByText('Second answer').waitFor()
    await other.page.locator('article[data-live="true"]').getByText('Second answer').waitFor()
    gate.end()
    await page.locator(settled).getByText('Second answer').waitFor()

    const last = other.page.locator(settled).last()
    await last.hover()
    await last.getByRole('button', { name: 'Answer again' }).click()
    gate.say('Third answer')
    gate.end()
    await other.page.locator(settled).getByText('Third answer').waitFor()
    await page.getByRole('navigation', { name: 'Versions' }).getByText('1 / 2').waitFor()
    expect([...faults, ...other.faults]).toEqual([])
  })
})
