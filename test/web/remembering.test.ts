/** How far a conversation remembers, as a person chooses it and sees it. */
import { afterEach, describe, expect, test } from 'vitest'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('remembering across conversations', () => {
  test('it is off, explains itself, is chosen once, and what is quoted leads to where it is from [S3-F2] [S4-F5]', async () => {
    const { page, client, faults } = await visits.visit()
    const { id: other } = await client.conversations.create({ title: 'Family news' })
    const said = 'My sister Ada adopted a greyhound called Bolt.'
    const { messages } = await client.messages.append(other, { message: said })
    await client.memories.add({ kind: 'profile', text: 'Is vegan.' })
    await page.reload()
    const picker = page.getByRole('combobox', { name: 'How far it remembers' })
    expect(await picker.inputValue()).toBe('')
    await picker.selectOption('workspace')
    expect(await picker.getAttribute('title')).toContain('say which one a message is from')
    await page.getByRole('textbox', { name: 'Ask anything' }).fill('Which dog did my sister Ada adopt?')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/c\//)
    const id = new URL(page.url()).hash.split('/')[2] as string
    expect((await client.conversations.get(id)).recall).toBe('workspace')
    await page.getByRole('button', { name: 'What the model saw' }).first().click()
    const panel = page.locator('.inspector')
    await panel.getByRole('tab', { name: 'List', exact: true }).click()
    await panel.getByRole('link', { name: 'a memory', exact: true }).waitFor()
    await panel.getByRole('link', { name: 'from: Family news' }).click()
    await page.locator(`article[id="m-${messages[0]?.id}"]`).getByText(said).waitFor()
    expect(await page.getByRole('combobox', { name: 'How far it remembers' }).inputValue()).toBe('')
    await page.goBack()
    await expect.poll(() => page.getByRole('combobox', { name: 'How far it remembers' }).inputValue()).toBe('workspace')
    await page.getByRole('combobox', { name: 'How far it remembers' }).selectOption('')
    await expect.poll(async () => (await client.conversations.get(id)).recall).toBeNull()
    expect(faults).toEqual([])
  })
})
