/** What the conversation itself says of the window: badges, the horizon, summaries, what is recalled and remembered. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '../../src/client/index.js'
import { modelsOf } from '../http/live-models.js'
import { budget, roomier, rooms, summaryIn, visits } from './context.fixture.js'
import { answers, ask } from './inspector.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('what a conversation says of its windows', () => {
  test('a summary is a quiet line that opens, leads to its sources, and is undone', async () => {
    const { page, client, host, faults } = await visits.visit()
    const id = await rooms(client)
    await ask(client, id, 'What is next?', budget)
    await expect.poll(() => summaryIn(client, id)).toBeDefined()
    const { run } = await client.runs.start(id, { message: 'And after that?', ...roomier })
    for await (const event of client.runs.follow(id, run.id)) if (event.type === 'run-ended') break
    const summary = (await summaryIn(client, id)) as Message
    const [before, after] = summary.meta.tokens as [number, number]
    await page.goto(`${host.url}/#/c/${id}`)
    const line = page.locator(`article[id="m-${summary.id}"]`)
    await line
      .getByText(
        `Summary of ${summary.meta.covers} messages (${before.toLocaleString('en')} → ${after.toLocaleString('en')} tokens)`,
      )
      .waitFor()
    await line.getByRole('button', { name: 'open' }).click()
    await line.getByText('room 102 is for books').waitFor()
    const [source] = (summary.meta.sources as string[][])[1] as [string]
    const [first] = (summary.meta.sources as string[][])[0] as [string]
    expect(source).not.toBe(first)
    await line.locator('li', { hasText: 'room 102' }).getByRole('link', { name: 'source 1' }).click()
    await page.locator(`article[id="m-${source}"][data-target="true"]`).waitFor()

    // what the receipt says of it, from three sides
    const receipt = (await client.receipts.get((await client.runs.get(id, run.id)).receipt_id as string)).receipt
    expect(receipt.summary?.id).toBe(summary.id)
    await page.goto(`${host.url}/#/c/${id}?look=${run.id}&at=${summary.id}`)
    const panel = page.locator('.inspector')
    await panel.getByText('sent in place of what it covers').waitFor()
    await panel.getByRole('tab', { name: 'Map' }).click()
    await panel.locator('.legend li', { hasText: 'summary' }).getByText(String(receipt.summary?.tokens)).waitFor()
    await panel.getByRole('tab', { name: 'Over time' }).click()
    await panel.getByText(`${receipt.totals.summarised} messages in a summary`).first().waitFor()

    await page.goto(`${host.url}/#/c/${id}?m=${summary.id}`)
    await line.getByRole('button', { name: 'undo' }).click()
    await line.getByText('not used').waitFor()
    expect((await client.messages.get(id, summary.id)).excluded).toBe(true)
    const without = await ask(client, id, 'Which rooms?', roomier)
    expect((await client.receipts.get(without.receipt_id as string)).receipt.summary).toBeUndefined()
    await line.getByRole('button', { name: 'use again' }).click()
    await line.getByRole('button', { name: 'undo' }).waitFor()
    expect((await client.messages.get(id, summary.id)).excluded).toBe(false)
    expect(faults).toEqual([])
  })

  test('badges speak only where something was lost, and open the receipt at their message, as the horizon does', async () => {
    const { page, client, host, faults } = await visits.visit({ models: modelsOf(answers) })
    const id = await rooms(client)
    const run = await ask(client, id, 'What is next?', budget)
    const { receipt } = await client.receipts.get(run.receipt_id as string)
    const left = receipt.lines
      .filter(({ fate }) => fate === 'dropped')
      .reduce((sum, { from, to }) => sum + to - from + 1, 0)
    const horizon = page.getByRole('button', {
      name: `${left} messages above were not sent whole with the last question`,
    })
    const messages = (await client.messages.list(id, { limit: 100 })).items
    const last = messages[receipt.lines.findLast(({ fate }) => fate === 'dropped')?.to ?? 0] as Message
    await page.goto(`${host.url}/#/c/${id}?m=${last.id}`)
    await page.locator('article[data-target="true"]').waitFor()
    await horizon.click()
    await expect.poll(() => page.url()).toContain(`at=${last.id}`)
    await page
      .locator('.inspector tbody[data-open="true"]')
      .getByText(`#${last.depth + 1}`, { exact: true })
      .waitFor()
    const lost = page.locator(`[id="m-${last.id}"]`)
    await lost.getByRole('button', { name: 'not sent' }).waitFor()
    // the question, its answer and what was sent say nothing
    expect(await page.locator('article .fate[data-fate="kept"], article .fate[data-fate="current"]').count()).toBe(0)

    const panel = page.locator('.inspector')
    await panel.getByRole('button', { name: /^Bring back .*tokens/ }).click()
    await panel.getByRole('button', { name: /^Unpin/ }).waitFor()
    await lost.getByRole('button', { name: 'pinned' }).waitFor()
    const next = await ask(client, id, 'And then?', budget)
    const after = (await client.receipts.get(next.receipt_id as string)).receipt
    const line = after.lines.find(({ from, to }) => from <= last.depth && last.depth <= to)
    expect([line?.fate, line?.rule]).toEqual(['kept', 'mark.pinned'])
    expect(faults).toEqual([])
  })
})
