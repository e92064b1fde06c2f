/** What the screen comes to rest at. */
import { afterEach, describe, expect, test } from 'vitest'
import { modelsOf } from '../http/live-models.js'
import { answers } from './inspector.fixture.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('the screen', () => {
  test('names the window after a conversation that is not in the list', async () => {
    const { host, client, page } = await visits.visit({ models: modelsOf(answers) })
    await client.conversations.create({ id: 'away', title: 'In the archive' })
    await client.conversations.update('away', { archived: true })
    await page.goto(`${host.url}/#/c/away`)
    await expect.poll(() => page.title()).toBe('In the archive · Throughline')
    await client.conversations.update('away', { title: 'Renamed there' })
    await expect.poll(() => page.title()).toBe('Renamed there · Throughline')
    await page.goto(`${host.url}/#/`)
    await expect.poll(() => page.title()).toBe('Throughline')
  })

  test('keeps the way back for as long as someone is at it, and no longer', async () => {
    const { host, client, page } = await visits.visit({ models: modelsOf(answers) })
    await client.conversations.create({ id: 'one', title: 'One of them' })
    await page.clock.install()
    await page.goto(`${host.url}/#/c/one`)
    const row = page.locator('[data-row="one"]')
    await row.waitFor()
    const remove = async (): Promise<void> => {
      await row.hover()
      await page.getByRole('button', { name: 'Actions for One of them' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
    }
    await remove()
    const undo = page.locator('.toast').getByRole('button', { name: 'Undo' })
    await undo.hover()
    await page.clock.runFor(60_000)
    expect((await client.conversations.get('one')).id).toBe('one')
    await undo.click()
    await row.waitFor()

    await remove()
    await undo.focus()
    await page.mouse.move(600, 100)
    await page.clock.runFor(60_000)
    expect((await client.conversations.get('one')).id).toBe('one')
    await undo.blur()
    await page.clock.runFor(10_000)
    await undo.waitFor({ state: 'detached' })
    await expect(client.conversations.get('one')).rejects.toMatchObject({ status: 404 })
  })
})
