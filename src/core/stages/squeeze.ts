/** In the newest turns tools stay whole, as long as a fat result does not cost the rest of the conversation. */
import type { Plan } from '../intake/walk.js'
import { allowanceOf } from './allowance.js'
import { halvingsOf } from './clip.js'
import type { Load } from './load.js'
import { roundness } from './step.js'
import type { Group, Turn, Turns } from './turns.js'

export interface Recent {
  /** The newest turns in the form they will have, newest first. */
  readonly groups: readonly Group[]
  /** Turns that were looked at but are not among the newest. */
  readonly waiting: Turn[]
  /** Tokens that older turns may have, when the newest had to make room for them. */
  readonly elders: number | null
}

export interface Space {
  /** Tokens for everything between the system prompt and the answer: the same from turn to turn. */
  readonly budget: number
  /** What the limits leave for the turns now. */
  readonly room: Load
  /** Nobody knows yet that something has to go. */
  readonly mayFit: boolean
}

/** Of a room that is small beside the budget, the newest turns have this part. */
const most = 0.75

export function settleRecent(turns: Turns, plan: Plan, { budget, room, mayFit }: Space): Recent {
  const { fold, clip } = plan.policy
  if (fold.tools !== 'abbreviate' || fold.recent === 0) return { groups: [], waiting: [], elders: null }
  const span = fold.recent * spread
  const waiting = lookBack(turns, span + 1)
  const recent = waiting.splice(0, border(waiting, fold.recent))
  const full = recent.map((turn) => turns.group(turn, 'recent'))
  const halvings = halvingsOf(clip.tool, fold.result)
  if (!Number.isFinite(room.tokens) || halvings === 0) return { groups: full, waiting, elders: null }

  const settled = full.map((group, at) => {
    const allowance = allowanceOf(before(turns, recent, waiting, at, span), span, budget)
    return settle(turns, recent[at] as Turn, group, halvings, allowance)
  })
  const isWhole = settled.every((group, at) => group === full[at])
  if (!isWhole && mayFit && tokensOf(full) + eldersOf(turns, waiting, room.tokens) <= room.tokens)
    return { groups: full, waiting, elders: null }
  if (tokensOf(settled) <= room.tokens * most) return { groups: settled, waiting, elders: null }
  return squeeze(turns, recent, waiting, settled, halvings, room.tokens)
}

/** What each turn before this one would need, as far back as any of them may be whole. */
function* before(
  turns: Turns,
  recent: readonly Turn[],
  waiting: Turn[],
  at: number,
  span: number,
): Generator<number, void> {
  for (let i = at + 1; i < at + span; i++) {
    const turn = recent[i] ?? waiting[i - recent.length] ?? pull(turns, waiting)
    if (!turn) return
    yield turns.group(turn, 'recent').load.tokens
  }
}

/** The largest form within the allowance. It weighs what it may grow to, so that a bigger budget never keeps less. */
function settle(turns: Turns, turn: Turn, full: Group, halvings: number, allowance: number): Group {
  if (full.load.tokens <= allowance) return full
  let times = 1
  while (times < halvings && turns.group(turn, times).load.tokens > allowance) times++
  const group = turns.group(turn, times)
  return { ...group, load: { ...group.load, tokens: Math.max(group.load.tokens, allowance) } }
}

/** All of them give way alike, until they leave a part of the room to the older turns. */
function squeeze(
  turns: Turns,
  recent: readonly Turn[],
  waiting: Turn[],
  settled: readonly Group[],
  halvings: number,
  room: number,
): Recent {
  const share = Math.max(room * most, room - eldersOf(turns, waiting, room * (1 - most)))
  if (tokensOf(settled) <= share) return { groups: settled, waiting, elders: null }
  const at = (times: number): Group[] => recent.map((turn) => turns.group(turn, times))
  let groups = at(halvings)
  // as small as they get, they need more than their share: what is left is for the older turns
  if (tokensOf(groups) > share) return { groups, waiting, elders: null }
  for (let times = halvings - 1; times > 0; times--) {
    const larger = at(times)
    if (tokensOf(larger) > share) break
    groups = larger
  }
  return { groups, waiting, elders: room - share }
}

function lookBack(turns: Turns, count: number): Turn[] {
  const seen: Turn[] = []
  while (seen.length < count) if (!pull(turns, seen)) break
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

/** What all older turns need, or more than so many tokens if they need more. */
function eldersOf(turns: Turns, waiting: Turn[], enough: number): number {
  let tokens = 0
  for (let i = 0; tokens <= enough; i++) {
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
