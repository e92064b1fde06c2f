/** Where there is little room, what matters is still there to be read. */
import { afterEach, describe, expect, test } from 'vitest'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('where there is little room', () => {
  test.each([360, 390, 430, 820])('the names in the pickers are whole at %i px', async (width) => {
    const { page } = await visits.visit({}, { width, height: 780 })
    await page.locator('.pickers select').first().waitFor()
    const cut = await page
      .locator('.pickers select')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length)
    const [shown, wanted] = await page.locator('.pickers select').evaluateAll((all) => [
      all.map((one) => Math.ceil(one.getBoundingClientRect().width)),
      all.map((one) => {
        const alone = one.cloneNode(true) as typeof one
        alone.style.cssText = 'position: absolute; max-width: none; width: max-content'
        one.after(alone)
        const { width: whole } = alone.getBoundingClientRect()
        alone.remove()
        return Math.floor(whole)
      }),
    ])
    expect(cut).toBe(0)
    for (const [at, whole] of (wanted ?? []).entries()) expect(shown?.[at]).toBeGreaterThanOrEqual(whole)
  })

  test.each([320, 360, 390])(
    'Send stays within the field and the screen at %i px [field report D-8]',
    async (width) => {
      const { page } = await visits.visit({}, { width, height: 780 })
      const send = page.locator('.composer button[type="submit"]')
      const [button, field] = [await send.boundingBox(), await page.locator('.composer').boundingBox()]
      if (!button || !field) throw new Error('nothing to see')
      expect(button.x + button.width).toBeLessThanOrEqual(Math.min(width, field.x + field.width))
      expect(button.y + button.height).toBeLessThanOrEqual(field.y + field.height)
    },
  )

  test('the inspector shows six rows of a list beside the conversation at 1,200 px', async () => {
    const { page } = await visits.visit({ demo: true }, { width: 1_200, height: 740 })
    await page.evaluate("location.hash = '#/c/demo-kyoto'")
    const answer = page.locator('article.assistant').last()
    await answer.hover()
    await answer.getByRole('button', { name: 'What the model saw' }).click()
    await page.locator('.inspector .table tr').nth(7).waitFor({ state: 'attached' })
    const whole = await page.locator('.inspector .table-box').evaluate((box) => {
      const { bottom } = box.getBoundingClientRect()
      return [...box.querySelectorAll('tr.line, tr.run')].filter((row) => row.getBoundingClientRect().bottom <= bottom)
        .length
    })
    expect(whole).toBeGreaterThanOrEqual(6)
  })
})
