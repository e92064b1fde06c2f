/** Files that go away with the test, and words to fill them with. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { text } from '../../core/message/item.js'
import type { NewEntry } from '../contract/entry.js'

export const at = '2026-01-01T00:00:00.000Z'

/** Gives the paths of new files. */
export function freshFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-sqlite-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  return () => join(folder, `${count++}.db`)
}

export const say = (id: string, words: string, role: 'user' | 'assistant' = 'user'): NewEntry => ({
  id,
  body: { kind: 'message', role, parts: [text(words)], status: 'complete' },
  text: words,
  tokens: 1,
  at,
})

/** Every byte of the file and of the log beside it; the third file is a map of the log that readers change. */
export function bytesOf(file: string): Buffer {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)) && !name.endsWith('-shm'))
  return Buffer.concat(names.map((name) => readFileSync(join(dirname(file), name))))
}
