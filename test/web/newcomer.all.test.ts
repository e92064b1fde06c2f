/** A newcomer, from the first paint to "I know what was cut and brought it back". */
import { afterEach, describe, expect, test } from 'vitest'
import { demoId } from '../../src/cli/demo/seed.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('the first minute', () => {
  test('a detail the model could not see is brought back from under the answer', async () => {
    const { page, client, faults } = await visits.visit({ demo: true }, { width: 1440, height: 900 })
    await page.evaluate(`location.hash = '#/c/${demoId}'`)
    const details = page.getByRole('region', { name: 'Details the model could not see' })
    await details.getByRole('button', { name: /^KY-20417/ }).click()
    await details.getByText('Pinned. It goes along from the next question on.').waitFor()
    const { items } = await client.messages.outline(demoId, { limit: 100 })
    expect(items.filter(({ pinned }) => pinned).map(({ preview }) => preview)).toEqual([
      expect.stringContaining('KY-20417'),
    ])
    await details.getByRole('button', { name: 'Ask again' }).click()
    const answer = page.locator('article.assistant').last()
    await answer.locator('.prose strong', { hasText: 'Sora Higashiyama' }).waitFor()
    expect(faults).toEqual([])
  })
})
