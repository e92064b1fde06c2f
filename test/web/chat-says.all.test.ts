import { afterEach, describe, expect, test } from 'vitest'
import { gated, modelsOf, saying } from '../http/live-models.js'
import { blind, fill, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

describe.skipIf(blind !== null)('while one writes and waits', () => {
  test('drafts are kept per conversation; Escape stops; the end is announced once', async () => {
    const gate = gated()
    const { host, page, faults } = await visits.visit({ models: modelsOf(gate.model) })
    await fill(host, 'one', 2)
    await fill(host, 'two', 2)
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await page.goto(`${host.url}/#/c/one`)
    await page.getByText('Message 1', { exact: true }).waitFor()
    await field.fill('half a thought')
    await page.goto(`${host.url}/#/c/two`)
    await page.getByText('Long 2').first().waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    await page.goto(`${host.url}/#/c/one`)
    await expect.poll(() => field.inputValue()).toBe('half a thought')
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('half a thought')

    await field.press('Enter')
    gate.say('Some words')
    await page.locator('article[data-live="true"]').getByText('Some words').waitFor()
    await field.press('Escape')
    await page.getByText('Stopped by you.').waitFor()
    await page
      .locator('.tail [role="status"]')
      .getByText('The answer is there, 2 words.')
      .waitFor({ state: 'attached' })

    await page.locator('.title').click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  test('tool calls are folded, with what they were given, what came back and whether it went well', async () => {
    const { host, page, faults } = await visits.visit({ models: modelsOf(saying('x')) })
    await host.call('POST', '/api/v1/conversations', { body: { id: 'tools', title: 'Tools' } })
    const call = { type: 'call', id: 'k', name: 'weather', input: { city: 'Lisbon' } }
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        parts: [
          { type: 'think', text: 'I should look' },
          { ...call, outcome: { state: 'error', output: [{ type: 'text', text: 'it is down' }] } },
        ],
      },
    ]
    const { status } = await host.call('POST', '/api/v1/conversations/tools/messages', { body: { messages } })
    expect(status).toBe(201)
    await page.goto(`${host.url}/#/c/tools`)
    const tool = page.locator('details.tool')
    await tool.getByText('failed').waitFor()
    await tool.getByText('weather').click()
    await tool.getByText('it is down').waitFor()
    await tool.getByText('"city": "Lisbon"').waitFor()
    await page.getByText('Thinking').click()
    await page.getByText('I should look').waitFor()
    expect(faults).toEqual([])
  })
})
