/** A real service with the built app, and a real browser on it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { seedDemo } from '../../src/cli/demo/seed.js'
import { withScript } from '../../src/cli/demo/speaker.js'
import { type Client, openClient } from '../../src/client/index.js'
import { builtinModels, type Host, type HostOptions, startService } from '../http/host.js'
import { root } from '../lib/tree.js'
import { type Browser, chromiumPath, openBrowser, whyNot } from './browser.js'

/** Why there is nothing to see; null when there is. */
export const blind =
  chromiumPath === null ? whyNot : existsSync(join(root, 'dist', 'web')) ? null : 'the app is not built: npm run build'
if (blind !== null) process.stderr.write(`test/web is skipped: ${blind}\n`)

export interface VisitOptions extends HostOptions {
  /** With the demo of a first start. */
  readonly demo?: boolean
}

export interface Visit {
  readonly host: Host
  readonly client: Client
  readonly page: Page
  readonly browser: Browser
  /** Errors on the page and requests that left the origin. */
  readonly faults: string[]
}

export interface Visits {
  visit(options?: VisitOptions, size?: Parameters<typeof openBrowser>[0]): Promise<Visit>
  /** Another browser at the same service. */
  join(host: Host): Promise<Omit<Visit, 'host' | 'client'>>
  end(): Promise<void>
}

export function openVisits(): Visits {
  const ends: (() => Promise<unknown>)[] = []
  const look = async (host: Host, size = {}): Promise<Omit<Visit, 'host' | 'client'>> => {
    const browser = await openBrowser(size)
    ends.push(() => browser.close())
    const { page } = browser
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(host.url))
        faults.push(`left the origin: ${request.url()}`)
    })
    page.setDefaultTimeout(20_000)
    await page.goto(host.url)
    return { page, browser, faults }
  }
  return {
    async visit({ demo = false, ...options } = {}, size = {}) {
      const { models = builtinModels, ...rest } = options
      const host = await startService({ store: 'sqlite', models: demo ? withScript(models) : models, ...rest })
      ends.push(() => host.stop())
      if (demo) await seedDemo(host.store, Date.now())
      return { host, client: openClient({ url: host.url }), ...(await look(host, size)) }
    },
    join: (host) => look(host),
    async end() {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
}

/** A conversation with so many messages, written straight into the store's door. */
export async function fill(
  host: Host,
  id: string,
  count: number,
  text = (at: number) => `Message ${at}`,
): Promise<void> {
  await host.call('POST', '/api/v1/conversations', { body: { id, title: `Long ${count}` } })
  for (let at = 0; at < count; at += 500) {
    const messages = Array.from({ length: Math.min(500, count - at) }, (_, i) => ({
      role: (at + i) % 2 === 0 ? 'user' : 'assistant',
      content: text(at + i),
    }))
    const { status, text: said } = await host.call('POST', `/api/v1/conversations/${id}/messages`, {
      body: { messages },
    })
    if (status !== 201) throw new Error(`the conversation could not be filled: ${status} ${said}`)
  }
}
