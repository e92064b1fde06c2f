/** A page of the app over a real service, and everything that went wrong on it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { seedDemo } from '../../src/cli/demo/seed.js'
import { type Host, type HostOptions, startService } from '../http/host.js'
import { root } from '../lib/tree.js'
import { type Browser, chromiumPath, openBrowser, whyNot } from './browser.js'

export const reason =
  chromiumPath === null ? whyNot : existsSync(join(root, 'dist', 'web')) ? null : 'the app is not built: npm run build'
if (reason !== null) process.stderr.write(`test/web is skipped: ${reason}\n`)

export interface StageOptions extends HostOptions {
  readonly demo?: boolean
  readonly width?: number
  readonly height?: number
}

export interface Stage {
  readonly host: Host
  readonly page: Page
  readonly browser: Browser
  readonly faults: readonly string[]
  close(): Promise<void>
}

export async function stage({ demo = false, width, height, ...options }: StageOptions = {}): Promise<Stage> {
  const host = await startService({ store: 'sqlite', ...options })
  if (demo) await seedDemo(host.store, Date.now())
  const browser = await openBrowser({ ...(width && { width }), ...(height && { height }) })
  const { page } = browser
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(host.url)) faults.push(`left the origin: ${request.url()}`)
  })
  page.setDefaultTimeout(20_000)
  await page.goto(host.url)
  await page.getByRole('textbox', { name: 'Say something' }).waitFor()
  return {
    host,
    page,
    browser,
    faults,
    async close() {
      await browser.close()
      await host.stop()
    },
  }
}
