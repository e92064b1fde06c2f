/** Reads inside one folder and nowhere else: no way out by dots, by links, or into anything that is not a file. */
import { constants } from 'node:fs'
import { lstat, open, opendir, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { isInside } from './folder.js'

interface Confined {
  list(path: string): Promise<string>
  read(path: string, from: number): Promise<string>
  /** Plain words, not a pattern: a pattern of a stranger's could take for ever. */
  search(words: string, path: string): Promise<string>
}

const most = { entries: 500, readBytes: 64 * 1024, fileBytes: 1024 * 1024, searchBytes: 64 * 1024 * 1024 } as const
const hitsAtOnce = 100
const lineChars = 300
const skipped = new Set(['.git', 'node_modules'])

/** `root` is a real path. */
export function confinedTo(root: string): Confined {
  /** The real path of what is asked for, if it lies inside. */
  const inside = async (path: string): Promise<string> => {
    const asked = isAbsolute(path) ? path : resolve(root, path)
    const real = isInside(root, asked) ? await realpath(asked).catch(() => null) : null
    if (real === null || !isInside(root, real)) throw new Error('there is no such path in the folder of the task')
    return real
  }

  async function* files(folder: string): AsyncGenerator<string> {
    const entries = await opendir(folder).catch(() => null)
    if (!entries) return
    for await (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isFile()) yield path
      if (entry.isDirectory() && !skipped.has(entry.name)) yield* files(path)
    }
  }

  return {
    async list(path) {
      const folder = await inside(path)
      if (!(await lstat(folder)).isDirectory()) throw new Error('this is no folder')
      const names: string[] = []
      for await (const entry of await opendir(folder)) {
        if (names.length >= most.entries) return `${names.sort().join('\n')}\n[… there are more …]`
        names.push(entry.isDirectory() ? `${entry.name}/` : entry.name)
      }
      return names.sort().join('\n') || '(the folder is empty)'
    },
    async read(path, from) {
      const { bytes, size } = await readInside(root, await inside(path), from, most.readBytes)
      if (bytes.includes(0)) return `(${size} bytes that are no text)`
      const end = from + bytes.length
      return bytes.toString('utf8') + (end < size ? `\n[… ${size - end} bytes follow; go on from ${end} …]` : '')
    },
    async search(words, path) {
      const start = await inside(path)
      const wanted = words.toLowerCase()
      const hits: string[] = []
      let searched = 0
      const among = (await lstat(start)).isDirectory() ? files(start) : [start]
      for await (const file of among) {
        if (searched > most.searchBytes || hits.length >= hitsAtOnce)
          return `${hits.slice(0, hitsAtOnce).join('\n')}\n[… the search stopped here …]`
        const { bytes } = await readInside(root, file, 0, most.fileBytes).catch(() => ({ bytes: Buffer.alloc(0) }))
        // looking at a file at all counts as well
        searched += 1_000 + bytes.length
        if (!bytes.includes(0)) hits.push(...hitsIn(bytes.toString('utf8'), wanted, relative(root, file)))
      }
      return hits.slice(0, hitsAtOnce).join('\n') || '(nothing was found)'
    },
  }
}

function hitsIn(text: string, wanted: string, name: string): string[] {
  if (!text.toLowerCase().includes(wanted)) return []
  return text
    .split('\n')
    .flatMap((line, at) =>
      line.toLowerCase().includes(wanted) ? [`${name}:${at + 1}: ${line.slice(0, lineChars)}`] : [],
    )
}

/** A link that takes the place of a real path meanwhile is not followed, and a pipe or device is not waited for. */
async function readInside(root: string, path: string, from: number, size: number): Promise<Read> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const facts = await file.stat()
    // where the system tells it: the place of what was opened, whatever became of the path
    const place = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path)
    if (!facts.isFile() || !isInside(root, place)) throw new Error('this is no file in the folder of the task')
    const bytes = Buffer.alloc(Math.max(0, Math.min(size, facts.size - from)))
    const { bytesRead } = bytes.length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, bytes.length, from)
    return { bytes: bytes.subarray(0, bytesRead), size: facts.size }
  } finally {
    await file.close()
  }
}

interface Read {
  readonly bytes: Buffer
  readonly size: number
}
