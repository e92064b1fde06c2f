import { afterEach, describe, expect, test } from 'vitest'
import { ask, journey, long, number, open, turnTo, visits } from './inspector.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('the inspector in Chromium', () => {
  test('a pin tells what it costs, and the next receipt shows it', async () => {
    const { page, client, host, panel, faults } = await open()
    const { id, last } = await journey(client)
    const kept = await client.receipts.get(last.receipt_id as string)
    const [second] = (await client.messages.outline(id)).items.slice(2)
    const wanted = second?.id as string
    const pinned = await client.receipts.whatIf(kept.id, { marks: { pinned: [wanted] } })
    const cost = pinned.receipt.request.used - kept.receipt.request.used

    await page.goto(`${host.url}/#/c/${id}?look=${last.message_id}&at=${wanted}`)
    const words = cost === 0 ? 'no more tokens' : `${cost < 0 ? '−' : '\\+'}${number(Math.abs(cost))} tokens`
    await panel.getByRole('button', { name: new RegExp(`^(?:Pin|Bring back) ${words}`) }).click()
    await panel.getByRole('button', { name: /^Unpin/ }).waitFor()
    expect((await client.messages.get(id, wanted)).pinned).toBe(true)
    await page.getByRole('status').getByText('Message pinned').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(async () => (await client.messages.get(id, wanted)).pinned).toBe(false)
    await panel.getByRole('button', { name: new RegExp(`^(?:Pin|Bring back) ${words}`) }).click()
    await panel.getByRole('button', { name: /^Unpin/ }).waitFor()

    const next = await ask(client, id, 'And the flight?', { budget: 1_100 })
    const line = (await client.receipts.get(next.receipt_id as string)).receipt.lines.find(({ from }) => from === 2)
    expect(line).toMatchObject({ from: 2, to: 2, fate: 'kept', rule: 'mark.pinned' })
    await page.goto(`${host.url}/#/c/${id}?look=${next.message_id}`)
    await panel.getByText('you pinned it').waitFor()
    await panel.getByRole('button', { name: /You Tell me about the flight, number 2/ }).click()
    await panel.getByRole('button', { name: /^Unpin/ }).waitFor()
    await panel.getByRole('button', { name: /^Leave out/ }).click()
    await panel.getByRole('button', { name: /^Take in again/ }).waitFor()
    const last2 = await ask(client, id, 'And now?', { budget: 1_100 })
    const { lines } = (await client.receipts.get(last2.receipt_id as string)).receipt
    expect(lines.find(({ from }) => from === 2)).toMatchObject({ to: 2, fate: 'dropped', rule: 'mark.excluded' })
    expect((await client.messages.get(id, wanted)).excluded).toBe(true)
    expect(faults).toEqual([])
  })

  test('a question is asked again with everything, on a branch of its own', async () => {
    const { page, client, host, panel, faults } = await open()
    const { id, last } = await journey(client)
    await page.goto(`${host.url}/#/c/${id}?look=${last.message_id}`)
    await panel.getByRole('button', { name: /Answer again with everything \+[\d,]+ tokens/ }).click()
    await panel.waitFor({ state: 'detached' })
    await page.locator('article.assistant:not([data-live="true"])').last().waitFor()
    await expect
      .poll(async () => (await client.receipts.list(id, { limit: 1 })).items[0]?.receipt.totals.dropped)
      .toBe(0)
    expect((await client.branches.list(id)).items).toHaveLength(2)
    expect(faults).toEqual([])
  })

  test('it takes the focus, is used by keys alone, and gives the focus back', async () => {
    const { page, client, host, panel, faults } = await open()
    const { id } = await journey(client)
    await page.goto(`${host.url}/#/c/${id}`)
    const gauge = page.locator('.gauge')
    await gauge.focus()
    await page.keyboard.press('Enter')
    await panel.getByRole('table').waitFor()
    await expect
      .poll(() => page.evaluate("document.querySelector('.inspector').contains(document.activeElement)"))
      .toBe(true)
    await panel.getByRole('tab', { name: 'List' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => panel.getByRole('tab', { name: 'Map' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('End')
    await expect.poll(() => panel.getByRole('tab', { name: 'Over time' }).getAttribute('aria-selected')).toBe('true')
    await panel.locator('.turn').first().waitFor()
    await panel.locator('.turn[aria-current="true"]').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => panel.locator('.turn[aria-current="true"]').textContent()).toContain('9')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate("document.activeElement.matches('.gauge')")).toBe(true)
    expect(faults).toEqual([])
  })

  test('five thousand messages are one list and one map, of which little is drawn', async () => {
    const { page, client, host, panel, faults } = await open()
    const { id, run } = await long(client, 5_000, { budget: 20_000 })
    await page.goto(`${host.url}/#/c/${id}?look=${run.message_id}`)
    await panel.getByRole('table').waitFor()
    expect(await panel.getByRole('table').getAttribute('aria-rowcount')).toBe('5002')
    expect(await panel.locator('tr.line').count()).toBeLessThan(60)
    await panel.getByRole('searchbox').fill('Message 4321 ')
    await panel.getByText('#4322').waitFor()
    await turnTo(page, 'Map')
    await panel.locator('.segment').first().waitFor()
    expect(await panel.locator('.segment').count()).toBeLessThan(400)
    expect(faults).toEqual([])
  })

  test('on a phone it is the whole screen, and what is behind it cannot be reached', async () => {
    const { page, client, host, faults } = await open({}, { width: 390, height: 780 })
    const { id, last } = await journey(client)
    await page.goto(`${host.url}/#/c/${id}?look=${last.message_id}`)
    const sheet = page.getByRole('dialog', { name: 'What the model saw' })
    await sheet.getByRole('tab', { name: 'List' }).waitFor()
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(true)
    for (const name of ['Map', 'Request', 'Changes', 'What if', 'Over time', 'List']) {
      await turnTo(page, name)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate("document.querySelector('main').inert")).toBe(false)
    expect(faults).toEqual([])
  })
})
