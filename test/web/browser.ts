/** The run's Chromium, if the system has one. */
import { type BrowserContext, type Browser as Connected, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { ask } from '../lib/shared.js'
import type { Chromium } from './setup.js'

export { chromiumPath, whyNot } from '../../scripts/lib/chromium.mjs'

export interface Browser {
  readonly context: BrowserContext
  readonly page: Page
  close(): Promise<void>
}

/** This worker's line to the browser; what is opened over it ends with it. */
let line: Promise<Connected> | undefined

async function connect(): Promise<Connected> {
  const told = await ask<Chromium>(inject('chromium'))
  if ('reason' in told) throw new Error(`Chromium did not start: ${told.reason}`)
  const browser = await chromium.connect(told.url)
  return browser.on('disconnected', () => {
    line = undefined
  })
}

export async function openBrowser(
  options: {
    readonly width?: number
    readonly height?: number
    readonly javaScript?: boolean
    /** With the worker that reads offline; requests pass by it, where no route of a test sees them. */
    readonly worker?: boolean
  } = {},
): Promise<Browser> {
  const { width = 1280, height = 820, javaScript = true, worker = false } = options
  line ??= connect()
  const browser = await line
  const context = await browser.newContext({
    viewport: { width, height },
    javaScriptEnabled: javaScript,
    serviceWorkers: worker ? 'allow' : 'block',
  })
  return { context, page: await context.newPage(), close: () => context.close() }
}
