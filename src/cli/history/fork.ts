/** `throughline fork`: a new branch at a message; nothing is copied. */
import { openHistory } from '../../engine/history.js'
import type { Branch } from '../../store/contract/branch.js'
import type { Entry } from '../../store/contract/entry.js'
import { type Desk, type DeskFlags, writing } from '../kit/desk.js'
import { conflict, exits, misused } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { findConversation, findEntry } from './find.js'

interface Flags extends DeskFlags {
  readonly id?: string | undefined
  readonly at?: string | undefined
  readonly name?: string | undefined
}

export async function forkConversation(flags: Flags): Promise<number> {
  const { at } = flags
  if (at === undefined) throw misused('fork needs --at MSG', 'throughline show ID numbers the messages')
  const made = await writing(flags, async (desk) => {
    const { id } = await findConversation(desk, flags.id)
    const entry = await findEntry(desk, id, at)
    return { conversation: id, at: entry.id, branch: await forkAt(desk, id, entry, flags.name) }
  })
  const { conversation, branch } = made
  if (flags.json) await putJson({ schema: 'throughline.fork/1', ...made })
  else {
    await put(`${branch.name}\n`)
    say(`continue with: throughline chat -t ${conversation} --branch ${branch.name}`)
  }
  return exits.ok
}

export async function forkAt(desk: Desk, conversation: string, at: Entry | null, name?: string): Promise<Branch> {
  const { store, workspace } = desk
  const taken = new Set((await store.branches(workspace, conversation)).map((one) => one.name))
  if (name !== undefined && taken.has(name)) throw conflict(`there is a branch ${name} already`)
  const history = await openHistory({ store, workspace, conversation, live: true })
  return history.fork(at?.id ?? null, name ?? freeName(`fork-${at?.seq ?? 0}`, taken))
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!taken.has(name)) return name
  }
}
