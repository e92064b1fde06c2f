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
  'response',
]

const rooms: ReadonlySet<Kind> = new Set(['free', 'response'])

/** It takes room and says nothing. */
export const isRoom = ({ kind }: Pick<Part, 'kind'>): boolean => rooms.has(kind)

export function kindOf({ look, brief }: Pick<Row, 'look' | 'brief'>): Kind {
  if (look === 'current' || look === 'recalled' || look === 'pinned') return look
  return brief.kind === 'summary' ? 'summary' : 'message'
}

/** All that was sent, and the room around it; only what has tokens. Pinned messages are told apart from the others. */
export function partsOf({ request }: Receipt, rows: readonly Row[]): readonly Part[] {
  const { parts, free, window, used } = request
  const pinned = rows.reduce((sum, row) => (row.look === 'pinned' ? sum + row.sent : sum), 0)
  const left = Math.max(0, free ?? 0)
  const sums: Readonly<Partial<Record<Kind, number>>> = {
    system: parts.system,
    tools: parts.tools,
    summary: parts.summary,
    pinned: Math.min(pinned, parts.history),
    message: Math.max(0, parts.history - pinned),
    recalled: parts.recall,
    current: parts.current,
    frame: parts.frame + parts.markers,
    free: left,
    response: window === null ? 0 : Math.max(0, window - used - left),
  }
  return order.flatMap((kind) => {
    const tokens = Math.round(sums[kind] ?? 0)
    return tokens > 0 ? [{ kind, tokens }] : []
  })
}

/** Tokens that went out: everything but the room that is left. */
export const usedIn = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => (isRoom(part) ? sum : sum + part.tokens), 0)

export const wholeOf = (parts: readonly Part[]): number => parts.reduce((sum, { tokens }) => sum + tokens, 0)
