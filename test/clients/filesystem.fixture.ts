/** The reference filesystem server of the Model Context Protocol, on a folder of its own. */
import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface Files {
  /** Where it may read and write. */
  readonly folder: string
  readonly command: { readonly command: string; readonly args: readonly string[] }
  /** The arguments of every call that reached it, in order. */
  calls(): readonly Readonly<Record<string, unknown>>[]
}

export function filesystem(): Files {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-files-')))
  const log = join(realpathSync(mkdtempSync(join(tmpdir(), 'throughline-calls-'))), 'calls.jsonl')
  const server = here('./node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  return {
    folder,
    command: { command: process.execPath, args: [here('./counting-server.mjs'), log, server, folder] },
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  }
}
