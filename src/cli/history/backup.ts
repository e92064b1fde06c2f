/** `throughline backup`: a copy of the file as it is now, while others go on writing. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { withoutPassword } from '../../config/place.js'
import type { DeskFlags } from '../kit/desk.js'
import { conflict, exits, failed, misused, notFound } from '../kit/failure.js'
import { settingsOf, storePlace } from '../kit/settings.js'
import { put, putJson } from '../kit/sink.js'
import { number } from '../kit/term.js'

export async function backupTo(flags: DeskFlags & { readonly file?: string | undefined }): Promise<number> {
  if (flags.file === undefined) throw misused('backup needs a FILE', 'throughline backup throughline-backup.db')
  const { db, config } = flags
  const place = storePlace(settingsOf({ db, config }))
  if (place.kind === 'postgres')
    throw failed(
      `PostgreSQL makes its own backups:\n  pg_dump --format=custom --file=${flags.file} ${withoutPassword(place.url)}`,
    )
  const file = resolve(flags.file)
  if (!existsSync(place.file)) throw notFound(`there is no database at ${place.file}`)
  if (existsSync(file)) throw conflict(`${flags.file} is there already, and is not written over`)
  const { sqliteStore } = await import('../../store/sqlite/store.js')
  const store = await sqliteStore(place.file)
  try {
    await store.backup(file)
  } finally {
    await store.close()
  }
  const { size } = await stat(file)
  if (flags.json) await putJson({ schema: 'throughline.backup/1', file, bytes: size })
  else await put(`${flags.file} has everything (${number(size)} bytes); serve it with --db ${flags.file}\n`)
  return exits.ok
}
