/** Reads what a command works on: a file or standard input; JSON, or JSON Lines. */
import { readFile } from 'node:fs/promises'
import { failed, misused } from './failure.js'

/** The lines of a file that holds one JSON value per line. */
interface Lines {
  readonly lines: readonly unknown[]
}

export type InputSource = { readonly kind: 'value'; readonly value: unknown } | ({ readonly kind: 'lines' } & Lines)

export async function readSource(file: string | undefined): Promise<InputSource> {
  if (file === undefined && process.stdin.isTTY)
    throw misused('nothing to read', 'give a FILE, or - for standard input, or --sample')
  const name = file === undefined || file === '-' ? 'standard input' : file
  return parse(decode(await bytesOf(file ?? '-'), name), name)
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    if (file !== '-') return await readFile(file)
    const chunks: Uint8Array[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array)
    return Buffer.concat(chunks)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw failed(code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${message}`)
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw failed(`${name} is not valid UTF-8`)
  }
}

function parse(text: string, name: string): InputSource {
  if (text.trim() === '') throw failed(`${name} is empty`)
  try {
    return { kind: 'value', value: JSON.parse(text) as unknown }
  } catch (error) {
    const lines = text.split('\n').map((line, i) => ({ line, at: i + 1 }))
    const full = lines.filter(({ line }) => line.trim() !== '')
    // a first line that is whole says that there is one value per line
    if (full.length < 2 || tryParse(full[0]?.line ?? '') === undefined)
      throw failed(`${name} is not JSON: ${(error as Error).message}`)
    return { kind: 'lines', lines: full.map(({ line, at }) => parseLine(line, `${name}:${at}`)) }
  }
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch (error) {
    throw failed(`${place} is not JSON: ${(error as Error).message}`)
  }
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
