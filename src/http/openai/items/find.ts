/** The items of a conversation: its path, page by page, and one by its id. */
import type { z } from 'zod'
import type { Entry } from '../../../store/contract/entry.js'
import { branchHead } from '../../history/open.js'
import type { Context } from '../../kit/context.js'
import { Problem } from '../../kit/problem.js'
import type { listQuery, listSchema } from '../shape/schemas.js'
import { entryIdIn, type ListedItem } from './item.js'
import { itemsOf } from './show.js'

type At = Pick<Context, 'frame' | 'workspace'>
type Query = Pick<z.output<typeof listQuery>, 'after' | 'limit' | 'order'>

export const itemPage = (data: readonly ListedItem[], limit: number): z.output<typeof listSchema> => ({
  object: 'list',
  data: data.slice(0, limit) as z.output<typeof listSchema>['data'],
  first_id: data[0]?.id ?? null,
  last_id: data[Math.min(limit, data.length) - 1]?.id ?? null,
  has_more: data.length > limit,
})

export async function listItems(at: At, conversation: string, query: Query) {
  const found = query.after === undefined ? null : await findItem(at, conversation, query.after)
  const head = await branchHead(at, conversation, 'main')
  const newest = query.order === 'desc' && found ? found.entry.id : head
  if (newest === null) return itemPage([], query.limit)
  if (query.order === 'desc') return itemPage(await backwards(at, conversation, newest, query), query.limit)
  const path = await at.frame.store.path(at.workspace, conversation, newest)
  return itemPage(after(path.flatMap(itemsOf), query.after), query.limit)
}

/** Only as far back as the page reaches. */
async function backwards({ frame, workspace }: At, conversation: string, head: string, query: Query) {
  for (let reach = query.limit + 2; ; reach *= 4) {
    const path = await frame.store.path(workspace, conversation, head, reach)
    const items = after(path.flatMap(itemsOf).reverse(), query.after)
    if (items.length > query.limit || path.length === 0 || path[0]?.parent === null) return items
  }
}

export function after(items: readonly ListedItem[], id: string | undefined): readonly ListedItem[] {
  return id === undefined ? items : items.slice(items.findLastIndex((item) => item.id === id) + 1)
}

export async function findItem(
  at: At,
  conversation: string,
  id: string,
): Promise<{ readonly entry: Entry; readonly item: ListedItem }> {
  const { frame, workspace } = at
  const named = await frame.store.entry(workspace, conversation, entryIdIn(id))
  const found = (named && itemIn(named, id)) ?? (await elsewhere(at, conversation, id))
  if (found) return found
  throw new Problem('not_found')
}

/** An item that brought its own id can stand anywhere. */
async function elsewhere(at: At, conversation: string, id: string) {
  const head = await branchHead(at, conversation, 'main')
  const path = head === null ? [] : await at.frame.store.path(at.workspace, conversation, head)
  for (const entry of path.toReversed()) {
    const found = itemIn(entry, id)
    if (found) return found
  }
  return null
}

function itemIn(entry: Entry, id: string) {
  const item = itemsOf(entry).find((one) => one.id === id)
  return item ? { entry, item } : null
}
