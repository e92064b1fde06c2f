/** The files behind a path: one file, a folder with all that is below it, or the members of a zip. */
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'
import * as zlib from 'node:zlib'
import { refusal } from '../../store/shared/refuse.js'
import { openDatabase } from '../../store/sqlite/driver.js'
import type { Asset, FileValue, SourceFile } from '../kit/contract.js'
import { errorMessage } from '../kit/each.js'
import { type Raw, raw } from '../kit/shape.js'
import { valuesOf } from './values.js'
import { type Member, openZip } from './zip.js'

/** A file that changed within this time may still be written to. */
const liveMs = 60_000
/** A picture or an attachment that is kept; a larger one is named and left where it is. */
const assetBytes = 16 * 1024 * 1024

export interface Files {
  readonly files: readonly SourceFile[]
  /** Archives that cannot be read, with the reason. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[]
  readonly close: () => void
}

export async function filesAt(path: string, now: number): Promise<Files> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw refusal('not_found', `there is no file or folder ${path}`, { field: 'path', value: path, cause })
  })
  const paths = facts.isDirectory() ? await below(path) : [path]
  const closers: (() => void)[] = []
  const broken: { readonly name: string; readonly reason: string }[] = []
  const files: SourceFile[] = []
  const loose: Member[] = []
  for (const one of paths) {
    const name = one === path ? basename(one) : relative(path, one)
    const kind = await kindOf(one)
    if (kind === 'zstd' && !zstd) {
      broken.push({
        name,
        reason: 'compressed with zstd, which Node reads from 22.15 on; unzstd makes a file for this one',
      })
    } else if (kind === 'zip') {
      try {
        const zip = await openZip(one)
        closers.push(zip.close)
        const find = finderOf(zip.members)
        const { size, mtimeMs } = await stat(one)
        files.push(...zip.members.map((member) => fileOf(member, `${size} ${mtimeMs}`, false, find)))
      } catch (error) {
        broken.push({ name, reason: `the zip cannot be read: ${errorMessage(error)}` })
      }
    } else loose.push({ name, size: 0, chunks: () => chunksOf(one, kind), ...(kind === 'sqlite' && { database: one }) })
  }
  const find = finderOf(loose)
  for (const member of loose) {
    const at = facts.isDirectory() ? join(path, member.name) : path
    const { size, mtimeMs } = await stat(at)
    files.push(fileOf(member, `${size} ${mtimeMs}`, now - mtimeMs < liveMs, find))
  }
  return { files, broken, close: () => closers.forEach((close) => void close()) }
}

const fileOf = (member: Member, stamp: string, live: boolean, asset: SourceFile['asset']): SourceFile => ({
  name: member.name,
  stamp,
  live,
  values: () => (member.database === undefined ? valuesOf(member.chunks()) : sessionsIn(member.database)),
  asset,
})

/** Links are not followed: they may lead out of what was asked for, or in a circle. */
async function below(folder: string): Promise<string[]> {
  const found: string[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
      found.push(...(await below(path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

const beginnings = { zip: 'PK\x03\x04', zstd: '\x28\xb5\x2f\xfd', sqlite: 'SQLite format 3\0' } as const

type Kind = keyof typeof beginnings | 'text'

/** By the first bytes. */
async function kindOf(path: string): Promise<Kind> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0)
    const kinds = Object.keys(beginnings) as (keyof typeof beginnings)[]
    return kinds.find((kind) => buffer.toString('latin1').startsWith(beginnings[kind])) ?? 'text'
  } finally {
    await file.close()
  }
}

/** Of Node 22.15 and newer. */
const zstd = (zlib as { readonly createZstdDecompress?: () => Duplex }).createZstdDecompress

function chunksOf(path: string, kind: Kind): AsyncIterable<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  // what goes wrong on the way is told by what comes out
  return kind === 'zstd' && zstd ? pipeline(file, zstd(), () => {}) : file
}

/** By the whole name, or by a beginning that ends where a word does: `file-abc` finds `dalle/file-abc.png`. */
function finderOf(members: readonly Member[]): SourceFile['asset'] {
  let names: Map<string, Member> | undefined
  return (name) => {
    names ??= new Map(members.flatMap((member) => keysOf(member.name).map((key) => [key, member] as const)))
    const member = names.get(name)
    return member && assetOf(member)
  }
}

/** `file-abc-cat.png` is found as itself, without its ending, and by its id. */
function keysOf(path: string): string[] {
  const name = basename(path)
  const stem = name.replace(/\.[^.]*$/, '')
  const id = /^file[-_][A-Za-z0-9]+/.exec(name)?.[0]
  return [...new Set([name, stem, ...(id ? [id] : [])])]
}

const assetOf = (member: Member): Asset => ({
  name: basename(member.name),
  size: member.size,
  async bytes() {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of member.chunks()) {
      size += chunk.byteLength
      if (size > assetBytes) throw refusal('too_large', `${member.name} has more than ${assetBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  },
})

// The sessions of opencode's database, one at a time and each as `opencode export` writes it. The file is only read.

// the order of ids is not the order of time: they wrapped once
const messagesOf = 'select id, data from message where session_id = :id order by time_created, rowid'
const partsOf = 'select id, data from part where message_id = :id order by rowid'

async function* sessionsIn(path: string): AsyncGenerator<FileValue> {
  const db = await openDatabase(path, 'read')
  try {
    const names = new Set(db.all(`select name from sqlite_master where type = 'table'`).map(({ name }) => name))
    if (!['session', 'message', 'part'].every((name) => names.has(name)))
      return yield { type: 'fault', reason: 'a database of no known product', place: 'the file' }
    const rows = (statement: string, id: unknown): Raw[] =>
      db.all(statement, { id: String(id) }).map((row) => ({ ...raw(JSON.parse(String(row.data))), id: row.id }))
    for (const { id } of db.all('select id from session order by time_created, rowid')) {
      const place = `session ${id}`
      try {
        const session = db.get('select * from session where id = :id', { id: id ?? null }) ?? {}
        const messages = rows(messagesOf, id).map((info) => ({ info, parts: rows(partsOf, info.id) }))
        yield { type: 'json', value: { info: infoOf(session), messages }, place }
      } catch (error) {
        yield { type: 'fault', reason: `a session that cannot be read: ${errorMessage(error)}`, place }
      }
    }
  } finally {
    db.close()
  }
}

/** By the names that the export has for its columns. */
const infoOf = ({ parent_id, time_created, time_updated, time_archived, revert, ...rest }: Raw): Raw => ({
  ...rest,
  ...(parent_id !== null && { parentID: parent_id }),
  time: { created: time_created, updated: time_updated, archived: time_archived },
  ...(typeof revert === 'string' && { revert: JSON.parse(revert) as unknown }),
})
