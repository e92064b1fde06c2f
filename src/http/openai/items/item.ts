/** One item of a conversation, as OpenAI's clients know it. */

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
