/** `throughline memories rm`: forgets it; no window has it again. */
import { exits } from '../failure.js'
import { type DeskFlags, writing } from '../history/desk.js'
import { put, putJson } from '../sink.js'
import { findMemory, memoriesOf } from './find.js'

interface Flags extends DeskFlags {
  readonly id?: string | undefined
}

export async function removeMemory(flags: Flags): Promise<number> {
  const memory = await writing(flags, async (desk) => {
    const memories = memoriesOf(desk)
    const found = await findMemory(memories, flags.id)
    await memories.remove(found.id)
    return found
  })
  if (flags.json) await putJson({ schema: 'throughline.memory/1', removed: memory })
  else await put(`${memory.id}\n`)
  return exits.ok
}
