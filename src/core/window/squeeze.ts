/** In the newest turns tools stay whole, as long as a fat result does not cost the rest of the conversation. */

import { type Allowance, ownShare, shareAfter } from './allowance.js'
import { halvingsOf } from './clip.js'
import type { Load } from './load.js'
import { roundness } from './step.js'
import type { Group, Turn, Turns } from './turns.js'
import type { Plan } from './walk.js'

export interface Recent {
  /** The newest turns in the form they will have, newest first. */
  readonly groups: readonly Group[]
  /** Turns that were looked at but are not among the newest. */
  readonly waiting: Turn[]
  /** Tokens for all turns, when the newest had to make room for older ones. */
  readonly most: number | null
}

export interface Space {
  /** Tokens for everything between the system prompt and the answer: the same from turn to turn. */
  readonly budget: number
  /** What the limits leave for the turns now. */
  readonly room: Load
  /** Nobody knows yet that something has to go. */
  readonly mayFit: boolean
  /** The turns that a summary stands for. */
  readonly covered: Turns | null
}

/** Of a room that is small beside the budget, the newest turns have this part. */
const part = 0.75

export function settleRecent(turns: Turns, plan: Plan, space: Space): Recent {
  const { fold, clip } = plan.policy
  if (fold.tools !== 'abbreviate' || fold.recent === 0) return { groups: [], waiting: [], most: null }
  const { tokens: room } = space.room
  const seen = lookBack(turns, fold.recent * spread.most + 1)
  const near = border(seen, fold.recent, spread.usual)
  const whole = (some: readonly Turn[]): Group[] => some.map((turn) => turns.group(turn, 'recent'))
  const fits = (): boolean => {
    const waiting = seen.slice(near)
    const elders = eldersOf(turns, waiting, room)
    seen.splice(near, seen.length, ...waiting)
    return tokensOf(whole(seen.slice(0, near))) + elders <= room
  }
  const halvings = halvingsOf(clip.tool, fold.result)
  if (!Number.isFinite(room) || halvings === 0 || (space.mayFit && fits()))
    return { groups: whole(seen.slice(0, near)), waiting: seen.slice(near), most: null }

  const waiting = [...seen]
  const recent = waiting.splice(0, border(seen, fold.recent, spread.most))
  const older = sizes(turns, waiting, space.covered)
  const allowance = { budget: space.budget, span: fold.recent * spread.usual }
  const settled = settle(turns, recent, whole(recent), older, halvings, allowance)
  const newest = settled.slice(0, fold.recent)
  const others = settled.slice(fold.recent)
  if (tokensOf(newest) <= room * part) return { groups: settled, waiting, most: null }
  const elders = Math.min(room * (1 - part), tokensOf(others) + eldersOf(turns, waiting, room * (1 - part)))
  const squeezed = squeeze(turns, recent.slice(0, fold.recent), newest, halvings, room - elders)
  return { groups: [...squeezed, ...others], waiting, most: Math.min(room, tokensOf(squeezed) + elders) }
}

/** Each in the largest form that it may have, which does not depend on the turns that came after it. */
function settle(
  turns: Turns,
  recent: readonly Turn[],
  full: readonly Group[],
  older: (at: number) => number | null,
  halvings: number,
  allowance: Allowance,
): Group[] {
  function* before(at: number): Generator<number, void> {
    for (let i = at + 1; i < at + allowance.span; i++) {
      const tokens = full[i]?.load.tokens ?? older(i - full.length)
      if (tokens === null) return
      yield tokens
    }
  }
  return full.map((group, at) => {
    if (group.load.tokens <= ownShare(allowance)) return group
    return within(turns, recent[at] as Turn, group, halvings, shareAfter(before(at), allowance))
  })
}

/** The largest form of so many tokens. It weighs what it may grow to, so that a bigger budget never keeps less. */
function within(turns: Turns, turn: Turn, full: Group, halvings: number, tokens: number): Group {
  if (full.load.tokens <= tokens) return full
  let times = 1
  while (times < halvings && turns.group(turn, times).load.tokens > tokens) times++
  const group = turns.group(turn, times)
  return { ...group, load: { ...group.load, tokens: Math.max(group.load.tokens, tokens) } }
}

/** What the turns before the newest ones would need if they were whole, in front of a summary and behind it. */
function sizes(turns: Turns, waiting: Turn[], covered: Turns | null): (at: number) => number | null {
  const told: Turn[] = []
  return (at) => {
    const turn = waiting[at] ?? pull(turns, waiting) ?? told[at - waiting.length] ?? (covered && pull(covered, told))
    return turn && turns.group(turn, 'recent').load.tokens
  }
}

/** All of them give way alike, as far as they must or can. */
function squeeze(
  turns: Turns,
  recent: readonly Turn[],
  settled: readonly Group[],
  halvings: number,
  tokens: number,
): readonly Group[] {
  let groups = settled
  for (let times = 1; times <= halvings && tokensOf(groups) > tokens; times++)
    groups = recent.map((turn, at) => smaller(turns.group(turn, times), settled[at] as Group))
  return groups
}

const smaller = (one: Group, other: Group): Group => (one.load.tokens <= other.load.tokens ? one : other)

function lookBack(turns: Turns, count: number): Turn[] {
  const seen: Turn[] = []
  while (seen.length < count) if (!pull(turns, seen)) break
  return seen
}

/** The border between the newest turns and the others moves in steps, longer ones where there is no room for all. */
const spread = { usual: 2, most: 4 }

/** How many turns count as newest: at least `recent`, at most so many times as many. */
function border(seen: readonly Turn[], recent: number, times: number): number {
  if (seen.length <= recent * times) return seen.length
  let best = recent
  let roundest = -1
  for (let count = recent * times; count >= recent; count--) {
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
