/** Every figure that a screen shows of a window, beside the request that the provider got. */
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findModel } from '../../src/core/tokens/models.js'
import { counters } from '../../src/index.js'
import { modelAt } from '../../src/models/models.fixture.js'
import { kilo } from '../../web/strings/number.js'
import { modelsOf } from '../http/live-models.js'
import { wireTokens } from '../laws/account.js'
import { type Provider, startProvider } from '../provider/server.js'
import { ask } from './inspector.fixture.js'
import { blind, openVisits, type Visit } from './visit.js'

const exact = await counters.exact('gpt-4o')
const window = 9_000

const begin = (at: number): string => `<b${at}>`
const end = (at: number): string => `<e${at}>`
const number = (value: number): string => Math.round(value).toLocaleString('en')

/** The same numbers for the same seed. */
function diceOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0
    return state % below
  }
}

const tab = (page: Page, name: string) => page.locator('.inspector').getByRole('tab', { name, exact: true }).click()

export function figuresAreTheRequest(seeds: readonly number[]): void {
  describe.skipIf(blind !== null)('the figures on the screens', () => {
    const visits = openVisits()
    let visit: Visit
    let provider: Provider
    /** Of all requests, as the provider got them. */
    let all = 0
    let inexact = 0
    beforeAll(async () => {
      provider = await startProvider({ answer: { text: 'Noted.' } })
      const model = await modelAt('openai-chat', provider.url, { silenceMs: 60_000 })
      const facts = { ...findModel('gpt-4o'), id: model.id, window, output: 1_000 }
      visit = await visits.visit({ models: modelsOf({ ...model, facts }), recaller: null })
    })
    afterAll(async () => {
      await visits.end()
      await provider.close()
    })

    test.each(seeds)('equal the request captured at the provider, seed %i (field report D1, D2)', async (seed) => {
      const { page, client, host } = visit
      const dice = diceOf(seed)
      const { id } = await client.conversations.create({ title: `Seed ${seed}` })
      const count = 4 + 2 * dice(24)
      const messages = Array.from({ length: count }, (_, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `${begin(at)} ${'some words '.repeat(3 + dice(90))} ${end(at)}`,
      }))
      await client.messages.append(id, { messages })
      const budget = 600 + 200 * dice(15)
      const run = await ask(client, id, `${begin(count)} what now? ${end(count)}`, {
        budget,
        ...(dice(3) === 0 && { policy: 'session-window' }),
      })
      // a summary is asked for on the side
      const captured = provider.requests.findLast((one) => one.text.includes('what now?'))
      const { text: request = '', body } = captured ?? {}
      const sent = Array.from({ length: count + 1 }, (_, at) => at).filter(
        (at) => request.includes(begin(at)) || request.includes(end(at)),
      ).length
      const { receipt } = await client.receipts.get(run.receipt_id as string)
      expect([receipt.request.messages.sent, receipt.request.messages.of]).toEqual([sent, count + 1])
      // specification 4 counts characters
      const used = receipt.counter.exact ? wireTokens(body, exact) : receipt.request.used
      all += used
      if (!receipt.counter.exact) inexact++

      await page.goto(`${host.url}/#/c/${id}?look=${run.message_id}`)
      const panel = page.locator('.inspector')
      await panel.getByText(`of ${number(count + 1)} messages`).waitFor()
      await tab(page, 'List')
      expect(await panel.locator('.figure').textContent()).toBe(number(sent))
      const tokens = `${kilo(used)} of ${kilo(window)} tokens`
      expect(await panel.locator('.big .tokens').textContent()).toBe(tokens)
      const chips = (await panel.locator('.filters button').allTextContents()).map((chip) => chip.trim())
      const groups = {
        All: count + 1,
        Seen: sent,
        Summarised: receipt.totals.summarised,
        'Left out': receipt.totals.dropped,
      }
      expect(chips).toEqual(
        Object.entries(groups).flatMap(([name, many]) => (many > 0 ? [`${name} ${number(many)}`] : [])),
      )
      expect(sent + receipt.totals.summarised + receipt.totals.dropped).toBe(count + 1)
      expect(await panel.locator('.saw-strip i').count()).toBe(count + 1)

      const answer = page.locator('article.assistant').last()
      const line = answer.getByRole('button', { name: /What the model saw/ })
      expect(await line.textContent()).toContain(`Saw ${number(sent)} of ${number(count + 1)}`)
      expect(await line.locator('.tokens').textContent()).toBe(tokens)
      const gauge = page.locator('button.gauge')
      expect(await gauge.textContent()).toBe(`Saw ${number(sent)} of ${number(count + 1)}`)
      expect(await gauge.getAttribute('title')).toContain(`took ${number(used)} of ${number(window)} tokens`)

      await tab(page, 'Map')
      await panel
        .getByText(`${number(used)} of ${number(window)} tokens`)
        .first()
        .waitFor()
      await tab(page, 'Over time')
      const bar = panel.locator('.turn[aria-current="true"]')
      expect(await bar.getAttribute('aria-label')).toContain(`${number(used)} of ${number(window)} tokens`)
      await tab(page, 'What if')
      await panel.getByText('The window would be the same to the byte.').waitFor()
      await tab(page, 'Request')
      await panel.getByText(`openai-chat, ${number(Buffer.byteLength(request))} bytes`).waitFor()
      const saved = page.waitForEvent('download')
      await panel.getByRole('button', { name: 'Download' }).click()
      expect(await text(await (await saved).createReadStream())).toBe(request)
    })

    test('of all of them add up on the page of usage', async () => {
      const { page, host } = visit
      await page.goto(`${host.url}/#/usage`)
      await page.locator('.tiles > div', { hasText: 'Tokens sent' }).getByText(number(all), { exact: true }).waitFor()
      expect(inexact).toBeLessThan(seeds.length)
    })
  })
}
