/** The settings in one place, and chats brought in from elsewhere. */
import { afterEach, describe, expect, test } from 'vitest'
import { openSettings, visits, zip } from './settings.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('settings', () => {
  test('a file that is dropped on the list is imported after a look at it', async () => {
    const visit = await visits.visit()
    const { page } = visit
    const data = await page.evaluateHandle(
      `(() => {
        const data = new DataTransfer()
        data.items.add(new File([Uint8Array.from(${JSON.stringify([...zip])})], 'export.zip'))
        return data
      })()`,
    )
    const list = page.locator('nav.sidebar')
    await list.dispatchEvent('dragover', { dataTransfer: data })
    await page.getByText('Drop to import').waitFor()
    await list.dispatchEvent('drop', { dataTransfer: data })
    await page.getByRole('button', { name: 'Import 1 chat' }).click()
    await page.getByRole('dialog').getByRole('link').click()
    await page.getByText('Oolong.').waitFor()
  })

  test('everything can be taken away in one file that import reads', async () => {
    const visit = await visits.visit()
    const { page, host } = visit
    await host.call('POST', '/chat', { body: { session_id: 'cats', message: 'My cat is Miso.' } })
    await openSettings(visit)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export everything' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('throughline.jsonl')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toContain('My cat is Miso.')
  })
})
