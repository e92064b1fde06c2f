import { afterEach, describe, expect, test } from 'vitest'
import { blind, fill, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const lastRow = 'article >> nth=-1'

describe.skipIf(blind !== null)('a long conversation', () => {
  test('opens at its end, mounts what is in sight, and pages back without losing the place', async () => {
    const { host, page, faults } = await visits.visit()
    const words = (at: number): string => `Message ${at}\n\n${'Some words that fill a line. '.repeat((at * 7) % 23)}`
    await fill(host, 'long', 1_000, words)
    await page.goto(`${host.url}/#/c/long`)
    await page.locator('article').getByText('Message 999', { exact: true }).waitFor()
    const mounted = (): Promise<number> => page.locator('.entry').count()
    expect(await mounted()).toBeLessThan(60)
    const gap = 'document.querySelector(".log").scrollHeight - document.querySelector(".log").scrollTop - innerHeight'
    expect(await page.evaluate<number>(gap)).toBeLessThan(0)

    // the message at the top of the screen stays where it is while the page before comes in
    const watched = async (): Promise<{ id: string; top: number }> =>
      page.evaluate(() => {
        const log = document.querySelector('.log') as HTMLElement
        const found = [...log.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top > 100)
        return { id: found?.id ?? '', top: found?.getBoundingClientRect().top ?? 0 }
      })
    for (let round = 0; round < 6; round++) {
      await page.evaluate(() => {
        const log = document.querySelector('.log') as HTMLElement
        log.scrollTop = Math.max(600, log.scrollTop - 3_000)
      })
      await page.waitForTimeout(400)
      const before = await watched()
      await page.waitForTimeout(500)
      const after = await page.evaluate(
        (id) => document.getElementById(id)?.getBoundingClientRect().top ?? -1,
        before.id,
      )
      expect(Math.abs(after - before.top), `round ${round}, ${before.id}`).toBeLessThan(4)
      expect(await mounted()).toBeLessThan(60)
    }
    expect(faults).toEqual([])
  })

  test('goes to a message far back that the address names, and from there to the end', async () => {
    const { host, page, faults } = await visits.visit()
    await fill(host, 'far', 700)
    const { body } = await host.call('GET', '/api/v1/conversations/far/tree?limit=5')
    const wanted = body.nodes[3].id as string
    await page.goto(`${host.url}/#/c/far?m=${wanted}`)
    await page.locator('article[data-target="true"]').getByText('Message 3', { exact: true }).waitFor()
    await page.waitForFunction((id) => document.activeElement?.id === `m-${id}`, wanted)
    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Message 4'))
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Message 2'))
    await page.getByRole('button', { name: 'To the newest message' }).click()
    await page.locator(lastRow).getByText('Message 699').waitFor()
    expect(faults).toEqual([])
  })
})
