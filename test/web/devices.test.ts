/** Someone who leaves, comes back, sits down elsewhere or hands the machine on. */
import { afterEach, describe, expect, test } from 'vitest'
import { openClient } from '../../src/client/index.js'
import { gated, modelsOf } from '../http/live-models.js'
import { answers } from './inspector.fixture.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const settled = 'article.assistant:not([data-live])'
const composer = { name: 'Ask anything' } as const

describe.skipIf(blind !== null)('a conversation', () => {
  test('left and reloaded in the middle of an answer loses nothing, a question in line neither [T-27]', async () => {
    const gate = gated()
    const { client, page, faults } = await visits.visit({ models: modelsOf(gate.model) })
    await page.getByRole('textbox', composer).fill('Tell me a story')
    await page.keyboard.press('Enter')
    gate.say('Once upon ')
    await page.locator('article[data-live="true"]').getByText('Once upon').waitFor()
    const address = page.url()
    const id = /#\/c\/([^/?]+)/.exec(address)?.[1] as string
    await client.runs.start(id, { message: 'And then?', when_busy: 'queue' })

    await page.evaluate("location.hash = '#/'")
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    gate.say('a time, ')
    await page.goto('about:blank')
    gate.say('far away.')
    gate.end()
    gate.say('They lived on.')
    gate.end()
    await page.goto(address)
    await page.locator(settled).getByText('They lived on.').waitFor()
    const said = await page.locator('article p').allTextContents()
    expect(said.map((text) => text.trim())).toEqual(
      expect.arrayContaining(['Tell me a story', 'Once upon a time, far away.', 'And then?', 'They lived on.']),
    )
    await page.reload()
    await page.locator(settled).getByText('Once upon a time, far away.').waitFor()
    expect(faults).toEqual([])
  })

  test('leaves nothing behind for the next person when someone signs out [T-74]', async () => {
    const { host, page } = await visits.visit({ models: modelsOf(answers), auth: { mode: 'keys' } })
    const [ann, ben] = [await host.key('ann'), await host.key('ben')]
    const enter = async (key: string): Promise<void> => {
      await page.getByLabel('Key', { exact: true }).fill(key)
      await page.getByRole('button', { name: 'Use this key' }).click()
      await page.getByRole('textbox', composer).waitFor()
    }
    await enter(ann)
    const { id } = await openClient({ url: host.url, key: ann }).conversations.create({ title: "Ann's plan" })
    await page.goto(`${host.url}/#/c/${id}`)
    await page.getByRole('heading', { name: "Ann's plan" }).waitFor()
    await page.getByRole('textbox', composer).fill('a secret draft')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search messages' }).fill('secret search')
    await page.keyboard.press('Escape')
    await page.evaluate("location.hash = '#/settings'")
    await page.getByRole('button', { name: 'Sign out' }).click()

    await page.getByLabel('Key', { exact: true }).waitFor()
    expect(page.url()).not.toContain(id)
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe('[{},{}]')
    expect(await page.content()).not.toMatch(/Ann's plan|secret/)
    await enter(ben)
    await page.goto(`${host.url}/#/c/${id}`)
    await page.getByText('There is no such conversation').first().waitFor()
    expect(await page.content()).not.toMatch(/Ann's plan|secret/)
  })
})
