/** The settings in one place, and chats brought in from elsewhere. */
import { afterEach, describe, expect, test } from 'vitest'
import { openSettings, visits, zip } from './settings.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('settings', () => {
  test('gather theme, models, tools, data, shortcuts and the service on one page', async () => {
    const visit = await visits.visit()
    const { page, faults } = visit
    await openSettings(visit)
    await page.getByText('Dark', { exact: true }).click()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.reload()
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    await page.getByText('Search and commands').waitFor()
    await page.getByRole('link', { name: 'Tool servers' }).click()
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Models and keys' }).click()
    await page.getByRole('heading', { name: 'Connect a model' }).waitFor()
    expect(faults).toEqual([])
  })

  test('a file is shown before anything is written, then imported, and known again', async () => {
    const visit = await visits.visit()
    const { page, client, faults } = visit
    await openSettings(visit)
    await page.getByRole('button', { name: 'Import chats' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import chats' })
    const choose = (name: string, buffer: Buffer) =>
      dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/zip', buffer })
    await choose('export.zip', zip)
    await dialog.getByText('1 chat with 2 messages from chatgpt').waitFor()
    expect((await client.conversations.list()).items).toEqual([])
    await dialog.getByRole('button', { name: 'Import 1 chat' }).click()
    await dialog.getByText('Done: 1 chat and 2 messages came in.').waitFor()
    await dialog.getByRole('button', { name: 'Another file' }).click()
    await choose('export.zip', zip)
    await dialog.getByText('Everything in this file is here already.').waitFor()
    await dialog.getByRole('button', { name: 'Another file' }).click()
    await choose('other.json', Buffer.from('{"just":"data"}'))
    await dialog.getByText('No chats were found in this file.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.sidebar .row a').click()
    await page.getByText('Oolong.').waitFor()
    expect(await page.evaluate('globalThis.fired')).toBeUndefined()
    expect(faults).toEqual([])
  })
})
