/** A backup that grows: FILE is a copy of every page, and FILE.1, FILE.2, … have those that changed since the one before. */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, openSync, readSync, writeSync } from 'node:fs'
import { copyFile, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { refusal } from '../shared/refuse.js'
import { checked } from './backup.js'
import { copyPages } from './driver.js'
import { makeWhole } from './whole.js'

/** The first line of a part; the pages that changed follow, in this order. `before` and `after` are hashes of the whole. */
interface Head {
  readonly size: number
  readonly pages: number
  readonly before: string
  readonly after: string
  readonly changed: readonly number[]
}

/** Adds what is new in the database to the backup, or begins one; returns the name of what was written. */
export async function backupMore(database: string, file: string): Promise<string> {
  const copied = async (to: string): Promise<void> => {
    await copyPages(database, to)
    await checked(to)
  }
  if (!existsSync(file)) return makeWhole(file, copied).then(() => file)
  const part = `${file}.${(await partsOf(file)).length + 1}`
  const folder = await mkdtemp(`${part}.`)
  const [old, now] = [join(folder, 'old'), join(folder, 'now')]
  try {
    const before = await putTogether(file, old)
    await copied(now)
    await makeWhole(part, async (partial) => writePart(partial, old, now, before, await hashOf(now)))
    return part
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Puts a backup and its parts together; returns the hash of the whole. */
export async function putTogether(file: string, to: string): Promise<string> {
  await copyFile(file, to)
  let hash = await hashOf(to)
  for (const part of await partsOf(file)) {
    const bytes = await readFile(part)
    const start = bytes.indexOf('\n') + 1
    const { size, pages, before, after, changed } = headOf(bytes.subarray(0, start), part)
    if (bytes.length !== start + changed.length * size) throw damaged(part)
    if (before !== hash) throw refusal('invalid', `${part} does not follow what is before it`, { field: 'file' })
    const handle = await open(to, 'r+')
    try {
      for (const [at, page] of changed.entries()) await handle.write(bytes, start + at * size, size, page * size)
      await handle.truncate(pages * size)
    } finally {
      await handle.close()
    }
    hash = await hashOf(to)
    if (hash !== after) throw damaged(part)
  }
  return hash
}

function headOf(line: Buffer, part: string): Head {
  try {
    return JSON.parse(line.toString())
  } catch {
    throw damaged(part)
  }
}

const damaged = (part: string) => refusal('invalid', `${part} is damaged`, { field: 'file' })

/** In their order; one that is missing between others is refused. */
export async function partsOf(file: string): Promise<string[]> {
  const name = `${basename(file)}.`
  const found = (await readdir(dirname(file))).filter(
    (one) => one.startsWith(name) && /^\d+$/.test(one.slice(name.length)),
  )
  const numbers = found.map((one) => Number(one.slice(name.length))).sort((one, other) => one - other)
  const lost = numbers.findIndex((number, at) => number !== at + 1)
  if (lost >= 0) throw refusal('invalid', `${file}.${lost + 1} is missing`, { field: 'file' })
  return numbers.map((number) => join(dirname(file), name + number))
}

function writePart(partial: string, old: string, now: string, before: string, after: string): void {
  const [was, is, to] = [openSync(old, 'r'), openSync(now, 'r'), openSync(partial, 'w')]
  try {
    const head = Buffer.alloc(32)
    readSync(is, head, 0, 32, 0)
    // as the header of the file tells them; 1 stands for 65,536
    const [size, pages] = [head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16), head.readUInt32BE(28)]
    const [first, second] = [Buffer.alloc(size), Buffer.alloc(size)]
    const changed: number[] = []
    for (let page = 0; page < pages; page++) {
      const known = readSync(was, first, 0, size, page * size)
      readSync(is, second, 0, size, page * size)
      if (known < size || !first.equals(second)) changed.push(page)
    }
    writeSync(to, `${JSON.stringify({ size, pages, before, after, changed } satisfies Head)}\n`)
    for (const page of changed) {
      readSync(is, second, 0, size, page * size)
      writeSync(to, second)
    }
  } finally {
    for (const handle of [was, is, to]) closeSync(handle)
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
