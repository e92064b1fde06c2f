/** What the conversation itself says of the window: badges, the horizon, summaries, what is recalled and remembered. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Client, Message } from '../../src/client/index.js'
import type { Line } from '../../src/core/receipt/receipt.js'
import type { Recaller } from '../../src/recall/contract.js'
import { modelsOf } from '../http/live-models.js'
import { answers, ask } from './inspector.fixture.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const budget = { budget: 1_100 }
/** With the summary of the first window nothing more has to be left out here. */
const roomier = { budget: 1_400 }

/** Rooms are given away, far more often than a small window can tell. */
async function rooms(client: Client): Promise<string> {
  const { id } = await client.conversations.create({ title: 'Rooms' })
  const messages = Array.from({ length: 24 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Note ${at}: we decided that room ${at + 100} is for books. ${'It matters to us a lot. '.repeat(8)}`,
  }))
  await client.messages.append(id, { messages })
  return id
}

const summaryIn = async (client: Client, id: string): Promise<Message | undefined> =>
  (await client.messages.list(id, { limit: 100 })).items.find(({ kind }) => kind === 'summary')

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
