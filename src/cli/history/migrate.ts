/** `throughline migrate`: brings the database to the format of this version; `--distribute` spreads it over a Citus. */
import type { DeskFlags } from '../kit/desk.js'
import { exits, failed } from '../kit/failure.js'
import { openStore, settingsOf, storePlace } from '../kit/settings.js'
import { put, putJson } from '../kit/sink.js'

export async function migrateStored(flags: DeskFlags & { readonly distribute?: boolean | undefined }): Promise<number> {
  const { db, config, distribute = false } = flags
  const place = storePlace(settingsOf({ db, config }))
  if (distribute && place.kind !== 'postgres') throw failed('only a PostgreSQL with Citus can be distributed')
  const store = await openStore(place, distribute)
  await store.close()
  if (flags.json) await putJson({ schema: 'throughline.migrate/1', distributed: distribute })
  else await put(`The database is up to date${distribute ? ', and its tables are distributed by workspace' : ''}.\n`)
  return exits.ok
}
