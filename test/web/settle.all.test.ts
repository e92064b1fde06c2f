/** What the screen comes to rest at. */
import { afterEach, describe, expect, test } from 'vitest'
import { modelsOf, saying } from '../http/live-models.js'
import { answers, ask } from './inspector.fixture.js'
import { blind, fill, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const left = `(() => {
  const box = document.querySelector('.log')
  return box ? Math.round(box.scrollHeight - box.scrollTop - box.clientHeight) : -1
})()`

/** Short lines and long ones, code and tables: nothing has the height that was guessed. */
const uneven = (at: number): string => {
  const kinds = ['Yes.', 'A longer line. '.repeat(60), `\`\`\`ts\n${'const a = 1\n'.repeat(30)}\`\`\``]
  return `${kinds[at % kinds.length]} (${at})`
}

describe.skipIf(blind !== null)('the screen', () => {
  test.each([8, 60, 300])('shows the end of %i messages once it is still', async (count) => {
    const { host, page, faults } = await visits.visit({ models: modelsOf(answers) })
    await fill(host, 'many', count, uneven)
    await page.goto(`${host.url}/#/c/many`)
    await page
      .getByText(`(${count - 1})`)
      .last()
      .waitFor()
    await page.evaluate(still)
    expect(await page.evaluate(left)).toBeLessThan(2)
    await page.reload()
    await page
      .getByText(`(${count - 1})`)
      .last()
      .waitFor()
    await page.evaluate(still)
    expect(await page.evaluate(left)).toBeLessThan(2)
    expect(await page.getByRole('button', { name: 'To the newest message' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('offers no answer with everything where that would be less', async () => {
    const { host, client, page } = await visits.visit({ models: modelsOf(saying('Yes.')) })
    const { id } = await client.conversations.create({ title: 'Too much' })
    // one turn is larger than what is left of the window, and only shortened it lets those before it in
    const turns = [...Array(20).fill(1_500), 130_000, 500].flatMap((words) => [
      { role: 'user' as const, content: 'And?' },
      { role: 'assistant' as const, content: 'word '.repeat(words) },
    ])
    await client.messages.append(id, { messages: turns })
    const run = await ask(client, id, 'And now?')
    await page.goto(`${host.url}/#/c/${id}?look=${run.message_id}`)
    const offer = page.locator('.offer')
    await offer.waitFor()
    await expect.poll(() => offer.textContent()).not.toContain('Counting')
    expect(await offer.textContent()).not.toMatch(/[−-]\d/)
    expect(await offer.textContent()).toMatch(/fits/)
  })
})

/** The same height and place for a while. */
const still = `(async () => {
  let before = ''
  for (let same = 0; same < 8; ) {
    await new Promise((go) => setTimeout(go, 60))
    const box = document.querySelector('.log')
    const now = [box?.scrollHeight, box?.scrollTop].join()
    same = now === before ? same + 1 : 0
    before = now
  }
})()`
