/** Screens that someone looks at while others write, and a model that says what it was told. */
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Client, openClient } from '../../../src/client/index.js'
import { type Host, startService } from '../../http/host.js'
import { modelsOf, scripted } from '../../http/live-models.js'
import { deep } from '../../runs.js'
import { openBrowser } from '../browser.js'
import { type Guard, guard } from './guard.js'
import { payloads } from './payloads.js'

/** Every kind of payload in one of its wrappings; all four hundred where every property is looked at longer. */
export const told = deep ? payloads : payloads.filter((_, n) => n % 4 === 0)

/** As many as two processors can draw. */
const screens = 2

export interface Screen {
  readonly page: Page
  readonly watched: Guard
  readonly client: Client
  readonly host: Host
}

/** Each payload once, on one of the screens. */
export async function onScreens(work: (screen: Screen, own: readonly string[]) => Promise<void>): Promise<void> {
  const host = await startService({ store: 'sqlite', models: modelsOf(echo) })
  const size = { width: 1000, height: 1600 }
  const browsers = await Promise.all(Array.from({ length: screens }, () => openBrowser({ ...size, worker: true })))
  try {
    await Promise.all(
      browsers.map(async ({ context, page }, at) => {
        const watched = await guard(context, host.url)
        page.setDefaultTimeout(20_000)
        const screen = { page, watched, client: openClient({ url: host.url }), host }
        await work(
          screen,
          told.filter((_, n) => n % screens === at),
        )
      }),
    )
  } finally {
    for (const browser of browsers) await browser.close()
    await host.stop()
  }
}

/** So few at a time that a conversation stays short. */
export const batchSize = 20

export const batches = (all: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(all.length / batchSize) }, (_, at) => all.slice(at * batchSize, (at + 1) * batchSize))

/** Three characters at a time; a piece may end inside a character. */
const pieces = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / 3) }, (_, at) => text.slice(3 * at, 3 * at + 3))

/** As far as it has come, three characters at a time and none of them in halves. */
export function growing(text: string): readonly string[] {
  const all = [...text]
  return Array.from({ length: Math.ceil(all.length / 3) }, (_, at) => all.slice(0, 3 * at + 3).join(''))
}

/** Longer than the service gathers, so that each piece is told by itself; reasoning may come in a hurry. */
const paceMs = 27
const hurryMs = 9

/** Says what it was told: as reasoning, and then as words and a tool call at once. */
const echo = scripted(async function* ({ items, signal }) {
  const part = items.at(-1)?.parts.find(({ type }) => type === 'text')
  const said = part?.type === 'text' ? part.text : ''
  const id = crypto.randomUUID()
  for (const text of pieces(said)) {
    signal.throwIfAborted()
    yield { type: 'think', text }
    await setTimeout(hurryMs)
  }
  yield { type: 'call-start', id, name: said }
  for (const text of pieces(said)) {
    signal.throwIfAborted()
    yield { type: 'text', text }
    yield { type: 'call-delta', id, json: text }
    await setTimeout(paceMs)
  }
  yield { type: 'call', id, name: said, input: { [said]: said } }
  yield { type: 'finish', reason: 'calls', usage: null }
})
