/** The members of a zip, each read when it is asked for; the archive itself is never in memory. */
import { openPromise } from 'yauzl'

export interface Member {
  readonly name: string
  readonly size: number
  readonly chunks: () => AsyncIterable<Uint8Array>
  /** Where it stands, if it is a database. */
  readonly database?: string
}

interface Zip {
  readonly members: readonly Member[]
  readonly close: () => void
}

export async function openZip(path: string): Promise<Zip> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
  try {
    const members: Member[] = []
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      const { fileName: name, uncompressedSize: size } = entry
      members.push({
        name,
        size,
        chunks: async function* () {
          yield* await zip.openReadStreamPromise(entry)
        },
      })
    }
    return { members, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}
