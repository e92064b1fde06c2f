/** The payloads are real and the guard sees them: on a page without care they fire, leave and leave marks. */
import { marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { blind } from '../visit.js'
import { carelessPage } from './careless.fixture.js'
import { payloads } from './payloads.js'

/** With a number that no other test fires. */
const streamed = (payload: string, n: number): string => payload.replaceAll(`fired(`, `fired(${n + 1}000`)

const patient = { timeout: 20_000 }

describe.skipIf(blind !== null)('a page without care', () => {
  const { at, open } = carelessPage()

  test('is run over by the payloads [A-08]', async () => {
    await open()
    // those that leave for elsewhere would take the page along
    const all = payloads.filter((payload) => !/http-equiv/.test(payload))
    const pieces = all.map((payload) => payload + marked.parse(payload, { async: false }))
    await at.page.evaluate(`(() => {
      for (const html of ${JSON.stringify(pieces)}) {
        const one = document.createElement('div')
        document.body.append(one)
        one.append(document.createRange().createContextualFragment(html))
        for (const link of one.querySelectorAll('a')) if (link.protocol === 'javascript:') link.click()
      }
    })()`)
    await expect.poll(() => at.watched.seen('fired').length, patient).toBeGreaterThan(150)
    expect(at.watched.seen('left').length).toBeGreaterThan(10)
    expect(at.watched.seen('foreign').length).toBeGreaterThan(100)
  }, 60_000)

  test('is run over by the payloads as they arrive, three characters at a time [A-08]', async () => {
    await open()
    const before = at.watched.seen('fired').length
    const all = payloads.filter((payload) => !/http-equiv/.test(payload)).map((payload, n) => streamed(payload, n))
    await at.page.evaluate(`(async () => {
      const at = document.getElementById('at')
      for (const text of ${JSON.stringify(all)}) {
        const one = at.appendChild(document.createElement('div'))
        for (let end = 3; end < text.length + 3; end += 3) one.innerHTML = text.slice(0, end)
        await new Promise((go) => setTimeout(go))
      }
    })()`)
    await expect.poll(() => at.watched.seen('fired').length, patient).toBeGreaterThan(before + 100)
  }, 60_000)
})
