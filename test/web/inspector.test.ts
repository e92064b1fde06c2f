import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { modelsOf } from '../http/live-models.js'
import { answers, ask, journey, long } from './inspector.fixture.js'
import { blind, openVisits, type VisitOptions } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

async function open(options: VisitOptions = {}, size = {}) {
  const visited = await visits.visit({ models: withUnready(modelsOf(answers)), ...options }, size)
  return { ...visited, panel: visited.page.locator('.inspector') }
}

/** One more that has no key. */
const withUnready = (models: ReturnType<typeof modelsOf>): ReturnType<typeof modelsOf> => ({
  ...models,
  list: async () => [
    ...(await models.list()),
    { id: 'openai/gpt-4o', label: 'GPT-4o', kind: 'hosted', window: 128_000, ready: false },
  ],
})

const number = (value: number): string => Math.round(value).toLocaleString('en')
const turnTo = (page: Page, name: string) => page.locator('.inspector').getByRole('tab', { name, exact: true }).click()

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
    const asked = answers.asked.length
    await page.goto(`${host.url}/#/c/${id}?look=${last.message_id}&tab=whatIf`)
    await panel.getByText('The window would be the same to the byte.').waitFor()
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
