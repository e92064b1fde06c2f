/** What a window is made of, in tokens, from its beginning to its end. */
import type { words } from '../strings/inspector.js'
import type { Receipt, Row } from './rows.js'

export type Kind = keyof typeof words.kinds

export interface Part {
  readonly kind: Kind
  readonly tokens: number
}

/** The order in which a window is laid out. */
export const order: readonly Kind[] = [
  'system',
  'tools',
  'summary',
  'pinned',
  'message',
  'recalled',
  'current',
  'frame',
  'free',
  'systemRoom',
  'toolsRoom',
  'response',
]

const rooms: ReadonlySet<Kind> = new Set(['free', 'systemRoom', 'toolsRoom', 'response'])

/** It takes room and says nothing. */
export const isRoom = ({ kind }: Pick<Part, 'kind'>): boolean => rooms.has(kind)

export function kindOf({ look, brief }: Pick<Row, 'look' | 'brief'>): Kind {
  if (look === 'current' || look === 'recalled' || look === 'pinned') return look
  return brief.kind === 'summary' ? 'summary' : 'message'
}

/** All that was sent, and the room around it; only what has tokens. */
export function partsOf(receipt: Receipt, rows: readonly Row[]): readonly Part[] {
  const { budget } = receipt
  const sums = new Map<Kind, number>()
  const add = (kind: Kind, tokens: number): void => void sums.set(kind, (sums.get(kind) ?? 0) + tokens)
  // what is recalled and the summary are counted once each, with the words around them
  for (const row of rows) if (row.look !== 'recalled' && row.brief.kind !== 'summary') add(kindOf(row), row.sent)
  add('summary', receipt.summary?.tokens ?? 0)
  add('recalled', receipt.recall?.tokens ?? 0)
  const said = [...sums.values()].reduce((sum, tokens) => sum + tokens, 0)
  add('frame', Math.max(0, budget.used - said))
  // where room is kept for an answer, it is kept for the prompt and the tools too; else they were counted
  const aside = budget.reserve.response > 0
  add(aside ? 'systemRoom' : 'system', budget.reserve.system)
  add(aside ? 'toolsRoom' : 'tools', budget.reserve.tools)
  add('response', budget.reserve.response)
  add('free', Math.max(0, budget.free ?? 0))
  return order.flatMap((kind) => {
    const tokens = Math.round(sums.get(kind) ?? 0)
    return tokens > 0 ? [{ kind, tokens }] : []
  })
}

/** Tokens that went out: everything but the room that is left. */
export const usedIn = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => (isRoom(part) ? sum : sum + part.tokens), 0)

export const wholeOf = (parts: readonly Part[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0)
