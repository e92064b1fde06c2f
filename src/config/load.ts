/** The settings that hold: flags go before the environment, the environment before the file, the file before defaults. */
import { readFileSync } from 'node:fs'
import { nearest } from '../core/message/nearest.js'
import type { Field } from './field.js'
import { geometry } from './geometry.js'
import { type Config, fields, type Name, names } from './schema.js'

/** Where a value comes from: `--port`, `THROUGHLINE_PORT`, a file's name, or `default`. */
export type Origins = { readonly [K in Name]: string }

export interface Loaded {
  readonly config: Config
  readonly origins: Origins
  /** The file that was read, if any. */
  readonly file: string | null
}

export interface ConfigSources {
  /** As they were typed; undefined where there was none. */
  readonly flags?: Readonly<Partial<Record<Name, string | undefined>>>
  readonly env?: NodeJS.ProcessEnv
  /** Must be there when it is named. */
  readonly file?: string | undefined
}

/** A setting is wrong. The message names it, where it comes from, and what it must be; never a secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

interface Found {
  readonly value: unknown
  readonly origin: string
}

export function loadConfig({ flags = {}, env = process.env, file }: ConfigSources = {}): Loaded {
  const read = fileOf(file ?? env.THROUGHLINE_CONFIG)
  const problems = read ? strangers(read.content, read.name) : []
  const found = names.map((name) => {
    const one = flagged(name, flags) ?? inEnvironment(name, env) ?? inFile(name, read) ?? usual(name)
    const { schema, must, secret } = fields[name] as Field<unknown>
    const parsed = schema.safeParse(one.value)
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] as { readonly path: PropertyKey[]; readonly message: string }
      const where = path.length > 0 ? ` (${path.join('.')}: ${message})` : ''
      const got = secret === 'no' ? `, got ${JSON.stringify(one.value)}` : ''
      problems.push(`${name}, from ${one.origin}, must be ${must}${got}${where}`)
    }
    return [name, { ...one, value: parsed.data }] as const
  })
  if (problems.length > 0) throw new ConfigError(problems)
  const config = Object.fromEntries(found.map(([name, { value }]) => [name, value])) as unknown as Config
  const origins = Object.fromEntries(found.map(([name, { origin }]) => [name, origin])) as unknown as Origins
  const impossible = geometry(config, origins)
  if (impossible.length > 0) throw new ConfigError(impossible)
  return { config, origins, file: read?.name ?? null }
}

function flagged(name: Name, flags: NonNullable<ConfigSources['flags']>): Found | undefined {
  const given = flags[name]
  return given === undefined ? undefined : { value: fields[name].read(given), origin: `--${name.replaceAll('_', '-')}` }
}

function inEnvironment(name: Name, env: NodeJS.ProcessEnv): Found | undefined {
  const upper = name.toUpperCase()
  // the specification's own settings work under their own names too
  const own = name.startsWith('conversation_') ? [upper] : []
  for (const variable of [`THROUGHLINE_${upper}`, ...own, ...fields[name].env]) {
    const given = env[variable]
    if (given) return { value: fields[name].read(given), origin: variable }
  }
  return undefined
}

function inFile(name: Name, read: Read | null): Found | undefined {
  if (!read || !Object.hasOwn(read.content, name)) return undefined
  return { value: read.content[name], origin: read.name }
}

const usual = (name: Name): Found => ({ value: fields[name].usual, origin: 'default' })

interface Read {
  readonly name: string
  readonly content: Readonly<Record<string, unknown>>
}

const usualFile = 'throughline.json'

function fileOf(asked: string | undefined): Read | null {
  const name = asked ?? usualFile
  let raw: string
  try {
    raw = readFileSync(name, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (asked === undefined && code === 'ENOENT') return null
    throw new ConfigError([`${name} cannot be read: ${message}`])
  }
  try {
    const content: unknown = JSON.parse(raw)
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return { name, content: content as Read['content'] }
  } catch {
    // the parser's own words quote the file, and it may hold a secret
  }
  throw new ConfigError([`${name} must hold a JSON object`])
}

/** A name that is not known is a slip, and a setting that is silently not set. */
const strangers = (content: Read['content'], file: string): string[] =>
  Object.keys(content)
    .filter((key) => key !== '$schema' && !Object.hasOwn(fields, key))
    .map((key) => {
      const near = nearest(key, names)
      return `${key}, from ${file}, is no setting${near ? `; did you mean ${near}?` : ''}`
    })
