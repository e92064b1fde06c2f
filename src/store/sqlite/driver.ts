/** Five functions over the SQLite that is at hand: Node's own, or a package with the same interface where Node has none. */
import { refusal } from '../shared/refuse.js'

export type Value = string | number | null | Uint8Array
export type Row = Record<string, Value>
export type Values = Readonly<Record<string, Value>>

export interface Database {
  exec(sql: string): void
  /** Returns the number of rows it changed. */
  run(sql: string, values?: Values): number
  get(sql: string, values?: Values): Row | undefined
  all(sql: string, values?: Values): Row[]
  close(): void
}

interface Statement {
  run(...values: Value[]): { readonly changes: number | bigint }
  get(...values: Value[]): Row | undefined
  all(...values: Value[]): Row[]
}

interface Prepared {
  readonly statement: Statement
  readonly names: readonly string[]
}

interface Engine {
  readonly DatabaseSync: new (
    file: string,
    options?: { readonly readOnly: boolean },
  ) => { exec(sql: string): void; prepare(sql: string): Statement; close(): void }
  readonly backup?: (source: object, to: string) => Promise<unknown>
}

const none: Values = {}

/** `immutable` reads a file whose folder cannot be written: nobody else may write it meanwhile. */
export async function openDatabase(file: string, how: 'write' | 'read' | 'immutable' = 'write'): Promise<Database> {
  const { DatabaseSync } = await engine()
  const name =
    how === 'immutable' ? `file:${encodeURI(file).replaceAll('?', '%3f').replaceAll('#', '%23')}?immutable=1` : file
  const database = how === 'write' ? new DatabaseSync(name) : new DatabaseSync(name, { readOnly: true })
  const prepared = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql)
    if (known) return known
    const made = { statement: database.prepare(sql.replace(parameter, '?')), names: namesOf(sql) }
    prepared.set(sql, made)
    return made
  }
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, values = none) => {
      const { statement, names } = prepare(sql)
      return Number(statement.run(...listed(names, values)).changes)
    },
    get: (sql, values = none) => {
      const { statement, names } = prepare(sql)
      return statement.get(...listed(names, values))
    },
    all: (sql, values = none) => {
      const { statement, names } = prepare(sql)
      return statement.all(...listed(names, values))
    },
    close: () => {
      prepared.clear()
      database.close()
    },
  }
}

/** Every page as it is at one moment, while others go on writing. */
export async function copyPages(file: string, to: string): Promise<void> {
  const { DatabaseSync, backup } = await engine()
  if (!backup) throw refusal('unavailable', 'pages can be copied from Node 22.16 on')
  const source = new DatabaseSync(file, { readOnly: true })
  await backup(source, to).finally(() => source.close())
}

// bound by place, because binding by name costs more than the write itself
const parameter = /:([a-z]\w*)/gi
const namesOf = (sql: string): readonly string[] => Array.from(sql.matchAll(parameter), ([, name]) => name as string)
const listed = (names: readonly string[], values: Values): Value[] => names.map((name) => values[name] as Value)

let chosen: Promise<Engine> | undefined

const engine = (): Promise<Engine> => {
  chosen ??= chooseEngine([builtIn, installed]).catch((error: unknown) => {
    chosen = undefined
    throw error
  })
  return chosen
}

/** The first that is there and new enough. */
export async function chooseEngine(candidates: readonly (() => Promise<Engine | undefined>)[]): Promise<Engine> {
  const old: string[] = []
  for (const candidate of candidates) {
    const found = await candidate()
    if (!found) continue
    const version = versionOf(found)
    if (isSoundVersion(version)) return found
    old.push(version)
  }
  const why = old.length > 0 ? `SQLite ${old.join(' and ')} is not 3.51.3 or newer` : 'there is no SQLite here'
  throw refusal(
    'unavailable',
    `Cannot open SQLite: ${why}. It takes a recent Node 22.13 or newer, or npm install @photostructure/sqlite`,
  )
}

/** Which one it is, for a thread that opens the same file: two of them in one process undo each other's locks. */
export const engineName = async (): Promise<'node:sqlite' | '@photostructure/sqlite'> =>
  (await engine()) === (await builtIn()) ? 'node:sqlite' : '@photostructure/sqlite'

// asked for by name, because bundlers and older types do not know the module
const builtIn = async (): Promise<Engine | undefined> => {
  const { emitWarning } = process
  // that it is new to Node 22 is nothing that each command has to tell: its version is looked at here
  process.emitWarning = () => {}
  const found = (process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule?.('node:sqlite')
  process.emitWarning = emitWarning
  return found as Engine | undefined
}

const installed = (): Promise<Engine | undefined> =>
  import('@photostructure/sqlite').then((found) => found as unknown as Engine).catch(() => undefined)

function versionOf({ DatabaseSync }: Engine): string {
  const database = new DatabaseSync(':memory:')
  const version = database.prepare('select sqlite_version() as version').get()?.version as string
  database.close()
  return version
}

/** Releases before 3.51.3 can corrupt a file in WAL mode, and 3.52.0 was withdrawn. */
export function isSoundVersion(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (version === '3.52.0') return false
  return major * 1_000_000 + minor * 1_000 + patch >= 3_051_003
}
