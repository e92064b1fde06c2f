/** `throughline restore` and `throughline repair`: a database from a backup, and from what is left of a damaged one. */
import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { shownFile } from '../../config/place.js'
import type { DeskOptions } from '../kit/desk.js'
import { conflict, exits, failed, misused, notFound } from '../kit/failure.js'
import { settingsOf, storePlace } from '../kit/settings.js'
import { put, putJson, say } from '../kit/sink.js'
import { number } from '../kit/term.js'

type Flags = DeskOptions<'file', 'force'>

/** The backup is checked first; a database that is there is moved aside, and only when that was asked for. */
export async function restoreFrom(flags: Flags): Promise<number> {
  if (flags.file === undefined) throw misused('restore needs a FILE', 'throughline restore throughline-backup.db')
  const [from, to] = [resolve(flags.file), sqliteFile(flags)]
  if (!existsSync(from)) throw notFound(`there is no file ${flags.file}`)
  const [{ verifyFile }, { makeWhole }, { putTogether, partsOf }] = await Promise.all([
    import('../../store/sqlite/backup.js'),
    import('../../store/sqlite/whole.js'),
    import('../../store/sqlite/increment.js'),
  ])
  if ((await partsOf(from)).length > 0) {
    const whole = `${to}.${process.pid}.whole`
    await makeWhole(whole, (partial) => putTogether(from, partial))
    return restoreFrom({ ...flags, file: whole }).finally(() => rm(whole, { force: true }))
  }
  const { faults, conversations, entries } = await verifyFile(from)
  if (faults.length > 0) throw failed(`${flags.file} is damaged: ${faults[0]?.where}: ${faults[0]?.fault}`)
  const isThere = existsSync(to)
  if (isThere && !flags.force)
    throw conflict(`${shownFile(to)} is there already`, '--force moves it aside and puts the backup in its place')
  const aside = isThere ? await movedAside(to) : null
  await makeWhole(to, (partial) => copyFile(from, partial))
  if (flags.json) await putJson({ schema: 'throughline.restore/1', file: to, conversations, entries, aside })
  else {
    await put(`${shownFile(to)} has ${number(entries)} entries in ${number(conversations)} conversations again\n`)
    if (aside) say(`What was there before is ${shownFile(aside)}`)
  }
  return exits.ok
}

/** Nothing of a file that someone has open may be moved. */
async function movedAside(file: string): Promise<string> {
  const { openDatabase } = await import('../../store/sqlite/driver.js')
  const db = await openDatabase(file)
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive; rollback')
  } catch (error) {
    if (/locked|busy/i.test(String(error)))
      throw conflict(`${shownFile(file)} is in use`, 'stop the service and every other command on it first')
    // what cannot even be opened is moved as it is
  } finally {
    db.close()
  }
  const aside = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  for (const beside of ['', '-wal', '-shm']) if (existsSync(file + beside)) await rename(file + beside, aside + beside)
  return aside
}

/** Into a new file; the damaged one stays as it is. */
export async function repairTo(flags: Flags): Promise<number> {
  if (flags.file === undefined) throw misused('repair needs a new FILE', 'throughline repair repaired.db')
  const [from, to] = [sqliteFile(flags), resolve(flags.file)]
  if (!existsSync(from)) throw notFound(`there is no database at ${shownFile(from)}`)
  if (existsSync(to)) throw conflict(`${flags.file} is there already, and is not written over`)
  const { salvage } = await import('../../store/sqlite/salvage.js')
  const { conversations, entries, lost } = await salvage(from, to)
  if (flags.json) await putJson({ schema: 'throughline.repair/1', file: to, conversations, entries, lost })
  else {
    for (const what of lost) await put(`lost: ${what}\n`)
    const how = lost.length === 0 ? 'nothing was lost' : `${number(lost.length)} things were lost`
    await put(`${flags.file} has ${number(entries)} entries in ${number(conversations)} conversations; ${how}\n`)
  }
  return lost.length === 0 ? exits.ok : exits.failed
}

function sqliteFile({ db, config }: Flags): string {
  const place = storePlace(settingsOf({ db, config }))
  if (place.kind === 'sqlite') return place.file
  throw failed('this is for SQLite; PostgreSQL has pg_restore and tools of its own')
}
