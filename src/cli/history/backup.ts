/** `throughline backup`: a copy of the file as it is now, while others go on writing. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { withoutPassword } from '../../config/place.js'
import type { DeskOptions } from '../kit/desk.js'
import { conflict, exits, failed, misused, notFound } from '../kit/failure.js'
import { settingsOf, storePlace } from '../kit/settings.js'
import { put, putJson } from '../kit/sink.js'
import { number } from '../kit/term.js'

type Flags = DeskOptions<'file', 'incremental'>

export async function backupTo(flags: Flags): Promise<number> {
  if (flags.file === undefined) throw misused('backup needs a FILE', 'throughline backup throughline-backup.db')
  const { db, config } = flags
  const place = storePlace(settingsOf({ db, config }))
  if (place.kind === 'postgres')
    throw failed(
      `PostgreSQL makes its own backups:\n  pg_dump --format=custom --file=${flags.file} ${withoutPassword(place.url)}`,
    )
  const file = resolve(flags.file)
  if (!existsSync(place.file)) throw notFound(`there is no database at ${place.file}`)
  if (existsSync(file) && !flags.incremental) throw conflict(`${flags.file} is there already, and is not written over`)
  const made = await (flags.incremental ? more(place.file, file) : whole(place.file, file))
  const { size } = await stat(made)
  const shown = flags.file + made.slice(file.length)
  const rest = made === file ? `serve it with --db ${shown}` : `throughline restore ${flags.file} puts it all together`
  if (flags.json) await putJson({ schema: 'throughline.backup/1', file: made, bytes: size })
  else await put(`${shown} has ${made === file ? 'everything' : 'what is new'} (${number(size)} bytes); ${rest}\n`)
  return exits.ok
}

const more = async (database: string, file: string): Promise<string> =>
  (await import('../../store/sqlite/increment.js')).backupMore(database, file)

async function whole(database: string, file: string): Promise<string> {
  const { sqliteStore } = await import('../../store/sqlite/store.js')
  const store = await sqliteStore(database)
  await store.backup(file).finally(() => store.close())
  return file
}
