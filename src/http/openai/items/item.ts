/** One item of a conversation, as OpenAI's clients know it. */
import { fieldsOf, recordIn } from '../../kit/fields.js'

export interface Item {
  readonly type: string
  readonly [field: string]: unknown
}

export type ListedItem = Item & { readonly id: string }

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
}

/** An item's id tells where it stands: in which entry, and after how many others of its type there. */
export const itemId = (type: string, entry: string, place = 0): string =>
  `${prefixes[type] ?? 'item'}_${entry}${place === 0 ? '' : `~${place}`}`

/** The entry that an id of ours names. */
export const entryIdIn = (id: string): string => id.replace(/^[a-z]+_/, '').replace(/~\d+$/, '')

/** Before items of ours that stand in one, so that no other provider's are taken for them. */
const mark = 'throughline.'

/** A shorter history as one item, which its client hands back as it is. */
export const packed = (items: readonly Item[]): string =>
  mark + Buffer.from(JSON.stringify({ items })).toString('base64')

export function unpacked(item: unknown): readonly unknown[] {
  const { type, encrypted_content: kept } = fieldsOf(item)
  if (type !== 'compaction' || typeof kept !== 'string' || !kept.startsWith(mark)) return [item]
  const { items } = recordIn(Buffer.from(kept.slice(mark.length), 'base64').toString()) ?? {}
  return Array.isArray(items) ? items : [item]
}
