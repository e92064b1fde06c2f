/** `throughline export`: a conversation to take away, as the service gives it. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { inJson, inMarkdown } from '../../http/history/export.js'
import { exits, notOneOf } from '../failure.js'
import { put, say } from '../sink.js'
import { type Desk, type DeskFlags, reading } from './desk.js'
import { findBranch, findConversation } from './find.js'

interface Flags extends DeskFlags {
  readonly id?: string | undefined
  readonly to?: string | undefined
  readonly branch?: string | undefined
  readonly output?: string | undefined
}

export async function exportConversation(flags: Flags): Promise<number> {
  const { to = flags.json ? 'json' : 'md', output } = flags
  if (to !== 'md' && to !== 'json') throw notOneOf('--to', to, ['md', 'json'])
  await reading(flags, async (desk) => {
    const pieces = await piecesOf(desk, flags, to)
    if (output === undefined || output === '-') for await (const piece of pieces) await put(piece)
    else await write(output, pieces)
  })
  if (output !== undefined && output !== '-') say(`written to ${output}`)
  return exits.ok
}

async function piecesOf(desk: Desk, flags: Flags, to: 'md' | 'json'): Promise<AsyncGenerator<string>> {
  const found = await findConversation(desk, flags.id)
  const source = { store: desk.store, workspace: desk.workspace, conversation: found.id }
  if (to === 'md') return inMarkdown(source, found, (await findBranch(desk, found.id, flags.branch)).head)
  return ended(inJson(source, found))
}

async function* ended(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces
  yield '\n'
}

/** A file that is there is not written over. */
async function write(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx' })
  const done = finished(stream)
  done.catch(() => {})
  for await (const piece of pieces) if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), done])
  stream.end()
  await done
}
