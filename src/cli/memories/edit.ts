/** `throughline memories edit`: corrects what is known; the next window has it. */
import { exits, misused } from '../failure.js'
import { type DeskFlags, writing } from '../history/desk.js'
import { put, putJson } from '../sink.js'
import { findMemory, kindOf, memoriesOf } from './find.js'

interface Flags extends DeskFlags {
  readonly _?: readonly string[]
  readonly kind?: string | undefined
}

export async function editMemory(flags: Flags): Promise<number> {
  const [id, ...words] = flags._ ?? []
  const text = words.join(' ').trim()
  const kind = kindOf(flags.kind)
  if (text === '' && kind === undefined)
    throw misused('edit needs new words or --kind', 'throughline memories edit @last "Prefers short answers."')
  const memory = await writing(flags, async (desk) => {
    const memories = memoriesOf(desk)
    const { id: known, revision: expect } = await findMemory(memories, id)
    return memories.correct(known, { expect, ...(text !== '' && { text }), ...(kind && { kind }) })
  })
  if (flags.json) await putJson({ schema: 'throughline.memory/1', memory })
  else await put(`${memory.id}\n`)
  return exits.ok
}
