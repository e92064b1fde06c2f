import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { modelsOf, saying } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const settled = 'article.assistant:not([data-live="true"])'

describe.skipIf(blind !== null)('the conversation screen', () => {
  test('files are picked, looked at, removed, sent and shown', async () => {
    const { host, page, faults } = await visits.visit({ models: modelsOf(saying('Thank you')) })
    const picture = await page.evaluate<string>(`(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 40
      canvas.height = 30
      canvas.getContext('2d').fillRect(5, 5, 20, 20)
      return canvas.toDataURL('image/png').split(',')[1]
    })()`)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles([
      { name: 'map.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') },
      { name: 'plan.ts', mimeType: '', buffer: Buffer.from('export const plan = 1\n') },
      { name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
    ])
    const list = page.getByRole('list', { name: 'Attached files' })
    await list.getByText('wrong.txt').waitFor()
    await page.getByRole('button', { name: 'Remove wrong.txt' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Look at this')
    await field.press('Enter')
    await page.locator(settled).getByText('Thank you').waitFor()
    const asked = page.locator('article.user')
    const shown = asked.getByRole('img', { name: 'Picture: map.png' })
    await expect.poll(() => page.evaluate('document.querySelector("article.user img")?.naturalWidth')).toBe(40)
    expect(await shown.getAttribute('src')).toBe(`data:image/png;base64,${picture}`)
    await asked.getByText('plan.ts').click()
    await asked.getByText('export const plan = 1').waitFor()
    const { body } = await host.call('GET', '/api/v1/conversations')
    const path = await host.call('GET', `/api/v1/conversations/${body.items[0].id}/messages`)
    expect(path.body.items[0].parts).toEqual([
      { type: 'text', text: 'Look at this' },
      { type: 'file', name: 'map.png', mediaType: 'image/png', source: { kind: 'data', base64: picture } },
      {
        type: 'file',
        name: 'plan.ts',
        mediaType: 'text/plain',
        source: { kind: 'text', text: 'export const plan = 1\n' },
      },
    ])

    // one that is too large is refused before it goes
    const again = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await again).setFiles([{ name: 'big.bin', mimeType: '', buffer: Buffer.alloc(17_000_000) }])
    await page.getByRole('alert').getByText('big.bin is too large').waitFor()
    expect(faults).toEqual([])
  })

  test('files that are too large for a message go ahead of it, from the first message on, and come back whole', async () => {
    const model = saying('Read')
    const { page, faults } = await visits.visit({ models: modelsOf(model) })
    const attach = async (name: string, mimeType: string, buffer: Buffer): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach files' }).click()
      await (await chooser).setFiles([{ name, mimeType, buffer }])
      await page.getByRole('list', { name: 'Attached files' }).getByText(name).waitFor()
    }
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await attach('plan.png', 'image/png', Buffer.alloc(1_500_000, 'a plan '))
    await field.fill('What is planned?')
    await field.press('Enter')
    await page.locator(settled).getByText('Read').waitFor()
    expect(JSON.stringify(model.asked[0]?.window)).toContain(
      Buffer.alloc(60, 'a plan ').toString('base64').slice(0, 60),
    )

    const bytes = Buffer.alloc(3_000_000, 'ab\0')
    await attach('disk.img', 'application/octet-stream', bytes)
    await page.getByText('too large for a model to read').waitFor()
    await field.fill('And this?')
    await field.press('Enter')
    const asked = page.locator('article.user:not([data-pending])').filter({ hasText: 'And this?' })
    const saved = page.waitForEvent('download')
    await asked.getByRole('button', { name: 'Download' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('disk.img')
    expect((await buffer(await file.createReadStream())).equals(bytes)).toBe(true)
    expect(faults).toEqual([])
  })

  test('tells how far a file has come, and gives it back when the service refuses it', async () => {
    const { page, host } = await visits.visit({ models: modelsOf(saying('Read')) })
    await host.call('POST', '/api/v1/conversations', { body: { id: 'c' } })
    await page.goto(`${host.url}/#/c/c`)
    let refuse = (): void => {}
    const held = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await page.route('**/blobs', async (route) => {
      await held
      await route.fulfill({ status: 507, json: { code: 'storage_full', detail: 'there is no room left' } })
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles([{ name: 'disk.img', mimeType: '', buffer: Buffer.alloc(2_000_000) }])
    await page.getByRole('list', { name: 'Attached files' }).getByText('disk.img').waitFor()
    await page.getByRole('textbox', { name: 'Ask anything' }).fill('Keep this')
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Sending files' }).waitFor()
    refuse()
    await page.getByRole('alert').getByText('there is no room left').waitFor()
    await page.getByRole('list', { name: 'Attached files' }).getByText('disk.img').waitFor()
    expect(await page.getByRole('textbox', { name: 'Ask anything' }).inputValue()).toBe('Keep this')
  })
})
