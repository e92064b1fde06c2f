/** Starts real processes on one file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll } from 'vitest'

export interface Writer {
  readonly process: ChildProcess
  /** The ids it was promised so far. */
  readonly acknowledged: string[]
  readonly ended: Promise<{ readonly code: number | null; readonly complaints: string }>
}

/** The script stands inside the repository, so that it finds the packages. */
export function writerScript(source = join(import.meta.dirname, 'writer.fixture.ts')): string {
  const cache = join(import.meta.dirname, '../../../node_modules/.cache/throughline')
  const script = join(cache, `writer-${randomUUID()}.mjs`)
  afterAll(() => rmSync(script, { force: true }))
  buildSync({
    entryPoints: [source],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return script
}

export function startWriter(script: string, args: readonly string[]): Writer {
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const acknowledged: string[] = []
  let rest = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() as string
    acknowledged.push(...lines)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaints += chunk
  })
  const ended = new Promise<{ code: number | null; complaints: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, complaints }))
  })
  return { process: child, acknowledged, ended }
}
