/** What the conversation itself says of the window: badges, the horizon, summaries, what is recalled and remembered. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '../../src/client/index.js'
import type { Line } from '../../src/core/receipt/receipt.js'
import type { Recaller } from '../../src/recall/contract.js'
import { modelsOf } from '../http/live-models.js'
import { budget, roomier, rooms, summaryIn, visits } from './context.fixture.js'
import { answers, ask } from './inspector.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('what a conversation says of its windows', () => {
  test('the inspector undoes a summary, and says first what that costs', async () => {
    const { page, client, host, faults } = await visits.visit()
    const id = await rooms(client)
    await ask(client, id, 'What is next?', budget)
    await expect.poll(() => summaryIn(client, id)).toBeDefined()
    const run = await ask(client, id, 'And after that?', roomier)
    const summary = (await summaryIn(client, id)) as Message
    await page.goto(`${host.url}/#/c/${id}?look=${run.id}&at=${summary.id}`)
    const panel = page.locator('.inspector')
    const undo = panel.getByRole('button', { name: /Undo the summary/ })
    await undo.getByText(/tokens/).waitFor()
    await undo.click()
    await panel.getByRole('button', { name: /Take in again/ }).waitFor()
    const next = await ask(client, id, 'Which rooms?', roomier)
    expect((await client.receipts.get(next.receipt_id as string)).receipt.summary).toBeUndefined()
    expect(faults).toEqual([])
  })

  test('a recalled message says so, with its score and the reason', async () => {
    const recaller: Recaller = async ({ store, workspace, conversation, head }) => {
      const path = head === null ? [] : await store.path(workspace, conversation, head, 100)
      const found = path.find(({ text }) => text.startsWith('Note 4:'))
      if (!found) return { items: [] }
      const { id, text, depth } = found
      return { items: [{ id, role: 'user', text, place: depth, score: 0.71, reason: 'has the words “room 104”' }] }
    }
    const { page, client, host, faults } = await visits.visit({ recaller })
    const id = await rooms(client)
    const run = await ask(client, id, 'What about room 104?', budget)
    await page.goto(`${host.url}/#/c/${id}`)
    const { items } = await client.messages.list(id, { limit: 100 })
    const found = items.find(({ text }) => text.startsWith('Note 4:')) as Message
    await page.goto(`${host.url}/#/c/${id}?m=${found.id}`)
    const badge = page.locator(`[id="m-${found.id}"]`).getByRole('button', { name: 'recalled' })
    await badge.click()
    const panel = page.locator('.inspector')
    await panel.getByText('has the words “room 104”, score 0.71').waitFor()
    await panel.getByRole('tab', { name: 'Map' }).click()
    const { recall } = (await client.receipts.get(run.receipt_id as string)).receipt
    await panel.locator('.legend li', { hasText: 'recalled' }).getByText(String(recall?.tokens)).waitFor()
    expect(faults).toEqual([])
  })

  test('a message that was shortened is sent whole once, on a branch of its own', async () => {
    const { page, client, host, faults } = await visits.visit({ models: modelsOf(answers) })
    const { id } = await client.conversations.create({ title: 'Long words' })
    const long = `Begin. ${'A long story goes on and on. '.repeat(250)}End.`
    const talk = Array.from({ length: 6 }, (_, at) => ({
      role: at % 2 ? ('assistant' as const) : ('user' as const),
      content: `${at}: ${'We talk about the weather. '.repeat(40)}`,
    }))
    await client.messages.append(id, {
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: long },
        { role: 'assistant', content: 'I see.' },
        ...talk,
      ],
    })
    const run = await ask(client, id, 'What is it about?', { budget: 3_000 })
    const { receipt } = await client.receipts.get(run.receipt_id as string)
    const lineOf = ({ lines }: { readonly lines: readonly Line[] }) =>
      lines.find(({ from, to }) => from <= 2 && 2 <= to)
    expect(lineOf(receipt)?.fate).toBe('clipped')
    const shortened = (await client.messages.list(id)).items[2] as Message
    await page.goto(`${host.url}/#/c/${id}?m=${shortened.id}`)
    await page.locator(`[id="m-${shortened.id}"]`).getByRole('button', { name: 'shortened' }).click()
    const whole = page.locator('.inspector').getByRole('button', { name: /Send whole once/ })
    await whole.getByText(/tokens/).waitFor()
    await whole.click()
    await expect.poll(() => page.url()).not.toContain('look=')
    await expect
      .poll(async () => (await client.runs.list(id)).items.filter(({ state }) => state === 'done').length)
      .toBe(2)
    const [newest] = (await client.receipts.list(id)).items
    expect(newest && lineOf(newest.receipt)?.fate).toBe('kept')
    expect((await client.messages.list(id)).items).toHaveLength(12)
    expect(faults).toEqual([])
  })

  test('what is worth it is remembered from a message, corrected, and forgotten', async () => {
    const { page, client, host, faults } = await visits.visit()
    const id = await rooms(client)
    await page.goto(`${host.url}/#/memory`)
    await page.getByText('Nothing is remembered yet.').waitFor()
    await page.getByRole('textbox', { name: 'What to remember' }).fill('Answers in metric units, please.')
    await page.getByRole('button', { name: 'Remember', exact: true }).click()
    await page.getByRole('listitem').getByText('Answers in metric units, please.').waitFor()

    await page.goto(`${host.url}/#/c/${id}`)
    const message = page.locator('article.user').last()
    await message.hover()
    await message.getByRole('button', { name: 'Remember this' }).click()
    await message.getByRole('link', { name: 'Remembered' }).click()
    const fact = page.getByRole('listitem').filter({ hasText: 'room 122' })
    await fact.getByRole('button', { name: 'Correct' }).click()
    await page.getByRole('textbox', { name: 'Correct what is known' }).fill('Room 122 is for maps.')
    await page.getByRole('button', { name: 'Save' }).click()
    const corrected = page.getByRole('listitem').filter({ hasText: 'Room 122 is for maps.' })
    await corrected.getByRole('link', { name: 'where it was said' }).click()
    await page.locator('article[data-target="true"]').getByText('Note 22').waitFor()

    await page.goto(`${host.url}/#/memory`)
    await corrected.getByRole('button', { name: 'Forget' }).click()
    await expect
      .poll(async () => (await client.memories.list()).items.map(({ text }) => text))
      .toEqual(['Answers in metric units, please.'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await corrected.getByRole('link', { name: 'where it was said' }).waitFor()
    const kept = (await client.memories.list({ kind: 'semantic' })).items
    expect(kept.map(({ source }) => source?.conversation_id)).toEqual([id])
    expect(faults).toEqual([])
  })
})
