/** `throughline export`: a conversation to take away, or all of them, as the service gives them. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { exportConversation, exportWorkspace } from '../../operations/export.js'
import { type ExportName, exportForms, exportNames } from '../../transfer/out/formats.js'
import type { DeskOptions } from '../kit/desk.js'
import { notOneOf } from '../kit/failure.js'
import { operate } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { conversationNamed, findBranch } from './find.js'

type Flags = DeskOptions<'id' | 'to' | 'branch' | 'output', 'all'>

export async function exportTo(flags: Flags): Promise<number> {
  if (flags.all)
    return operate(flags, exportWorkspace, { input: () => ({}), print: (pieces) => deliver(pieces, flags) })
  const { to = flags.json ? 'json' : 'markdown' } = flags
  const format = to === 'md' ? 'markdown' : to
  if (!isForm(format)) throw notOneOf('--to', to, ['md', ...exportNames])
  return operate(flags, exportConversation, {
    input: async (context) => {
      const { id } = await conversationNamed(context, flags.id)
      const { name } = await findBranch(context, id, flags.branch)
      return { conversation_id: id, format, branch: name }
    },
    print: (pieces) => deliver(pieces, flags, exportForms[format].ending === 'json' ? '\n' : ''),
  })
}

const isForm = (name: string): name is ExportName => Object.hasOwn(exportForms, name)

async function deliver(pieces: AsyncIterable<string>, { output = '-' }: Flags, end = ''): Promise<void> {
  if (output !== '-') {
    await write(output, pieces)
    return say(`written to ${output}`)
  }
  for await (const piece of pieces) await put(piece)
  await put(end)
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
