/** `throughline memories add`: something to know in every conversation that may look beyond itself. */
import { exits, misused } from '../failure.js'
import { type Desk, type DeskFlags, writing } from '../history/desk.js'
import { findConversation, findEntry } from '../history/find.js'
import { put, putJson } from '../sink.js'
import { kindOf, memoriesOf } from './find.js'

interface Flags extends DeskFlags {
  readonly _?: readonly string[]
  readonly kind?: string | undefined
  readonly conversation?: string | undefined
  readonly from?: string | undefined
}

export async function addMemory(flags: Flags): Promise<number> {
  const text = (flags._ ?? []).join(' ').trim()
  if (text === '') throw misused('there is nothing to remember', 'throughline memories add "Prefers metric units."')
  const kind = kindOf(flags.kind) ?? 'profile'
  const memory = await writing(flags, async (desk) =>
    memoriesOf(desk).add({ kind, text, source: await sourceOf(desk, flags) }),
  )
  if (flags.json) await putJson({ schema: 'throughline.memory/1', memory })
  else await put(`${memory.id}\n`)
  return exits.ok
}

async function sourceOf(desk: Desk, { conversation: name, from }: Flags) {
  if (from === undefined) return null
  const conversation = (await findConversation(desk, name ?? '@last')).id
  return { conversation, entry: (await findEntry(desk, conversation, from)).id }
}
