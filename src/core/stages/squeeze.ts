/** In the newest turns tools stay whole, as long as a fat result does not cost the rest of the conversation. */
import type { Plan } from '../intake/walk.js'
import { halvingsOf } from './clip.js'
import type { Load } from './load.js'
import type { Mode } from './shape.js'
import { roundness } from './step.js'
import type { Group, Turn, Turns } from './turns.js'

export interface Recent {
  /** The newest turns in the form they will have, newest first. */
  readonly groups: readonly Group[]
  /** Turns that were looked at but are not among the newest. */
  readonly waiting: Turn[]
  readonly squeezed: boolean
  /** Tokens that older turns may have when the newest were squeezed. */
  readonly elders: number
}

export function settleRecent(turns: Turns, plan: Plan, room: Load): Recent {
  const { fold, clip } = plan.policy
  if (fold.tools !== 'abbreviate' || fold.recent === 0) return { groups: [], waiting: [], squeezed: false, elders: 0 }
  const seen = lookBack(turns, fold.recent * spread + 1)
  const count = border(seen, fold.recent)
  const recent = seen.slice(0, count)
  const waiting = seen.slice(count)
  const at = (mode: Mode): Group[] => recent.map((turn) => turns.group(turn, mode))
  const full = at('recent')
  const half = room.tokens / 2
  if (!Number.isFinite(half) || tokensOf(full) <= half) return { groups: full, waiting, squeezed: false, elders: 0 }

  const most = halvingsOf(clip.tool, fold.result)
  const least = most === 0 ? full : at(most)
  if (tokensOf(least) === tokensOf(full)) return { groups: full, waiting, squeezed: false, elders: 0 }
  const share = Math.max(half, room.tokens - eldersOf(turns, waiting, half))
  if (tokensOf(full) <= share) return { groups: full, waiting, squeezed: false, elders: 0 }
  // as small as they get, they need more than their share: what is left is for the older turns
  if (tokensOf(least) > share) return { groups: least, waiting, squeezed: false, elders: 0 }
  let groups = least
  for (let halvings = most - 1; halvings > 0; halvings--) {
    const larger = at(halvings)
    if (tokensOf(larger) > share) break
    groups = larger
  }
  return { groups, waiting, squeezed: true, elders: room.tokens - share }
}

function lookBack(turns: Turns, count: number): Turn[] {
  const seen: Turn[] = []
  while (seen.length < count) {
    const turn = turns.next()
    if (!turn) break
    seen.push(turn)
  }
  return seen
}

/** The border between the newest turns and the others moves in steps: it lies anywhere in this many times `recent`. */
const spread = 2

/** How many turns count as newest: at least `recent`. */
function border(seen: readonly Turn[], recent: number): number {
  if (seen.length <= recent * spread) return seen.length
  let best = recent
  let roundest = -1
  for (let count = recent * spread; count >= recent; count--) {
    const round = roundness((seen[count - 1] as Turn).start, (seen[count] as Turn).start)
    if (round > roundest) [best, roundest] = [count, round]
  }
  return best
}

/** What all older turns need, or more than half if they need more than half. */
function eldersOf(turns: Turns, waiting: Turn[], half: number): number {
  let tokens = 0
  for (let i = 0; tokens <= half; i++) {
    const turn = waiting[i] ?? pull(turns, waiting)
    if (!turn) break
    tokens += turns.group(turn, 'old').load.tokens
  }
  return tokens
}

function pull(turns: Turns, waiting: Turn[]): Turn | null {
  const turn = turns.next()
  if (turn) waiting.push(turn)
  return turn
}

const tokensOf = (groups: readonly Group[]): number => groups.reduce((sum, group) => sum + group.load.tokens, 0)
