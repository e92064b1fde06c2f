import { afterEach, describe, expect, test } from 'vitest'
import { answers, journey, number, open, turnTo, visits } from './inspector.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('the inspector in Chromium', () => {
  test('each side of a window tells what its receipt tells', async () => {
    // without recall, what is left out is one stretch
    const { page, client, host, panel, faults } = await open({ recaller: null })
    const { id, runs, last } = await journey(client)
    const kept = await client.receipts.get(last.receipt_id as string)
    const { request, totals, lines } = kept.receipt
    expect(totals.dropped).toBeGreaterThan(0)
    await page.goto(`${host.url}/#/c/${id}?look=${last.message_id}`)

    expect(await panel.locator('.figure').textContent()).toBe(number(totals.messages - totals.dropped + 1))
    await panel.getByText(`of ${totals.messages + 1} messages`).waitFor()
    await panel.getByText(`limit of ${number(request.budget as number)} tokens`).waitFor()
    const table = panel.getByRole('table')
    expect(await table.getAttribute('aria-rowcount')).toBe(String(totals.messages + 2))
    const left = panel.locator('.filters').getByRole('button', { name: /^Left out/ })
    expect(await left.textContent()).toContain(String(totals.dropped))
    await left.click()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(totals.dropped + 1))
    await panel.getByText('no room').first().waitFor()
    await panel.getByRole('searchbox').fill('Assistant')
    // of those that were not sent, the answers
    await page.waitForFunction(`document.querySelector('[role=tabpanel] table').ariaRowCount < ${totals.dropped + 1}`)

    await turnTo(page, 'Map')
    const lanes = panel.getByRole('toolbar')
    const tokensIn = async (lane: number): Promise<number> => {
      const labels = await lanes
        .nth(lane)
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''))
      const within = labels.filter((label) => !label.startsWith('outside this limit'))
      return within.reduce((sum, label) => sum + Number(/([\d,]+) tokens?$/.exec(label)?.[1]?.replaceAll(',', '')), 0)
    }
    expect(await tokensIn(0)).toBeCloseTo(request.budget as number, -1)
    const restore = lines.reduce((sum, line) => sum + (line.restore ?? 0), 0)
    expect(await tokensIn(2)).toBeGreaterThan(restore - 20)
    expect(await tokensIn(2)).toBeLessThan(restore + 20)
    await lanes.nth(2).getByRole('button').first().focus()
    await page.keyboard.press('ArrowRight')
    await panel.locator('.detail').getByText('#3 You').waitFor()

    await turnTo(page, 'Request')
    await panel.getByText('the same bytes as were sent').waitFor()
    await panel.getByText(kept.receipt.wire.hash.slice(0, 12)).waitFor()

    await turnTo(page, 'Changes')
    const [before, after] = await Promise.all([
      client.receipts.whatIf(runs.at(-2)?.receipt_id as string, {}),
      client.receipts.whatIf(kept.id, {}),
    ])
    let shared = 0
    while (before.items[shared] && before.items[shared]?.text === after.items[shared]?.text) shared++
    expect(shared).toBeGreaterThan(0)
    const tokens = after.items.slice(0, shared).reduce((sum, item) => sum + item.tokens, 0)
    await panel.getByText(new RegExp(`^${shared} messages? the same in both, ${number(tokens)} tokens$`)).waitFor()

    await turnTo(page, 'Over time')
    const bars = panel.locator('.turn')
    await bars.first().waitFor()
    expect(await bars.count()).toBe(runs.length)
    await panel.getByText('policy is now session-window').waitFor()
    await panel.locator('.limits').waitFor()
    expect(await bars.last().locator('.limit').count()).toBe(1)
    const second = await client.receipts.get(runs[1]?.receipt_id as string)
    await bars.nth(1).click()
    await expect.poll(() => panel.locator('.figure').textContent()).toBe(number(second.receipt.request.messages.sent))
    expect(page.url()).toContain(`look=${runs[1]?.message_id}`)
    expect(faults).toEqual([])
  })

  test('what-if counts another window at once, and asks no model', async () => {
    const { page, client, host, panel, faults } = await open()
    const { id, last } = await journey(client)
    await page.goto(`${host.url}/#/c/${id}?look=${last.message_id}&tab=whatIf`)
    await panel.getByText('The window would be the same to the byte.').waitFor()
    // what a model is asked beside the answers, as for a title, has been asked by now
    const asked = answers.asked.length
    const offered = await panel.getByRole('combobox', { name: 'Model' }).locator('option').allTextContents()
    expect(offered.sort()).toEqual(['builtin/extractive', 'test/scripted'])
    const was = await client.receipts.get(last.receipt_id as string)
    const sent = (totals: typeof was.receipt.totals): number => totals.messages - totals.dropped

    const wide = await client.receipts.whatIf(was.id, { budget: 3_000 })
    await panel.getByRole('spinbutton', { name: 'Budget in tokens' }).fill('3000')
    const more = sent(wide.receipt.totals) - sent(was.receipt.totals)
    expect(more).toBeGreaterThan(0)
    await panel.getByText(`${more} messages more sent`).waitFor()
    await panel.getByText(`+${number(wide.receipt.request.used - was.receipt.request.used)} tokens`).waitFor()

    await panel.getByRole('slider', { name: 'Budget in tokens' }).fill('20')
    await panel.getByText(/messages fewer sent/).waitFor()
    await panel.getByRole('button', { name: 'As it was' }).click()
    await panel.getByText('The window would be the same to the byte.').waitFor()
    await panel.getByRole('combobox', { name: 'Policy' }).selectOption('session-window')
    await panel.getByText(/messages (?:more|fewer) sent/).waitFor()
    await panel.getByRole('button', { name: 'List', exact: true }).click()
    await panel
      .getByText(/^was: /)
      .first()
      .waitFor()
    expect(answers.asked.length).toBe(asked)
    expect(faults).toEqual([])
  })
})
