/** The request as it goes out, as text; what was written before for an item is not written again. */
import type { Item } from '../message/item.js'
import type { Target } from '../message/target.js'
import type { Window } from '../message/window.js'
import { type Rendered, renderMended } from '../render/render.js'
import type { Table } from './memo.js'
import type { Mended } from './mend/mend.js'

/** The list of messages in each provider's request. */
const listIn = (target: Target): string =>
  target === 'google' ? 'contents' : target === 'openai-responses' ? 'input' : 'messages'

const texts = new WeakMap<object, string>()

/** Equal to `JSON.stringify(rendered)`: a request was written when its window was made. */
export const writtenAs = (rendered: unknown): string =>
  (typeof rendered === 'object' && rendered !== null && texts.get(rendered)) || JSON.stringify(rendered)

/** Equal to the text itself, or to `JSON.stringify(rendered)`. */
export function wireOf(rendered: Rendered, mended: Mended, window: Window, target: Target, table: Table): string {
  if (typeof rendered === 'string') return rendered
  const wire = written(rendered, mended, window, target, table)
  texts.set(rendered, wire)
  return wire
}

function written(
  rendered: Exclude<Rendered, string>,
  mended: Mended,
  window: Window,
  target: Target,
  table: Table,
): string {
  // neighbours that became one message cannot be written one by one
  if (mended.items.length === 0 || joins(mended)) return JSON.stringify(rendered)
  const key = listIn(target)
  const listed = (items: readonly Item[], system: readonly string[]): string => {
    const alone = renderMended({ ...mended, items, system }, { ...window, items }, target)
    return JSON.stringify((alone as unknown as Record<string, unknown>)[key]).slice(1, -1)
  }
  const shell = (): readonly [open: string, close: string] => {
    const rest = JSON.stringify({ ...rendered, [key]: [] })
    const at = rest.indexOf(`"${key}":[]`) + key.length + 4
    return [rest.slice(0, at) + listed([], mended.system), rest.slice(at)]
  }
  const isUsual = mended.system.length <= 1 && !('tools' in rendered)
  const [open, close] = isUsual ? table.shell.of(mended.system[0] ?? '', shell) : shell()
  let wire = open
  for (const item of mended.items) {
    const written = table.written.get(item) ?? listed([item], [])
    table.written.set(item, written)
    if (written !== '') wire += wire === open && open.endsWith('[') ? written : `,${written}`
  }
  return wire + close
}

/** Where roles alternate, results stand in the user's next message, and what mend changed may be joined to another. */
const joins = ({ items, notes, traits }: Mended): boolean =>
  traits.alternates && (notes.length > 0 || items.some((item) => item.parts.some((part) => part.type === 'call')))
