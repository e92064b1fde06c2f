/** The database: can it be reached and written, which format has it, and does it keep what it has said it keeps. */
import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type StorePlace, shownPlace } from '../../config/place.js'
import { systemWorkspace } from '../../operations/context.js'
import type { Store } from '../../store/contract/store.js'
import { memoryStore } from '../../store/memory/store.js'
import { openStore } from '../kit/settings.js'
import { bad, type Finding, ok, warn } from './finding.js'

export interface Looked {
  readonly findings: readonly Finding[]
  /** Open when it can be used; an older format is left for the next start to bring up. */
  readonly store: Store | null
  readonly clock: Date | null
}

export const lookAt = (place: StorePlace): Promise<Looked> =>
  place.kind === 'sqlite' ? lookAtFile(place.file, place) : lookAtServer(place.url, place)

async function lookAtFile(file: string, place: StorePlace): Promise<Looked> {
  // a file that is not there yet has no keys
  if (!existsSync(file)) return { findings: [await willBeMade(file, place)], store: memoryStore(), clock: null }
  await access(file, constants.R_OK | constants.W_OK)
  const { openDatabase } = await import('../../store/sqlite/driver.js')
  const { openFile } = await import('../../store/sqlite/open.js')
  const [now, here] = [await openFile(':memory:'), await openDatabase(file)]
  const format = (db: typeof here) => Number(db.get('pragma user_version')?.user_version)
  const [known, found] = [format(now), format(here)]
  now.close()
  here.close()
  if (found < known && found > 0) return { findings: [older(found, known)], store: null, clock: null }
  const store = await openStore(place)
  const durable = ok('durability', 'synchronous=full, journal in WAL: an answer is on disk before it is told')
  const findings = [
    await writable(store, place, found || known),
    durable,
    await wholeness(file),
    ...(await secrecy(file)),
  ]
  return { findings, store, clock: null }
}

async function wholeness(file: string): Promise<Finding> {
  const { verifyFile } = await import('../../store/sqlite/backup.js')
  const { faults, entries } = await verifyFile(file)
  const [first] = faults
  if (!first) return ok('contents', `all ${entries} entries are as they were written`)
  return bad(
    'contents',
    `${first.where}: ${first.fault}`,
    'throughline verify --all tells more; throughline repair saves what can be read',
  )
}

/** Rights mean nothing on Windows. */
async function secrecy(file: string): Promise<Finding[]> {
  const { mode } = await stat(file)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return []
  const shown = (mode & 0o777).toString(8)
  return [warn('secrecy', `other users of this machine may open the file (mode ${shown})`, `chmod 600 ${file}*`)]
}

async function willBeMade(file: string, place: StorePlace): Promise<Finding> {
  let folder = dirname(file)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    await access(folder, constants.W_OK)
    return ok('database', `${shownPlace(place)} will be made at the first start`)
  } catch {
    return bad('database', `${folder} cannot be written`, 'choose another place with --db')
  }
}

async function lookAtServer(url: string, place: StorePlace): Promise<Looked> {
  const [{ default: pg }, { steps }] = await Promise.all([import('pg'), import('../../store/postgres/schema.js')])
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const one = async (sql: string) => (await client.query(sql)).rows[0] as Record<string, unknown> | undefined
    const facts = await one(`select now() as now, to_regclass('throughline.format') is not null as here,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as super`)
    const found = facts?.here ? Number((await one('select version from throughline.format'))?.version) : 0
    const clock = facts?.now as Date
    const settings = [durability(facts), walls(facts)]
    if (found > 0 && found < steps.length)
      return { findings: [older(found, steps.length), ...settings], store: null, clock }
    const store = await openStore(place)
    return { findings: [await writable(store, place, steps.length), ...settings], store, clock }
  } finally {
    await client.end().catch(() => {})
  }
}

function durability(facts: Record<string, unknown> | undefined): Finding {
  if (facts?.fsync === 'off') return bad('durability', 'fsync is off: a crash can lose everything', 'set fsync = on')
  if (facts?.commit !== 'off') return ok('durability', `fsync=on, synchronous_commit=${facts?.commit}`)
  return warn('durability', 'synchronous_commit is off: the newest answers can be lost', 'set synchronous_commit = on')
}

const walls = (facts: Record<string, unknown> | undefined): Finding =>
  facts?.super
    ? warn('row security', 'this role passes the walls between workspaces', 'connect as a role without superuser')
    : ok('row security', 'holds for this role')

async function writable(store: Store, place: StorePlace, format: number): Promise<Finding> {
  const at = new Date().toISOString()
  const id = crypto.randomUUID()
  await store.putRecord(systemWorkspace, { kind: 'doctor', id, body: null, at })
  await store.removeRecord(systemWorkspace, 'doctor', id)
  return ok('database', `${shownPlace(place)} can be written; format ${format}`)
}

const older = (found: number, known: number): Finding =>
  warn('database', `format ${found}, and this release has ${known}`, 'make a backup; the next start brings it up')
