/** Someone who leaves, comes back, sits down elsewhere or hands the machine on. */
import { afterEach, describe, expect, test } from 'vitest'
import { gated, modelsOf } from '../http/live-models.js'
import { answers, ask } from './inspector.fixture.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const settled = 'article.assistant:not([data-live])'
const composer = { name: 'Ask anything' } as const

describe.skipIf(blind !== null)('a conversation', () => {
  test('goes on at another device from what the service has: the list, the words, the answer in the making [L-26]', async () => {
    const gate = gated()
    const { host, client, page } = await visits.visit({ models: modelsOf(gate.model) })
    await page.getByRole('textbox', composer).fill('Begun on the phone')
    await page.keyboard.press('Enter')
    gate.say('Half of ')
    await page.locator('article[data-live="true"]').getByText('Half of').waitFor()
    const id = /#\/c\/([^/?]+)/.exec(page.url())?.[1] as string
    await client.conversations.update(id, { title: 'A journey' })

    const other = await visits.join(host)
    await other.page.locator('.side-list').getByText('A journey').click()
    await other.page.locator('article.user').getByText('Begun on the phone').waitFor()
    await other.page.locator('article[data-live="true"]').getByText('Half of').waitFor()
    gate.say('the answer.')
    gate.end()
    await other.page.locator(settled).getByText('Half of the answer.').waitFor()
    await other.page.getByRole('textbox', composer).fill('Continued on the desk')
    await other.page.keyboard.press('Enter')
    gate.say('The rest.')
    gate.end()
    for (const one of [page, other.page]) {
      await one.locator('article.user').getByText('Continued on the desk').waitFor()
      await one.locator(settled).getByText('The rest.').waitFor()
    }
    expect(other.faults).toEqual([])
  })

  test('shows elsewhere at once what people think of its messages: pinned, left out, rated [S1-26]', async () => {
    const { host, client, page, faults } = await visits.visit({ models: modelsOf(answers) })
    const { id } = await client.conversations.create({ title: 'Marked' })
    const first = await ask(client, id, 'What do you think?')
    const run = await ask(client, id, 'And now?')
    await page.goto(`${host.url}/#/c/${id}?look=${run.message_id}&at=${first.message_id}`)
    const other = await visits.join(host)
    await other.page.goto(`${host.url}/#/c/${id}`)
    const there = other.page.locator(`#m-${first.message_id}`)
    await there.waitFor()
    await page.locator('.message-actions').getByRole('button', { name: 'Pin' }).click()
    await there.locator('.fate', { hasText: 'pinned' }).waitFor()
    await page.locator('.message-actions').getByRole('button', { name: 'Unpin' }).click()
    await there.locator('.fate').waitFor({ state: 'detached' })
    const answer = page.locator(`#m-${run.message_id}`)
    await answer.hover()
    await answer.getByRole('button', { name: 'Good answer' }).click()
    await other.page.locator(`#m-${run.message_id} [aria-label="Good answer"][aria-pressed="true"]`).waitFor()
    expect((await client.messages.get(id, run.message_id as string)).rating?.value).toBe(1)
    expect([...faults, ...other.faults]).toEqual([])
  })

  test('a key that is replaced by another leaves nothing either [T-74]', async () => {
    const { host, page } = await visits.visit({ models: modelsOf(answers), auth: { mode: 'keys' } })
    const ben = await host.key('ben')
    await page.evaluate(`localStorage.setItem('throughline.key', 'a key that has ended')`)
    await page.evaluate(`localStorage.setItem('throughline.draft.new', 'a secret draft')`)
    await page.reload()
    await page.getByLabel('Key', { exact: true }).fill(ben)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('textbox', composer).waitFor()
    expect(await page.getByRole('textbox', composer).inputValue()).toBe('')
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('secret')
  })
})
