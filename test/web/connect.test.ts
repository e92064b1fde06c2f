/** A model is connected in the app, by someone who has never seen it. */
import { afterEach, describe, expect, test } from 'vitest'
import { openConnections } from '../../src/models/connect/connections.js'
import { deadAddress, type Provider, type ProviderOptions, startProvider } from '../provider/server.js'
import { blind, openVisits, type Visit } from './visit.js'

const key = 'sk-ant-api03-the-whole-secret-7f3Q'
const visits = openVisits()
const providers: Provider[] = []
afterEach(async () => {
  await visits.end()
  for (const provider of providers.splice(0)) await provider.close()
})

async function open(options: ProviderOptions = {}, size = {}): Promise<Visit & { readonly provider: Provider }> {
  const provider = await startProvider({
    models: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
    answer: { text: 'Kyoto in April: **cherry blossoms**, and cool evenings.' },
    ...options,
  })
  providers.push(provider)
  const local = options.key === undefined ? provider.url : undefined
  const connected = await openConnections({
    config: {
      retry: { attempts: 1 },
      providers: {
        anthropic: { baseUrl: `${provider.url}/v1` },
        ollama: local === undefined ? false : { baseUrl: local },
        lmstudio: false,
      },
    },
    file: null,
  })
  return { ...(await visits.visit(connected, size)), provider }
}

/** As from another window: the clipboard's text arrives in the field. */
const paste = async ({ page }: Visit, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'API key or server address' }).waitFor()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    const pasted = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('.paste-field input').dispatchEvent(pasted)
  }`)
}
const itWorks = ({ page }: Visit) => page.getByText(/It works\s+Answered in/).waitFor()

describe.skipIf(blind !== null)('connecting a model in the app', () => {
  test('from the first paint to a streamed answer of a connected model in five actions', async () => {
    const visit = await open({ key })
    const { page, faults, provider } = visit
    await page.getByRole('link', { name: 'Models' }).first().click() // 1
    await paste(visit, key) // 2
    await itWorks(visit)
    await page.getByText('2 models offered').waitFor()
    await page.getByRole('button', { name: 'Use claude-sonnet-4-5' }).click() // 3
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('What is Kyoto like in April?') // 4
    await page.keyboard.press('Enter') // 5
    await page.locator('article strong', { hasText: 'cherry blossoms' }).waitFor()
    expect(provider.requests.some(({ headers }) => headers['x-api-key'] === key)).toBe(true)
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])')
    expect(stored + (await page.content())).not.toContain('whole-secret')
    expect(faults).toEqual([])
  })

  test('a refused key says so where the key is, and the right one goes on from there', async () => {
    const visit = await open({ key })
    const { page } = visit
    await page.goto(`${visit.host.url}/#/models`)
    await page.getByRole('textbox', { name: 'API key or server address' }).waitFor()
    await paste(visit, 'sk-ant-api03-wrong-0000')
    const field = page.getByRole('textbox', { name: 'API key or server address' })
    await page.getByRole('alert').getByText('Anthropic does not accept the key').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const says = await page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).textContent()
    expect(says).toContain('does not accept the key')
    expect(await page.getByRole('radiogroup').count()).toBe(0)
    await field.fill('')
    await paste(visit, `export ANTHROPIC_API_KEY="${key}"`)
    await itWorks(visit)
    await page.getByText('Anthropic key').waitFor()
  })

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
    await field.fill(await deadAddress())
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
