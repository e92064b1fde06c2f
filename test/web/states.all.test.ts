/** How an answer stands is said in words, and what to do about it is beside it. */
import { afterEach, describe, expect, test } from 'vitest'
import { ModelError } from '../../src/models/wire/contract.js'
import { failing, gated, modelsOf, saying } from '../http/live-models.js'
import { say, visits } from './states.fixture.js'
import { blind, fill } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('the state of an answer', () => {
  test('an answer that failed halfway does not look finished, and can be tried again [field report D-6]', async () => {
    const { page } = await visits.visit({
      models: modelsOf(
        failing(new ModelError('cut', 'the answer of test/scripted broke off before its end'), 'Half a'),
      ),
    })
    await say(page, 'Go')
    const ending = page.locator('.problem', { hasText: /Failed|No answer came/ })
    await ending.waitFor()
    expect(await ending.textContent()).toContain('broke off before its end')
    await ending.getByRole('button', { name: 'Try again' }).click()
    await ending.first().waitFor()
  })

  test('an answer that was stopped says by whom', async () => {
    const { model, say: word } = gated()
    const { page } = await visits.visit({ models: modelsOf(model) })
    await say(page, 'Go')
    word('A beginning')
    await page.getByText('A beginning').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped by you.').waitFor()
    await page.locator('.ending').getByRole('button', { name: 'Answer again' }).waitFor()
  })

  test('sending while scrolled up shows what was sent and follows the answer [field report D-4]', async () => {
    const { page, host } = await visits.visit({ models: modelsOf(saying('Here is the answer.')) })
    await fill(host, 'long', 120)
    await page.goto(`${host.url}/#/c/long`)
    await page.getByText('Message 119').waitFor()
    await page.locator('.log').evaluate((box) => box.scrollTo(0, 200))
    await page.getByRole('button', { name: 'To the newest message' }).waitFor()
    await say(page, 'And now?')
    await page.getByText('Here is the answer.').waitFor()
    const left = await page.locator('.log').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
    expect(left).toBeLessThan(80)
  })

  test('system prompt, temperature and window of a chat reach the model, and the policy shown is the one that holds [field report D-5]', async () => {
    const model = saying('Yes.')
    const { page, client, faults } = await visits.visit({ models: modelsOf(model), policy: 'session-window' })
    await say(page, 'Hello')
    await page.getByText('Yes.').waitFor()
    const policy = page.locator('.composer').getByLabel('Policy')
    expect(await policy.evaluate((one) => one.querySelector('option:checked')?.textContent)).toBe('session-window')
    await page.getByRole('button', { name: 'Settings of this chat' }).click()
    await page.getByLabel('System prompt').fill('Answer in one word.')
    await page.getByLabel('Temperature').fill('0.2')
    await page.getByLabel('Effort').selectOption('High')
    await page.getByLabel('Window size, in tokens').fill('4000')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await say(page, 'Again')
    await expect.poll(() => model.asked.length).toBe(2)
    expect(model.asked[1]).toMatchObject({
      system: 'Answer in one word.',
      temperature: 0.2,
      settings: { effort: 'high' },
    })
    const [one] = (await client.conversations.list()).items
    expect(one).toMatchObject({ budget: 4_000, temperature: 0.2, effort: 'high', tools: null })
    expect(faults).toEqual([])
  })

  test('another model answers again on a branch of its own, which can be deleted', async () => {
    const models = modelsOf(saying('From the first.', 'test/first'), saying('From the second.', 'test/second'))
    const { page, client } = await visits.visit({ models })
    await say(page, 'Who are you?')
    await page.getByText('From the first.').waitFor()
    await page.getByLabel('Answer again with another model').selectOption('test/second')
    await page.getByText('From the second.').waitFor()
    await page
      .getByRole('button', { name: /show all branches/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Delete again/ }).click()
    await page.getByRole('button', { name: /^Delete for good/ }).click()
    await page.getByText('From the first.').waitFor()
    const [one] = (await client.conversations.list()).items
    expect((await client.branches.list(one?.id ?? '')).items.map(({ name }) => name)).toEqual(['main'])
  })
})
