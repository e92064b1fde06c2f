/** One look at the build for a whole run of vitest, when the first test asks for it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { type Opened, type Shared, share } from './shared.js'
import { root } from './tree.js'

declare module 'vitest' {
  interface ProvidedContext {
    readonly build: number
  }
}

/** Why dist could not be built; null when it is fresh. */
export type Built = { readonly reason: string | null }

let shared: Shared

export async function setup(project: TestProject): Promise<void> {
  shared = await share(open)
  project.provide('build', shared.port)
}

export const teardown = (): Promise<void> => shared.end()

async function open(): Promise<Opened<Built>> {
  const script = join(root, 'scripts', 'build.mjs')
  const failed = await promisify(execFile)(process.execPath, [script]).then(() => null, String)
  return { told: { reason: failed }, end: async () => {} }
}
