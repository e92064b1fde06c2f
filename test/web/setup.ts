/** One Chromium for a whole run of vitest. Each test has a context of its own in it: cookies, storage, pages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { type Opened, type Shared, share } from '../lib/shared.js'

declare module 'vitest' {
  interface ProvidedContext {
    readonly chromium: number
  }
}

/** Where the browser listens, or why there is none. */
export type Chromium = { readonly url: string } | { readonly reason: string }

let shared: Shared

export async function setup(project: TestProject): Promise<void> {
  shared = await share(open)
  project.provide('chromium', shared.port)
}

export const teardown = (): Promise<void> => shared.end()

async function open(): Promise<Opened<Chromium>> {
  const keeper = spawn(process.execPath, [fileURLToPath(new URL('./keeper.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let complaint = ''
  keeper.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  keeper.stdin.on('error', () => {})
  const gone = once(keeper, 'exit')
  const { value: url, done } = await createInterface({ input: keeper.stdout })[Symbol.asyncIterator]().next()
  return {
    told: done ? { reason: complaint || 'the browser ended' } : { url },
    async end() {
      keeper.stdin.end()
      await gone
    },
  }
}
