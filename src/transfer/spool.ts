/** What arrives as a stream, as a file for as long as it is read: formats are known only after a look, and zips have no beginning. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

interface Spooled {
  readonly path: string
  readonly remove: () => Promise<void>
}

export async function spool(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, name: string): Promise<Spooled> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-import-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const path = join(
      folder,
      basename(name)
        .replaceAll(/[^\w.-]/g, '_')
        .slice(0, 100) || 'import',
    )
    await pipeline(Readable.from(chunks), createWriteStream(path, { mode: 0o600 }))
    return { path, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
