/** A file that is either whole and on the disk, or not there. */
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refusal } from '../shared/refuse.js'
import { failureOf } from './failure.js'

/** `make` fills a file that exists and is empty, its owner's alone; only then does it get the name, which must be free. */
export async function makeWhole<T>(target: string, make: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${target}.${process.pid}.partial`
  try {
    // who restores after a loss may have lost the folder, too
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const empty = await open(partial, 'wx', 0o600)
    await empty.close()
    const made = await make(partial)
    await synced(partial)
    // unlike a rename, a link never takes the place of another file
    await link(partial, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST')
        throw refusal('id_conflict', `${target} is there already`, { field: 'file', value: target })
      // some file systems have no links
      return rename(partial, target)
    })
    await synced(dirname(target))
    return made
  } catch (error) {
    throw failureOf(error)
  } finally {
    for (const beside of ['', '-wal', '-shm']) await rm(partial + beside, { force: true }).catch(() => undefined)
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}
