/** What the commands on stored conversations work at: the database of the service, for one workspace. */
import { existsSync } from 'node:fs'
import type { Loaded } from '../../config/load.js'
import { type StorePlace, shownPlace } from '../../config/place.js'
import type { Store } from '../../store/contract/store.js'
import { type Given, openStore, settingsOf, storePlace } from './settings.js'
import { say } from './sink.js'

export type DeskFlags = Given<'db' | 'config' | 'workspace'> & { readonly json?: unknown }

/** The options of a command at a desk, and the words beside them. */
export type DeskOptions<Text extends string, Switch extends string = never> = DeskFlags &
  Given<Text, Switch> & { readonly _?: readonly string[] }

export interface Cli {
  readonly store: Store
  readonly workspace: string
  readonly settled: Loaded
  readonly place: StorePlace
}

/** For commands that only read: a file that is not there is not made. */
export const reading = <T>(flags: DeskFlags, work: (desk: Cli) => Promise<T>): Promise<T> => atDesk(flags, work, false)

export const writing = <T>(flags: DeskFlags, work: (desk: Cli) => Promise<T>): Promise<T> => atDesk(flags, work, true)

async function atDesk<T>(flags: DeskFlags, work: (desk: Cli) => Promise<T>, make: boolean): Promise<T> {
  const { db, config, workspace = 'default' } = flags
  const settled = settingsOf({ db, config })
  const place = storePlace(settled)
  const store = make || !isMissing(place) ? await openStore(place) : await nothingAt(place)
  try {
    return await work({ store, workspace, settled, place })
  } finally {
    await store.close()
  }
}

const isMissing = (place: StorePlace): boolean => place.kind === 'sqlite' && !existsSync(place.file)

async function nothingAt(place: StorePlace): Promise<Store> {
  say(`There is no database at ${shownPlace(place)} yet; throughline chat makes one.`)
  const { memoryStore } = await import('../../store/memory/store.js')
  return memoryStore()
}
