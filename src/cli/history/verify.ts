/** `throughline verify`: whether a database holds what was written. It only looks. */
import { existsSync } from 'node:fs'
import { type StorePlace, shownPlace } from '../../config/place.js'
import { verifyConversation } from '../../operations/conversations.js'
import type { Verification } from '../../store/contract/upkeep.js'
import type { FileFault } from '../../store/sqlite/check.js'
import { type Cli, type DeskOptions, reading } from '../kit/desk.js'
import { exits, misused, notFound } from '../kit/failure.js'
import { operate } from '../kit/operate.js'
import { progressOf } from '../kit/progress.js'
import { settingsOf, storePlace } from '../kit/settings.js'
import { put, putJson, say } from '../kit/sink.js'
import { number, paintFor } from '../kit/term.js'
import { conversationNamed, conversations } from './find.js'

type Flags = DeskOptions<'id', 'all'>

type Verdict = { readonly conversation: string } & Verification

export async function verifyConversations(flags: Flags): Promise<number> {
  if ((flags.id === undefined) !== (flags.all === true)) throw misused('verify needs an ID or --all')
  const place = storePlace(settingsOf({ db: flags.db, config: flags.config }))
  const file = await checkedFile(place, flags.all === true)
  if (file.length > 0) return damaged(file, flags)
  if (flags.json && flags.id !== undefined)
    return operate(flags, verifyConversation, {
      input: async (desk) => ({ conversation_id: (await conversationNamed(desk, flags.id)).id }),
      exit: ({ ok }) => (ok ? exits.ok : exits.failed),
    })
  const verdicts = await reading(flags, (desk) => judge(desk, flags.id))
  const broken = verdicts.filter(({ ok }) => !ok)
  const entries = verdicts.reduce((sum, one) => sum + one.entries, 0)
  const paint = paintFor(process.stdout)
  if (flags.json)
    await putJson({ schema: 'throughline.verify/1', ok: broken.length === 0, entries, conversations: verdicts })
  else {
    for (const one of broken) await put(`${faults(one).map(paint.red).join('\n')}\n`)
    const found = broken.length === 0 ? 'every hash and link holds' : `${broken.length} broken`
    const what = `${number(entries)} entries in ${counted(verdicts.length)}: ${found}`
    if (broken.length > 0) say(what)
    else await put(`${what}\n`)
  }
  return broken.length === 0 ? exits.ok : exits.failed
}

/** What is not there, or is empty, holds nothing: that is no good news. */
async function checkedFile(place: StorePlace, all: boolean): Promise<readonly FileFault[]> {
  if (place.kind === 'postgres') return []
  if (!existsSync(place.file)) throw notFound(`there is no database at ${shownPlace(place)}`)
  const [{ openToRead }, { verifyFile }] = await Promise.all([
    import('../../store/sqlite/open.js'),
    import('../../store/sqlite/backup.js'),
  ])
  if (all) return (await verifyFile(place.file)).faults
  const db = await openToRead(place.file)
  db.close()
  return []
}

async function damaged(found: readonly FileFault[], { json }: Flags): Promise<number> {
  const paint = paintFor(process.stdout)
  if (json) await putJson({ schema: 'throughline.verify/1', ok: false, entries: 0, conversations: [], file: found })
  else {
    for (const { where, fault } of found) await put(`${paint.red(`${where}: ${fault}`)}\n`)
    say(`${number(found.length)} faults; throughline repair FILE saves what can be read`)
  }
  return exits.failed
}

async function judge(desk: Cli, id: string | undefined): Promise<Verdict[]> {
  const { store, workspace } = desk
  const some = id === undefined ? conversations(desk) : [await conversationNamed(desk, id)]
  const progress = progressOf('verified', 'conversations')
  const verdicts: Verdict[] = []
  for await (const { id: conversation } of some) {
    verdicts.push({ conversation, ...(await store.verify(workspace, conversation)) })
    progress.step()
  }
  progress.end()
  return verdicts
}

const faults = (verdict: Verdict): string[] =>
  verdict.ok ? [] : verdict.faults.map(({ seq, fault }) => `${verdict.conversation} ${seq}: ${fault}`)

const counted = (count: number): string => (count === 1 ? '1 conversation' : `${number(count)} conversations`)
