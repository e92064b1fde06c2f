/** `throughline list`: the conversations, newest first. */
import { listConversations } from '../../operations/conversations.js'
import { countFlag } from '../kit/counts.js'
import type { DeskOptions } from '../kit/desk.js'
import { moreWith, operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { number, paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { shortestIds } from './ids.js'

type Flags = DeskOptions<'limit' | 'query' | 'folder' | 'tag', 'pinned' | 'archived'>

export function listStored(flags: Flags): Promise<number> {
  const limit = countFlag(flags.limit, '--limit', 20)
  const { query: q, folder, tag, pinned, archived = false } = flags
  return operate(flags, listConversations, {
    items: limit,
    input: () => ({ archived, ...present({ q, folder, tag, pinned }) }),
    print: async ({ items, next_cursor }) => {
      if (items.length === 0) say(q ? 'Nothing was found.' : 'There are no conversations here.')
      else await put(`${rows(items).join('\n')}\n`)
      if (next_cursor !== null) say(moreWith(limit))
    },
  })
}

function rows(items: Awaited<ReturnType<typeof listConversations.run>>['items']): string[] {
  const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout)]
  const ids = shortestIds(items.map(({ id }) => id))
  const cells = items.map(({ title, folder, tags, pinned, entries, updated_at }, i) => [
    ids[i] as string,
    when(updated_at),
    number(entries),
    short(`${pinned ? '★ ' : ''}${printable(title) || '(no title)'}${marks(folder, tags)}`, width - 30),
  ])
  const [head = '', ...rest] = table([['id', 'when', 'entries', 'title'], ...cells], [2])
  return [paint.bold(head), ...rest]
}

const marks = (folder: string | null, tags: readonly string[]): string =>
  printable([...(folder === null ? [] : [`  ${folder}/`]), ...tags.map((tag) => `  #${tag}`)].join(''))
