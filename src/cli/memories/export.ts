/** `throughline memories export`: all that is known, one JSON document a line, oldest first. */
import { exits } from '../failure.js'
import { type DeskFlags, reading } from '../history/desk.js'
import { put } from '../sink.js'
import { memoriesOf } from './find.js'

export async function exportMemories(flags: DeskFlags): Promise<number> {
  await reading(flags, async (desk) => {
    for await (const memory of memoriesOf(desk).all()) await put(`${JSON.stringify(memory)}\n`)
  })
  return exits.ok
}
