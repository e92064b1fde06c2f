/** The request as it goes out, as text; what was written before for an item is not written again. */
import type { Item } from '../message/item.js'
import type { Target } from '../message/target.js'
import type { Window } from '../message/window.js'
import { traitsOf } from '../profile/profiles.js'
import { type Rendered, renderMended } from '../render/render.js'
import type { Table } from './memo.js'
import type { Mended } from './mend/mend.js'

/** The list of messages in each provider's request. */
const listIn = (target: Target): string =>
  target === 'google' ? 'contents' : target === 'openai-responses' ? 'input' : 'messages'

/** Equal to the text itself, or to `JSON.stringify(rendered)`. */
export function wireOf(rendered: Rendered, mended: Mended, window: Window, target: Target, table: Table): string {
  if (typeof rendered === 'string') return rendered
  const key = listIn(target)
  // neighbours that became one message cannot be written one by one
  if (mended.notes.length > 0 || mended.items.length === 0 || joins(mended, window, target))
    return JSON.stringify(rendered)
  const shell = renderMended({ items: [], system: mended.system, notes: [] }, window, target)
  let list = JSON.stringify((shell as unknown as Record<string, unknown>)[key]).slice(1, -1)
  for (const item of mended.items) {
    const written = jsonOf(item, key, window, target, table)
    if (written !== '') list += list === '' ? written : `,${written}`
  }
  const rest = JSON.stringify({ ...(rendered as object), [key]: [] })
  return rest.replace(`"${key}":[]`, () => `"${key}":[${list}]`)
}

/** Where roles alternate, the results of a call stand in the user's next message. */
const joins = ({ items }: Mended, window: Window, target: Target): boolean =>
  traitsOf(target, window).alternates && items.some((item) => item.parts.some((part) => part.type === 'call'))

function jsonOf(item: Item, key: string, window: Window, target: Target, table: Table): string {
  const known = table.written.get(item)
  if (known !== undefined) return known
  const alone = renderMended({ items: [item], system: [], notes: [] }, { ...window, items: [item] }, target)
  const written = JSON.stringify((alone as unknown as Record<string, unknown>)[key]).slice(1, -1)
  table.written.set(item, written)
  return written
}
