/** The settings of the service for a command: what is wrong with them ends it. */
import { ConfigError, type Loaded, loadConfig } from '../../config/load.js'
import { type StorePlace, storePlaceOf } from '../../config/place.js'
import type { Name } from '../../config/schema.js'
import type { Store } from '../../store/contract/store.js'
import { exits, Failure } from './failure.js'
import { printable } from './term.js'

/** Options as they were typed: those that take a text, and those that are there or not. */
export type Given<Text extends string, Switch extends string = never> = {
  readonly [Name in Text]?: string | undefined
} & { readonly [Name in Switch]?: boolean | undefined }

export type SettingFlags = Given<'host' | 'port' | 'db' | 'config' | 'model' | 'policy' | 'log-level'>

export function settingsOf({ config: file, 'log-level': log_level, ...rest }: SettingFlags): Loaded {
  const { host, port, db, model, policy } = rest
  const flags: Partial<Record<Name, string | undefined>> = { host, port, db, model, policy, log_level }
  try {
    return loadConfig({ flags, file })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const lines = error.problems.map((problem) => `  ${printable(problem)}`)
    const head = `throughline: ${lines.length === 1 ? 'a setting is' : `${lines.length} settings are`} wrong`
    throw new Failure(exits.config, [head, ...lines, '  throughline config --schema lists all of them'].join('\n'))
  }
}

export const storePlace = ({ config }: Loaded): StorePlace => storePlaceOf(config.db, process.env)

/** Makes the file and its folder when there are none. */
export async function openStore(place: StorePlace, distribute = false): Promise<Store> {
  if (place.kind === 'postgres') {
    const { postgresStore } = await import('../../store/postgres/store.js')
    return postgresStore(place.url, distribute ? { migrate: 'distribute' } : {})
  }
  const [{ mkdir }, { dirname }] = await Promise.all([import('node:fs/promises'), import('node:path')])
  await mkdir(dirname(place.file), { recursive: true, mode: 0o700 })
  const { sqliteStore } = await import('../../store/sqlite/store.js')
  return sqliteStore(place.file)
}
