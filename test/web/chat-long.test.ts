import { afterEach, describe, expect, test } from 'vitest'
import { blind, fill, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const lastRow = 'article >> nth=-1'

describe.skipIf(blind !== null)('a long conversation', () => {
  test('goes to a message far back that the address names, and from there to the end, by J and K too [field report D-9]', async () => {
    const { host, page, faults } = await visits.visit()
    await fill(host, 'far', 700)
    const { body } = await host.call('GET', '/api/v1/conversations/far/tree?limit=5')
    const wanted = body.nodes[3].id as string
    await page.goto(`${host.url}/#/c/far?m=${wanted}`)
    await page.locator('article[data-target="true"]').getByText('Message 3', { exact: true }).waitFor()
    await page.locator(`#m-${wanted}:focus`).waitFor()
    await page.keyboard.press('j')
    await page.locator('article:focus').getByText('Message 4', { exact: true }).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.locator('article:focus').getByText('Message 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'To the newest message' }).click()
    await page.locator(lastRow).getByText('Message 699').waitFor()
    expect(faults).toEqual([])
  })
})
