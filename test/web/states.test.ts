/** How an answer stands is said in words, and what to do about it is beside it. */
import { afterEach, describe, expect, test } from 'vitest'
import { gated, modelsOf, scripted } from '../http/live-models.js'
import { say, visits } from './states.fixture.js'
import { blind } from './visit.js'

afterEach(() => visits.end())

describe.skipIf(blind !== null)('the state of an answer', () => {
  test('an answer cut at the length limit says so, and goes on with one click [field report D-6]', async () => {
    let asked = 0
    const model = scripted(async function* () {
      asked++
      yield { type: 'text', text: asked === 1 ? 'The first half' : 'and the second half.' }
      yield { type: 'finish', reason: asked === 1 ? 'length' : 'stop', usage: null }
    })
    const { page, faults } = await visits.visit({ models: modelsOf(model) })
    await say(page, 'Tell me everything')
    await page.getByText('Cut off at the length limit.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('and the second half.').waitFor()
    expect(faults).toEqual([])
  })

  test('what is sent while an answer is written waits in line, and is sent when it is done', async () => {
    const { model, say: word, end } = gated()
    const { page } = await visits.visit({ models: modelsOf(model) })
    await say(page, 'First')
    word('Working')
    await page.getByText('Working').waitFor()
    await say(page, 'Second')
    await say(page, 'Third')
    const line = page.getByRole('region', { name: 'Next in line' })
    expect(await line.getByRole('listitem').count()).toBe(2)
    await line.getByRole('button', { name: 'Remove from the line: Third' }).click()
    end()
    await page.locator('article.user', { hasText: 'Second' }).waitFor()
    await line.waitFor({ state: 'detached' })
    expect(model.asked.length).toBeGreaterThan(0)
  })
})
