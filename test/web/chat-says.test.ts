import { afterEach, describe, expect, test } from 'vitest'
import { ModelError } from '../../src/models/wire/contract.js'
import { modelsOf, scripted } from '../http/live-models.js'
import { blind, openVisits } from './visit.js'

const visits = openVisits()
afterEach(() => visits.end())

const settled = 'article.assistant:not([data-live="true"])'

/** Says it in pieces of three characters. */
const dripping = (text: string) =>
  scripted(async function* () {
    for (const piece of text.match(/.{1,3}/gsu) ?? []) yield { type: 'text', text: piece }
    yield { type: 'finish', reason: 'stop', usage: null }
  })

const rich = `## Plan

- [x] done
- [ ] to do

| Line | Minutes |
|:--|--:|
| 12 | 38 |

\`\`\`ts
export const a: number = 1
\`\`\`

It is $x^2$ and costs $5 or $6.

$$\\frac{a}{b}$$`

const hostile = `<img src=x onerror="window.fired=1"><script>window.fired=1</script>

[a](javascript:window.fired=1) [b](java\tscript:window.fired=1) [c](&#106;avascript:window.fired=1) [d](data:text/html,x)

<https://ok.example/"onmouseover="window.fired=1> ![p](https://evil.example/p.png) ![q](data:image/svg+xml,x)

$\\href{javascript:window.fired=1}{x}$ $\\includegraphics{https://evil.example/q.png}$ $\\style{background:url(https://evil.example)}{y}$

\`\`\`<img/src=x onerror=window.fired=1>
<script>window.fired=1</script>
\`\`\`

[fine](https://example.com)`

describe.skipIf(blind !== null)('what an answer says', () => {
  test('tables, tasks, code and formulas are drawn, and prices are no formulas; on a phone nothing sticks out', async () => {
    const { page, faults } = await visits.visit({ models: modelsOf(dripping(rich)) }, { width: 390, height: 760 })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Go')
    await field.press('Enter')
    const answer = page.locator(settled)
    await answer.getByRole('cell', { name: '38' }).waitFor()
    await answer.locator('.hljs-keyword').first().waitFor()
    await answer.locator('math mfrac').waitFor()
    expect(await answer.locator('math').count()).toBe(2)
    expect(await answer.textContent()).toContain('costs $5 or $6.')
    expect(await answer.getByRole('checkbox', { name: 'done' }).isChecked()).toBe(true)
    expect(await answer.getByRole('checkbox', { name: 'to do' }).isChecked()).toBe(false)
    expect(await answer.locator('figcaption').textContent()).toContain('ts')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(faults).toEqual([])
  })

  test('markup, addresses and formulas of a hostile answer do nothing, while it is written and after', async () => {
    const { page, faults } = await visits.visit({ models: modelsOf(dripping(hostile)) })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Go')
    await field.press('Enter')
    const answer = page.locator(settled)
    await answer.getByRole('link', { name: 'fine' }).waitFor()
    await page.waitForTimeout(500)
    const links = await answer.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    for (const href of links) expect(href).toMatch(/^https:\/\//)
    expect(await answer.locator('img, script, svg:not(.icon), [style*="url"], [href^="javascript"]').count()).toBe(0)
    expect(await page.evaluate('window.fired')).toBeUndefined()
    expect(faults).toEqual([])
  })
})

describe.skipIf(blind !== null)('while one writes and waits', () => {
  test('an answer that fails says so, and is tried again', async () => {
    let tries = 0
    const model = scripted(async function* () {
      if (tries++ === 0) throw new ModelError('refused', 'the provider is on fire')
      yield { type: 'text', text: 'Here I am' }
      yield { type: 'finish', reason: 'stop', usage: null }
    })
    const { page } = await visits.visit({ models: modelsOf(model) })
    const field = page.getByRole('textbox', { name: 'Ask anything' })
    await field.fill('Are you there?')
    await field.press('Enter')
    const alert = page.getByRole('alert')
    await alert.getByText('No answer came').waitFor()
    await page.reload()
    await alert.getByText('No answer came').waitFor()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.locator(settled).getByText('Here I am').waitFor()
    expect(await page.locator('article.user').count()).toBe(1)
    expect(await alert.count()).toBe(0)
  })
})
