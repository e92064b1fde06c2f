/** Every figure that a screen shows of a window, beside the request that the model got. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelsOf, saying } from '../http/live-models.js'
import { ask } from './inspector.fixture.js'
import { blind, openVisits, type Visit } from './visit.js'

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

export function figuresAreTheRequest(seeds: readonly number[]): void {
  describe.skipIf(blind !== null)('the figures on the screens', () => {
    const visits = openVisits()
    const model = saying('Noted.')
    let visit: Visit
    beforeAll(async () => {
      visit = await visits.visit({ models: modelsOf(model), recaller: null })
    })
    afterAll(() => visits.end())

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
      const run = await ask(client, id, `${begin(count)} what now? ${end(count)}`, {
        budget: 600 + 200 * dice(15),
        ...(dice(3) === 0 && { policy: 'session-window' }),
      })
      // a summary is asked for on the side
      const captured = model.asked.findLast(({ items }) => items.at(-1)?.text.includes('what now?'))
      const request = JSON.stringify(captured?.window)
      const sent = Array.from({ length: count + 1 }, (_, at) => at).filter(
        (at) => request.includes(begin(at)) || request.includes(end(at)),
      ).length
      const { receipt } = await client.receipts.get(run.receipt_id as string)
      expect([receipt.request.messages.sent, receipt.request.messages.of]).toEqual([sent, count + 1])

      await page.goto(`${host.url}/#/c/${id}?look=${run.message_id}`)
      const panel = page.locator('.inspector')
      await panel.getByText(`of ${number(count + 1)} messages`).waitFor()
      expect(await panel.locator('.figure').textContent()).toBe(number(sent))
      const chips = (await panel.locator('.filters button').allTextContents()).map((text) => text.trim())
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
      const columns = await panel.locator('.saw-strip i').count()
      expect(columns).toBe(count + 1)
      const line = page
        .locator('article.assistant')
        .last()
        .getByRole('button', { name: /What the model saw/ })
      expect(await line.textContent()).toContain(`Saw ${number(sent)} of ${number(count + 1)}`)
      const tokens = await panel.locator('.big .tokens').textContent()
      expect(await line.locator('.tokens').textContent()).toBe(tokens)
    })
  })
}
