/** `throughline list`: the conversations, newest first. */
import type { Conversation, ListQuery } from '../../store/contract/conversation.js'
import { countOf } from '../kit/counts.js'
import { type Desk, type DeskFlags, reading } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { number, paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { conversations } from './find.js'
import { shortest } from './ids.js'

interface Flags extends DeskFlags {
  readonly limit?: string | undefined
  readonly query?: string | undefined
  readonly folder?: string | undefined
  readonly tag?: string | undefined
  readonly pinned?: boolean | undefined
  readonly archived?: boolean | undefined
}

export async function listConversations(flags: Flags): Promise<number> {
  const limit = countOf(flags.limit, '--limit', 20)
  const { items, more } = await reading(flags, (desk) => gather(desk, flags, limit))
  if (flags.json) await putJson({ schema: 'throughline.list/1', items, more })
  else if (items.length === 0) say(flags.query ? 'Nothing was found.' : 'There are no conversations here.')
  else await put(`${rows(items).join('\n')}\n`)
  if (more && !flags.json) say(`There are more: -n ${limit * 5} shows so many.`)
  return exits.ok
}

async function gather(desk: Desk, flags: Flags, limit: number) {
  const query: Partial<ListQuery> = {
    archived: flags.archived === true,
    ...(flags.pinned ? { pinned: true } : null),
    ...(flags.folder === undefined ? null : { folder: flags.folder }),
    ...(flags.tag === undefined ? null : { tag: flags.tag }),
  }
  const isWanted = await filterOf(desk, flags.query)
  const items: Conversation[] = []
  for await (const one of conversations(desk, query)) {
    if (!isWanted(one)) continue
    if (items.length === limit) return { items, more: true }
    items.push(one)
  }
  return { items, more: false }
}

/** The words stand in the title, or in some message. */
async function filterOf({ store, workspace }: Desk, text: string | undefined): Promise<(one: Conversation) => boolean> {
  if (text === undefined) return () => true
  const { items } = await store.search(workspace, { text, limit: 1_000 })
  const found = new Set(items.map(({ conversation }) => conversation))
  const lower = text.toLowerCase()
  return ({ id, title }) => found.has(id) || title.toLowerCase().includes(lower)
}

function rows(items: readonly Conversation[]): string[] {
  const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout)]
  const ids = shortest(items.map(({ id }) => id))
  const cells = items.map(({ title, folder, tags, pinned, entries, updatedAt }, i) => [
    ids[i] as string,
    when(updatedAt),
    number(entries),
    short(`${pinned ? '★ ' : ''}${printable(title) || '(no title)'}${marks(folder, tags)}`, width - 30),
  ])
  const [head = '', ...rest] = table([['id', 'when', 'entries', 'title'], ...cells], [2])
  return [paint.bold(head), ...rest]
}

const marks = (folder: string | null, tags: readonly string[]): string =>
  printable([...(folder === null ? [] : [`  ${folder}/`]), ...tags.map((tag) => `  #${tag}`)].join(''))
