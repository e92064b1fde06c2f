/** The system's Chromium, if there is one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../scripts/lib/chromium.mjs'

export { chromiumPath, whyNot } from '../../scripts/lib/chromium.mjs'

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
