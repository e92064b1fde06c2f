/** `throughline export`: a conversation to take away, as the service gives it. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { exportConversation } from '../../operations/export.js'
import type { DeskFlags } from '../kit/desk.js'
import { notOneOf } from '../kit/failure.js'
import { operate } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { findBranch, findConversation } from './find.js'

interface Flags extends DeskFlags {
  readonly id?: string | undefined
  readonly to?: string | undefined
  readonly branch?: string | undefined
  readonly output?: string | undefined
}

export async function exportTo(flags: Flags): Promise<number> {
  const { to = flags.json ? 'json' : 'md', output = '-' } = flags
  if (to !== 'md' && to !== 'json') throw notOneOf('--to', to, ['md', 'json'])
  return operate(flags, exportConversation, {
    input: async (context) => {
      const { id } = await findConversation(context, flags.id)
      const { name } = await findBranch(context, id, flags.branch)
      return { conversation_id: id, format: to === 'md' ? 'markdown' : 'json', branch: name }
    },
    print: async (pieces) => {
      if (output !== '-') {
        await write(output, pieces)
        return say(`written to ${output}`)
      }
      for await (const piece of pieces) await put(piece)
      if (to === 'json') await put('\n')
    },
  })
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
