/** Runs the built command as a process of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Built } from '../../test/lib/build.js'
import { ask } from '../../test/lib/shared.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const main = `${root}dist/doors/cli.js`

/** Builds dist unless it is fresh. */
export async function build(): Promise<void> {
  const { reason } = await ask<Built>(inject('build'))
  if (reason !== null) throw new Error(reason)
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Given {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly script?: string
  readonly cwd?: string
}

const ours = /^(?:throughline|conversation|otel|no_color|force_color|database_url|ollama_host|\w+_api_key$)/i

/** As a user's shell would start it, without the settings of the test run. */
export function start(args: readonly string[], { env, script = main, cwd = root }: Given = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...Object.fromEntries(kept), ...env } })
  child.stdin.on('error', () => {})
  return child as ChildProcessWithoutNullStreams
}

export function run(args: readonly string[], given: Given = {}): Promise<Ran> {
  const child = start(args, given)
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.end(given.input ?? '')
  return new Promise((resolve) =>
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    ),
  )
}

/** The answers to requests, given as values or as raw lines. */
export async function answers(
  lines: readonly unknown[],
  args: readonly string[] = [],
  given: Given = {},
): Promise<Said[]> {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const { stdout } = await run(['assemble', '--jsonl', ...args], { ...given, input })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Said)
}

export interface Said {
  readonly id: unknown
  readonly ok: boolean
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly rendered: string | readonly Readonly<Record<string, unknown>>[]
  readonly request?: Readonly<Record<string, unknown>>
  readonly receipt: {
    readonly target: string
    readonly counter: { readonly name: string; readonly exact: boolean }
    readonly policy: { readonly name: string }
    readonly wire: { readonly hash: string }
    readonly risks?: unknown
    readonly totals: Readonly<Record<string, number>>
  }
  readonly error: Readonly<Record<'code' | 'message' | 'field' | 'reason' | 'value' | 'type', unknown>>
  readonly warnings: readonly unknown[]
}

export const history = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi, how can I help?' },
  { role: 'user', content: 'What is 2 + 2?' },
]

/** A folder of its own for the files of a test. */
export function desk(): { readonly folder: string; readonly file: (name: string, content: unknown) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-cli-'))
  return {
    folder,
    file: (name, content) => {
      const path = join(folder, name)
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
  }
}
