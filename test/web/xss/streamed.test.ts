/** The same payloads as they arrive: three characters at a time, while someone looks. */
import { setTimeout } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { openClient } from '../../../src/client/index.js'
import { startService } from '../../http/host.js'
import { modelsOf, scripted } from '../../http/live-models.js'
import { deep } from '../../runs.js'
import { chromiumPath } from '../browser.js'
import { ask } from '../inspector.fixture.js'
import { blind } from '../visit.js'
import { guard, until } from './guard.js'
import { payloads } from './payloads.js'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Longer than the service gathers, so that each piece is told by itself. */
const paceMs = 27

/** Says what it was told as words, as reasoning and as a tool call, in pieces that may end inside a character. */
const echo = scripted(async function* ({ items, signal }) {
  const said = items.at(-1)?.text ?? ''
  const id = crypto.randomUUID()
  yield { type: 'call-start', id, name: said }
  for (let at = 0; at < said.length; at += 3) {
    signal.throwIfAborted()
    const text = said.slice(at, at + 3)
    yield { type: 'think', text }
    yield { type: 'text', text }
    yield { type: 'call-delta', id, json: text }
    await setTimeout(paceMs)
  }
  yield { type: 'call', id, name: said, input: { [said]: said } }
  yield { type: 'finish', reason: 'calls', usage: null }
})

/** As many as are looked at at the same time. */
const screens = 6

/** One of each kind by turns of what is around it; all four hundred where every property is looked at longer. */
const told = deep ? payloads : payloads.filter((_, n) => n % 8 === 0)

if (!deep)
  process.stderr.write('streamed payloads are left to deep runs: npm run check:deep -- test/web/xss/streamed.test.ts\n')

describe.skipIf(blind !== null || !deep)('what is being written', () => {
  test('is words at every step: questions, answers, reasoning, calls, authors and titles [A-08]', async () => {
    const host = await startService({ store: 'sqlite', models: modelsOf(echo) })
    ends.push(() => host.stop())
    const browser = await chromium.launch({ executablePath: chromiumPath as string, args: ['--no-sandbox'] })
    ends.push(() => browser.close())
    const client = openClient({ url: host.url })
    let seen = 0
    const drawn = await Promise.all(
      Array.from({ length: screens }, async (_, screen) => {
        const context = await browser.newContext({ viewport: { width: 1000, height: 800 } })
        const watched = await guard(context, host.url)
        const page = await context.newPage()
        const { id } = await client.conversations.create({ title: 'Stream' })
        await page.goto(`${host.url}/#/c/${id}`)
        await page.getByRole('textbox', { name: 'Say something' }).waitFor()
        const own = told.filter((_, n) => n % screens === screen)
        for (const payload of own) {
          await client.conversations.update(id, { title: payload })
          const run = await ask(client, id, payload, { author: payload.slice(0, 200) })
          expect(run.state, payload).toBe('done')
          // someone who looks at the end
          const end = "Object.assign(document.querySelector('.log'), { scrollTop: 1e9 })"
          const there = `${end} && guarded.rows.has('m-${run.message_id}')`
          const titled = `document.querySelector('h1.title').textContent === ${JSON.stringify(payload)}`
          await until(page, `${there} && ${titled}`).then(
            () => seen++,
            () => {},
          )
        }
        expect(watched.seen()).toEqual([])
        return page.evaluate<number>('guarded.drawn')
      }),
    )
    // nearly all of them stood on the screen to their end, and many states of each were there to be seen
    expect(seen).toBeGreaterThan(0.9 * told.length)
    expect(drawn.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(5 * told.length)
  }, 300_000)
})
