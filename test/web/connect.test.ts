/** A model is connected in the app, by someone who has never seen it. */
import { afterEach, describe, expect, test } from 'vitest'
import { itWorks, key, open, paste, providers, visits } from './connect.fixture.js'
import { blind } from './visit.js'

afterEach(async () => {
  await visits.end()
  for (const provider of providers.splice(0)) await provider.close()
})

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
})
