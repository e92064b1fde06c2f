import { afterEach, describe, expect, test } from 'vitest'
import { blind, fill, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

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

    // each page before waits for a sign, so that what is read can be looked at before and after
    const waiting: (() => void)[] = []
    await page.route(/before=/, async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      await route.continue()
    })
    const topOf = (id: string): Promise<number> =>
      page.evaluate(`document.getElementById(${JSON.stringify(id)}).getBoundingClientRect().top`)
    for (let round = 0; round < 5; round++) {
      await page.evaluate('document.querySelector(".log").scrollTop = 300')
      await expect.poll(() => waiting.length).toBe(1)
      await page.waitForTimeout(300)
      const id = await page.evaluate<string>(
        '[...document.querySelectorAll(".log article")].find((one) => one.getBoundingClientRect().top > 100).id',
      )
      const top = await topOf(id)
      const height = 'document.querySelector(".log").scrollHeight'
      const before = await page.evaluate<number>(height)
      waiting.shift()?.()
      await expect.poll(() => page.evaluate<number>(height)).toBeGreaterThan(before + 1_000)
      await page.waitForTimeout(300)
      expect(Math.abs((await topOf(id)) - top), `round ${round}, ${id}`).toBeLessThan(4)
      expect(await mounted()).toBeLessThan(60)
    }
    expect(faults).toEqual([])
  })

  test('the tree of 5,000 messages is a few lines until it is unfolded, and leads anywhere by keyboard', async () => {
    const { host, page, faults } = await visits.visit()
    await fill(host, 'tree', 5_000)
    const { body } = await host.call('GET', '/api/v1/conversations/tree/tree?after=2000&limit=2')
    const path = `/api/v1/conversations/tree/messages/${body.nodes[0].id}/edit`
    await host.call('POST', path, { body: { message: 'Another way', branch: 'aside' } })
    await page.goto(`${host.url}/#/c/tree`)
    await page.locator('article').getByText('Message 4999', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'The whole conversation' }).click()
    await page.getByText('5,001 messages, 2 branches').waitFor()
    const tree = page.getByRole('tree', { name: 'The whole conversation' })
    const lines = tree.getByRole('treeitem')
    await expect.poll(() => lines.count()).toBe(3)
    await tree.focus()
    await page.keyboard.press('ArrowRight')
    await tree.getByText(/Message 7$/).waitFor()
    expect(await lines.count()).toBeLessThan(60)
    await page.keyboard.press('End')
    await tree.getByText('Another way').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('article[data-target="true"]').getByText('Another way').waitFor()
    await page.getByRole('navigation', { name: 'Versions' }).getByText('2 / 2').waitFor()
    expect(faults).toEqual([])
  })
})
