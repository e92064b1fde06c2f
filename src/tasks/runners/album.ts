/** Pictures for an agent that is a program: files in a folder of their own, and words that say where they are. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskImage } from '../record/agent.js'

export interface Album {
  /** Null when no picture is a file. */
  readonly folder: string | null
  /** Goes behind the prompt. */
  readonly words: string
  remove(): void
}

export function albumOf(images: readonly TaskImage[]): Album {
  const folder = images.some(({ source }) => source.kind === 'data')
    ? mkdtempSync(join(tmpdir(), 'throughline-images-'))
    : null
  const places = images.map(({ name, source }) => {
    if (source.kind === 'url') return `  ${name}: ${source.url}`
    const path = join(folder ?? '', name)
    writeFileSync(path, Buffer.from(source.base64, 'base64'), { mode: 0o600 })
    return `  ${name}: ${path}`
  })
  return {
    folder,
    words: places.length === 0 ? '' : `\nThe images that are named above:\n${places.join('\n')}\n`,
    remove: () => {
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}
