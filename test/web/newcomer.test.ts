/** A newcomer, from the first paint to "I know what was cut and brought it back". */
import { afterEach, describe, expect, test } from 'vitest'
import { demoId } from '../../src/cli/demo/seed.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('the first minute', () => {
  test('what was cut is found and brought back in at most 6 clicks, offline, and the demo is left as it was', async () => {
    const { page, client, faults } = await visits.visit({ demo: true }, { width: 1440, height: 900 })
    let clicks = 0
    const click = async (name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> => {
      await page.getByRole(role, { name }).first().click()
      clicks++
    }
    const example = page.getByRole('region', { name: 'Live example' })
    await example.getByText('the hotel is missing').waitFor()
    await example.getByText('KY-20417').waitFor()

    await click('Find it in 3 steps', 'link')
    const guide = page.getByRole('navigation', { name: 'Guided demo' })
    await guide.getByText('The answer does not know').waitFor()
    await click('Next: find the cut')
    const panel = page.locator('.inspector')
    await panel.locator('tbody[data-open="true"]').locator('mark', { hasText: 'KY-20417' }).waitFor()
    await click('Next: pin it')
    await guide.getByRole('button', { name: 'Pin and ask again' }).click()
    clicks++
    const answer = page.locator('article.assistant').last()
    await answer.locator('.prose strong', { hasText: 'Sora Higashiyama' }).waitFor()
    await guide.getByText('Now it knows').waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    const [newest] = (await client.receipts.list(demoId, { limit: 1 })).items
    const line = answer.getByRole('button', { name: /What the model saw/ })
    const { sent, of } = newest?.receipt.request.messages ?? { sent: 0, of: 0 }
    await line.getByText(`${sent} of ${of}`).waitFor()

    await click('Leave the demo')
    await page.getByRole('textbox').waitFor()
    await expect
      .poll(async () => (await client.branches.list(demoId)).items.map(({ name }) => name).sort())
      .toEqual(['main', 'ryokan-instead', 'shorter-answer'])
    const { items } = await client.messages.outline(demoId, { limit: 100 })
    expect(items.filter(({ pinned }) => pinned)).toEqual([])
    expect(faults).toEqual([])
  })
})
