/** The tour's conversation, in a file of the user's own: a second start finds it there. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { shownFile, storePlaceOf, usualFile } from '../config/place.js'
import { type History, openHistory } from '../engine/history.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'

export interface KeptMessages {
  readonly history: History
  /** Where it is and since when, in a few words. */
  readonly where: string
  readonly close: () => Promise<void>
}

export async function keepMessages(messages: readonly unknown[]): Promise<KeptMessages> {
  const file = fileOf(process.env)
  let store: Store | undefined
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // a driver that cannot be loaded is no reason to end the tour
    const { sqliteStore } = await import('../store/sqlite/store.js')
    store = await sqliteStore(file, { patience: 2 })
    const { history, since } = await find(store, messages)
    const where = since === null ? `from now on in ${shownFile(file)}` : `kept since ${since} in ${shownFile(file)}`
    return { history, where, close: store.close }
  } catch (error) {
    await store?.close().catch(() => {})
    const spare = memoryStore()
    const why = error instanceof Error ? error.message : String(error)
    return { history: (await find(spare, messages)).history, where: `in memory only: ${why}`, close: spare.close }
  }
}

/** `since` is null when it had to be written. */
async function find(store: Store, messages: readonly unknown[]) {
  const place = { store, workspace: 'tour', conversation: 'sample', title: 'The tour' }
  // the picture is drawn for one screen, and recall would make its runs many
  const history = await openHistory({ ...place, recaller: null })
  const { entries, createdAt } = await history.describe()
  if (entries > 0) return { history, since: createdAt.slice(0, 16).replace('T', ' ') }
  await history.append(messages, { key: 'sample' })
  return { history, since: null }
}

/** The tour is kept in a file, wherever a service keeps its data. */
function fileOf(env: NodeJS.ProcessEnv): string {
  const place = storePlaceOf(env.THROUGHLINE_DB || null, env)
  return place.kind === 'sqlite' ? place.file : usualFile(env)
}
