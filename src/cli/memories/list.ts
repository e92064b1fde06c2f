/** `throughline memories list`: what is known, newest first. */
import type { Memory } from '../../recall/memories.js'
import { countOf } from '../counts.js'
import { exits } from '../failure.js'
import { type DeskFlags, reading } from '../history/desk.js'
import { shortest } from '../history/ids.js'
import { put, putJson, say } from '../sink.js'
import { paintFor, printable, short, table, widthOf } from '../term.js'
import { when } from '../when.js'
import { kindOf, memoriesOf } from './find.js'

interface Flags extends DeskFlags {
  readonly kind?: string | undefined
  readonly limit?: string | undefined
}

export async function listMemories(flags: Flags): Promise<number> {
  const limit = countOf(flags.limit, '--limit', 50)
  const kind = kindOf(flags.kind)
  const page = await reading(flags, (desk) => memoriesOf(desk).list({ limit, ...(kind && { kind }) }))
  const more = page.cursor !== null
  if (flags.json) await putJson({ schema: 'throughline.memories/1', items: page.items, more })
  else if (page.items.length === 0) say('Nothing is remembered here.')
  else await put(`${rows(page.items).join('\n')}\n`)
  if (more && !flags.json) say(`There are more: -n ${limit * 5} shows so many.`)
  return exits.ok
}

function rows(memories: readonly Memory[]): string[] {
  const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout)]
  const ids = shortest(memories.map(({ id }) => id))
  const cells = memories.map(({ kind, author, source, updatedAt, text }, i) => [
    ids[i] as string,
    kind,
    when(updatedAt),
    printable(source ? source.conversation.slice(0, 8) : author),
    short(printable(text).replaceAll('\n', ' '), Math.max(24, width - 40 - (ids[0]?.length ?? 0))),
  ])
  const [head = '', ...rest] = table([['id', 'kind', 'when', 'from', 'text'], ...cells])
  return [paint.bold(head), ...rest]
}
