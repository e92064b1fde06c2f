/** The system's Chromium, if there is one. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const known = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const chromiumPath = known.find((path) => path !== undefined && existsSync(path)) ?? null

export const whyNot = 'no Chromium was found: install one, or name it in CHROMIUM_PATH'

export interface Browser {
  readonly context: BrowserContext
  readonly page: Page
  close(): Promise<void>
}

export async function openBrowser(
  options: { readonly width?: number; readonly height?: number; readonly javaScript?: boolean } = {},
): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-web-'))
  const { width = 1280, height = 820, javaScript = true } = options
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath as string,
    args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
    viewport: { width, height },
    javaScriptEnabled: javaScript,
  })
  return {
    context,
    page: context.pages()[0] ?? (await context.newPage()),
    async close() {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
