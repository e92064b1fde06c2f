/** A model is connected in the app, by someone who has never seen it. */
import { afterEach, describe, expect, test } from 'vitest'
import { deadAddress } from '../provider/server.js'
import { itWorks, key, open, providers, visits } from './connect.fixture.js'
import { blind } from './visit.js'

afterEach(async () => {
  await visits.end()
  for (const provider of providers.splice(0)) await provider.close()
})

describe.skipIf(blind !== null)('connecting a model in the app', () => {
  test('a key of nobody asks whose it is, and an address that nobody answers says so', async () => {
    const visit = await open({ key: '0123456789abcdef' })
    const { page } = visit
    await page.goto(`${visit.host.url}/#/models`)
    const field = page.getByRole('textbox', { name: 'API key or server address' })
    await field.fill('0123456789abcdef')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByRole('alert').getByText('not clear whose key').waitFor()
    await page.getByLabel('Whose key is it?').selectOption('Anthropic')
    await page.getByRole('button', { name: 'Test again' }).click()
    await itWorks(visit)
    await field.fill(deadAddress)
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
  })

  test('servers on this computer are offered, and one click and a choice is all it takes', async () => {
    const { page, client, faults } = await open({ models: ['qwen3:8b', 'llama3.2'] })
    await page.getByRole('link', { name: 'Models' }).first().click()
    await page.getByText('Running, 2 models: qwen3:8b, llama3.2').waitFor()
    await page.getByRole('button', { name: 'Choose: Ollama' }).click()
    await page.getByRole('radio', { name: 'llama3.2' }).check()
    await page.getByRole('button', { name: 'Use llama3.2' }).click()
    await page.getByText('llama3.2 answers from now on.').waitFor()
    expect((await client.system()).model).toBe('ollama/llama3.2')
    expect(faults).toEqual([])
  })

  test('what is connected shows four characters, a key refused since, and is removed after a second look', async () => {
    const { page, client, provider } = await open({ key })
    await client.connections.add({ pasted: key })
    await page.goto(page.url().replace(/#.*|$/, '#/models'))
    await page.getByText('•••• 7f3Q').waitFor()
    provider.set({ key: 'another' })
    await client.chat({ message: 'Hello', model: 'anthropic/claude-haiku-4-5' }).catch(() => null)
    await page.reload()
    await page.getByText(/Key refused since \d\d:\d\d/).waitFor()
    await page.getByRole('button', { name: 'Replace key' }).click()
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('API key or server address')
    await page.getByRole('button', { name: 'Remove Anthropic' }).click()
    await page.getByRole('button', { name: 'Remove it for good? Anthropic' }).click()
    await page.getByText('Anthropic was removed, and its key deleted.').waitFor()
    expect((await client.connections.list()).items).toEqual([])
  })
})
