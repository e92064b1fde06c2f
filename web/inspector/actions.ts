/** The actions on a message, as changes of its marks, and what each would cost. */
import type { Brief, WhatIf } from '../../src/client/index.js'
import { api } from '../api.js'
import type { words } from '../strings/inspector.js'
import { compare } from './compare.js'
import { type Row, rowsOf } from './rows.js'
import type { Seen } from './seen.js'

type Marks = NonNullable<WhatIf['marks']>

export interface Action {
  readonly name: Exclude<keyof typeof words.actions, 'full' | 'back'>
  /** What is kept for all windows to come; null for one window only. */
  readonly mark: { readonly pinned?: boolean; readonly excluded?: boolean } | null
  /** All marks of the path, once it is done. */
  marks(path: readonly Brief[]): Marks
}

export interface Cost {
  readonly tokens: number
  readonly pushed: number
  readonly brought: number
}

export function actionsFor({ brief, look, whole, sent }: Row): readonly Action[] {
  if (look === 'current' || brief.kind === 'note') return []
  const { id, pinned, excluded } = brief
  const short = (look === 'clipped' || look === 'folded') && whole - sent >= 1
  const found: (Action | false)[] = [
    !excluded && brief.kind !== 'summary' && setting(pinned ? 'unpin' : 'pin', id, { pinned: !pinned }),
    brief.kind === 'summary' && !excluded
      ? setting('undo', id, { excluded: true })
      : setting(excluded ? 'include' : 'exclude', id, { excluded: !excluded }),
    short && { name: 'whole', mark: null, marks: (path) => ({ ...stored(path), whole: [id] }) },
  ]
  return found.filter((action) => action !== false)
}

const setting = (name: Action['name'], id: string, mark: NonNullable<Action['mark']>): Action => ({
  name,
  mark,
  marks: (path) => stored(path.map((brief) => (brief.id === id ? { ...brief, ...mark } : brief))),
})

export const stored = (path: readonly Brief[]): Marks => ({
  pinned: path.filter(({ pinned }) => pinned).map(({ id }) => id),
  excluded: path.filter(({ excluded }) => excluded).map(({ id }) => id),
})

/** The window with the change beside the same window without it: both with the marks as they are now. */
export async function costOf(seen: Seen, action: Action, own: string, signal: AbortSignal): Promise<Cost> {
  const ask = async (marks: Marks) => {
    const { receipt } = await api.receipts.whatIf(seen.kept.id, { marks }, { signal })
    return { receipt, rows: rowsOf(receipt, seen.path) }
  }
  const [before, after] = await Promise.all([ask(stored(seen.path)), ask(action.marks(seen.path))])
  const { more, fewer, tokens } = compare(others(before, own), others(after, own))
  return { tokens, pushed: fewer, brought: more }
}

/** Of the message itself one knows. */
const others = <T extends { readonly rows: readonly Row[] }>(window: T, own: string): T => ({
  ...window,
  rows: window.rows.filter(({ brief }) => brief.id !== own),
})
