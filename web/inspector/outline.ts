/** A whole path in brief, oldest first. */
import type { Brief, MessageQuery } from '../../src/client/index.js'
import { api } from '../api.js'

const pageSize = 2_000
const mostPages = 25

export async function outlineOf(
  conversation: string,
  end: Pick<MessageQuery, 'head' | 'branch'>,
  signal: AbortSignal,
): Promise<readonly Brief[]> {
  const pages: (readonly Brief[])[] = []
  let before: string | undefined
  while (pages.length < mostPages) {
    const query = { ...end, limit: pageSize, ...(before === undefined ? null : { before }) }
    const page = await api.messages.outline(conversation, query, { signal })
    pages.unshift(page.items)
    if (page.next_cursor === null) break
    before = page.next_cursor
  }
  return pages.flat()
}
