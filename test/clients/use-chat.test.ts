/** `useChat` in a real browser against a running service. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Route, route } from '../../src/http/kit/route.js'
import { routes } from '../../src/http/routes.js'
import type { Model, ModelEvent } from '../../src/models/wire/contract.js'
import { type Host, startService } from '../http/host.js'
import { gated, modelsOf, saying, scripted } from '../http/live-models.js'
import { chromiumPath, openBrowser, whyNot } from '../web/browser.js'

if (chromiumPath === null) process.stderr.write(`test/clients/use-chat is left out: ${whyNot}\n`)

const idQuery = z.strictObject({ id: z.string() })

let script = ''
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('use-chat.page.mjs', import.meta.url))],
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  script = outputFiles[0]?.text ?? ''
}, 60_000)

const served = (path: string, type: string, text: () => string): Route =>
  route({
    name: `test ${path}`,
    method: 'get',
    path,
    tag: 'test',
    summary: 'A page of the test',
    scope: 'open',
    ...(type === 'text/html' ? { query: idQuery } : null),
    answers: { 200: { type, says: 'It' } },
    handle: () =>
      new Response(text(), { headers: { 'content-type': type, 'content-security-policy': "default-src 'self'" } }),
  })

const html = '<!doctype html><title>Chat</title><div id="root"></div><script type="module" src="/page.js"></script>'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function visit(model: Model): Promise<{ host: Host; page: Page; say: (text: string) => Promise<void> }> {
  const pages = [served('/page', 'text/html', () => html), served('/page.js', 'text/javascript', () => script)]
  const host = await startService({ store: 'sqlite', models: modelsOf(model), routes: [...routes, ...pages] })
  ends.push(() => host.stop())
  const browser = await openBrowser()
  ends.push(() => browser.close())
  const { page } = browser
  page.setDefaultTimeout(20_000)
  await page.goto(`${host.url}/page?id=c1`)
  const field = page.getByRole('textbox', { name: 'Say' })
  const say = async (text: string) => {
    await field.fill(text)
    await field.press('Enter')
  }
  return { host, page, say }
}

const ready = (page: Page) => page.locator('main[data-status="ready"]').waitFor()

const stored = async (host: Host) => (await host.call('GET', '/api/chat/c1')).body.messages

const shownIn = (page: Page) =>
  page.locator('article').evaluateAll((all) => all.map((one) => [one.id, one.className, one.textContent]))

describe.skipIf(chromiumPath === null)('useChat in Chromium', () => {
  test('two turns, another answer, and the same after a reload', async () => {
    let count = 0
    const { host, page, say } = await visit(saying((asked) => `Answer ${++count} to ${asked.items.length}.`))
    await say('Hello.')
    await page.locator('article.assistant').getByText('Answer 1 to 1.').waitFor()
    await ready(page)
    await say('And now?')
    await page.locator('article.assistant').getByText('Answer 2 to 3.').waitFor()
    await ready(page)
    await page.getByRole('button', { name: 'Again' }).click()
    await page.locator('article.assistant').getByText('Answer 3 to 3.').waitFor()
    await ready(page)
    const before = await shownIn(page)
    expect(before).toHaveLength(4)
    expect(await page.locator('[data-type="data-receipt"]').count()).toBe(2)
    await page.reload()
    await page.getByText('Answer 3 to 3.').waitFor()
    expect(await shownIn(page)).toEqual(before)
    expect((await host.call('GET', '/api/v1/conversations/c1/branches')).body.items).toHaveLength(2)
  })

  test('a reload in the middle of an answer goes on with it', async () => {
    const { model, say: speak, end } = gated()
    const { host, page, say } = await visit(model)
    await say('Hello.')
    speak('It goes')
    await page.getByText('It goes').waitFor()
    await page.reload()
    await page.getByText('It goes').waitFor()
    speak(' on and on.')
    await page.getByText('It goes on and on.').waitFor()
    end()
    await ready(page)
    expect(await page.locator('article').count()).toBe(2)
    expect((await stored(host)).map(({ id }: { readonly id: string }) => id)).toEqual(
      (await shownIn(page)).map(([id]) => id),
    )
    expect(model.asked).toHaveLength(1)
  })

  test('stop stops the model, and what was said stays', async () => {
    const { model, say: speak, aborted } = gated()
    const { page, say } = await visit(model)
    await say('Hello.')
    speak('As far as this')
    await page.getByText('As far as this').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await aborted
    await ready(page)
    await page.reload()
    await page.getByText('As far as this').waitFor()
    expect(await page.locator('article').count()).toBe(2)
  })

  test('a tool of the page is called, and its answer goes on in the same message', async () => {
    const model = scripted(async function* ({ items }): AsyncGenerator<ModelEvent> {
      const call = items.at(-1)?.parts.findLast((part) => part.type === 'call')
      if (call?.type === 'call' && call.outcome.state === 'ok') {
        const [said] = call.outcome.output
        yield { type: 'text', text: `I was told ${said?.type === 'text' ? said.text : ''}.` }
        yield { type: 'finish', reason: 'stop', usage: null }
        return
      }
      yield { type: 'call-start', id: 'call_1', name: 'look' }
      yield { type: 'call', id: 'call_1', name: 'look', input: {} }
      yield { type: 'finish', reason: 'calls', usage: null }
    })
    const { host, page, say } = await visit(model)
    await say('How warm is it?')
    await page.getByText('I was told {"celsius":21}.').waitFor()
    await ready(page)
    expect(await page.locator('[data-type="tool-look"][data-state="output-available"]').count()).toBe(1)
    expect(await page.locator('article').count()).toBe(2)
    const before = await shownIn(page)
    await page.reload()
    await page.getByText('I was told {"celsius":21}.').waitFor()
    expect((await shownIn(page)).map(([id]) => id)).toEqual(before.map(([id]) => id))
    expect((await stored(host))[1].parts).toHaveLength(6)
  })
})
