/** What people do every day: many chats at once, their own language, reading without a network. */
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { modelsOf, saying } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

/** As with a pointer; Playwright's own would scroll the list away. */
const dragTo = (page: Page, from: string, to: string) =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer()
    const send = (place, type) =>
      document.querySelector(place).dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    send(${JSON.stringify(from)}, 'dragstart')
    send(${JSON.stringify(to)}, 'dragover')
    send(${JSON.stringify(to)}, 'drop')
  }`)

describe.skipIf(blind !== null)('the list', () => {
  test('several chats are chosen and moved, archived and deleted, each with a way back', async () => {
    const { page, client, faults } = await visits.visit()
    for (const title of ['One', 'Two', 'Three']) await client.conversations.create({ id: title.toLowerCase(), title })
    await page.reload()
    const list = page.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('link', { name: 'One' }).click({ modifiers: ['Control'] })
    await list.getByRole('checkbox', { name: 'Select Two' }).check()
    const bar = page.getByRole('region', { name: 'Selected chats' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('combobox', { name: 'Move to a folder' }).selectOption('new')
    await bar.getByRole('textbox', { name: 'Name of the new folder' }).fill('Work')
    await page.keyboard.press('Enter')
    await page.getByText('2 chats in “Work”.').waitFor()
    await list.getByRole('button', { name: 'Work, 2 conversations' }).waitFor()
    expect((await client.conversations.get('one')).folder).toBe('Work')

    await dragTo(page, '[data-row="three"]', '.folders button')
    await list.getByRole('button', { name: 'Work, 3 conversations' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await list.getByRole('button', { name: 'Work, 2 conversations' }).waitFor()
    expect((await client.conversations.get('three')).folder).toBeNull()

    await list.getByRole('button', { name: 'Actions for Three' }).click()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await list.getByRole('checkbox', { name: 'Select One' }).check()
    await bar.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('2 chats in the archive.').waitFor()
    await list.getByRole('link', { name: 'One' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await list.getByRole('link', { name: 'One' }).waitFor()

    await list.getByRole('link', { name: 'Two' }).click({ modifiers: ['Control'] })
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 chat deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await list.getByRole('link', { name: 'Two' }).waitFor()
    expect((await client.conversations.list({})).items).toHaveLength(3)
    expect(faults).toEqual([])
  })
})

describe.skipIf(blind !== null)('without a network', () => {
  const answering = () => ({ models: modelsOf(saying('It is **blue**.')) })
  /** The worker has the page, and has kept what is read from now on. */
  const kept = (page: Page) =>
    expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), { timeout: 20_000 }).toBe(true)

  test('a conversation that was read is read again, and one that was deleted is not', async () => {
    const { page, host, client } = await visits.visit(answering(), { worker: true })
    await client.conversations.create({ id: 'sky', title: 'The sky' })
    await client.messages.append('sky', {
      messages: [
        { role: 'user', content: 'What colour is it?' },
        { role: 'assistant', content: 'It is **blue**.' },
      ],
    })
    await client.conversations.create({ id: 'sea', title: 'The sea' })
    await client.messages.append('sea', { messages: [{ role: 'user', content: 'How deep is it?' }] })
    await kept(page)
    await page.goto(`${host.url}/#/c/sea`)
    await page.getByText('How deep is it?').waitFor()
    await page.goto(`${host.url}/#/c/sky`)
    await page.locator('article strong', { hasText: 'blue' }).waitFor()
    await page.evaluate(`fetch('/api/v1/conversations/sea', { method: 'DELETE' })`)
    await page.reload()
    await page.locator('article strong', { hasText: 'blue' }).waitFor()
    await host.stop()
    await page.reload()
    await page.locator('article strong', { hasText: 'blue' }).waitFor()
    await page.getByRole('main').getByRole('alert').getByText('cannot be reached').waitFor()
    await page.getByRole('link', { name: 'The sky' }).waitFor()
    await page.evaluate("location.hash = '#/c/sea'")
    await page.getByText('How deep is it?').waitFor({ state: 'detached' })
    expect(await page.getByText('How deep is it?').count()).toBe(0)
  })
})
