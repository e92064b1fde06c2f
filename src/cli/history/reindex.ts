/** `throughline reindex`: makes anew what search finds messages by. What is done is noted, so that the next call goes on. */

import { type Cli, type DeskFlags, reading } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { finderOf } from '../kit/finder.js'
import { progressOf } from '../kit/progress.js'
import { put, putJson } from '../kit/sink.js'
import { number } from '../kit/term.js'

interface Flags extends DeskFlags {
  readonly fresh?: boolean | undefined
}

/** How far a reindexing is, as a record of the workspace. */
interface Mark {
  readonly stage: 'words' | 'meaning'
  readonly cursor: string | null
  readonly words: number
}

const [kind, id] = ['reindex', 'search']
/** Entries in one transaction. */
const page = 500

export async function reindexMessages(flags: Flags): Promise<number> {
  const { words, meaning, resumed } = await reading(flags, (desk) => reindex(desk, flags.fresh === true))
  const facts = { words, meaning, resumed }
  if (flags.json) await putJson({ schema: 'throughline.reindex/1', ...facts })
  else await put(`${number(words)} messages by their words, ${number(meaning)} by their meaning\n`)
  return exits.ok
}

async function reindex(desk: Cli, fresh: boolean) {
  const { store, workspace, settled } = desk
  const left = fresh ? null : ((await store.getRecord(workspace, kind, id))?.body as Mark | undefined)
  const words = await byWords(desk, left ?? { stage: 'words', cursor: null, words: 0 })
  const progress = progressOf('understood', 'messages')
  let meaning = 0
  await finderOf(settled.config).embed(store, workspace, (count) => {
    meaning += count
    progress.step(count)
  })
  progress.end()
  await store.removeRecord(workspace, kind, id)
  return { words, meaning, resumed: Boolean(left) }
}

async function byWords(desk: Cli, mark: Mark): Promise<number> {
  const { store, workspace } = desk
  const note = (body: Mark) => store.putRecord(workspace, { kind, id, body, at: new Date().toISOString() })
  if (mark.stage === 'meaning') return mark.words
  const progress = progressOf('read', 'messages')
  let { cursor, words } = mark
  do {
    const done = await store.reindex(workspace, { limit: page, ...(cursor === null ? null : { cursor }) })
    words += done.entries
    cursor = done.cursor
    progress.step(done.entries)
    if (cursor !== null) await note({ stage: 'words', cursor, words })
  } while (cursor !== null)
  progress.end()
  await store.removeVectors(workspace)
  await note({ stage: 'meaning', cursor: null, words })
  return words
}
