/** Whole old turns go; last the newest turn gives way, or nothing of the history is left. */
import { yields } from './ease.js'
import { cut, type FitInput, type FitResult, flat, leastIn, type Overflow, withHead } from './fitted.js'
import { excessOf, type Kept, type Load, minus, over, plus, tooSmall, weigh, weightless } from './load.js'
import { narrow } from './narrow.js'
import { isReduced } from './pin.js'
import { besides, saysAloud, type Tight, taken, within } from './shrink.js'
import { roundness } from './step.js'
import type { Group } from './turns.js'

/** Gives up the oldest groups until the rest, the pins and the markers fit; then moves on to the next step of the cut. */
export function trim(input: FitInput, groups: readonly Group[], overflow: Overflow): FitResult {
  const { fit: rule } = input.plan.policy
  const loads: Load[] = []
  let sum = weightless
  for (const group of groups) {
    sum = plus(sum, group.load)
    loads.push(sum)
  }

  const cost = (count: number): Load => withHead(input, groups, count, loads[count - 1] ?? weightless).load
  let count = groups.length
  const steady = { ...overflow.allowed, tokens: Math.min(overflow.allowed.tokens, input.steady - input.spare) }
  while (count > rule.floor && over(cost(count), steady) !== null) count--
  if (count === 0 && groups.length === 0) return bare(input, groups, overflow)
  const short = count === 0 && input.newest !== null ? shortened(input, groups, overflow, input.newest) : null
  if (short) return short
  // the newest turn has all the room there is
  if (count === 0 && over(cost(1), input.room) === null) count = 1
  if (count === 0) return newestOf(input, groups, input.spare > 0 ? { ...overflow, allowed: input.room } : overflow)
  const kept = stepped(input, groups, loads, count, { ...overflow, allowed: steady })
  const part = partOf(input, groups, loads, kept, { ...overflow, allowed: steady })
  const isHeard = part?.ok && part.fitted.tail.some(saysAloud)
  const answered = isHeard ? null : answeredOf(input, groups, loads, kept, overflow)
  const least = answered ?? part
  if (least) return least
  const { head } = withHead(input, groups, kept, weightless)
  const held = cost(kept)
  const weighed = rule.gap.reserve === 'first' ? held : (loads[kept - 1] ?? weightless)
  const left = flat([...groups.slice(kept), ...overflow.beyond])
  return cut(overflow, head, flat(groups.slice(0, kept)), left, excessOf(weighed, input.room))
}

/**
 * The cut moves in steps: among the cuts that free no more than the step, the one on the roundest position wins.
 * It is a pure function of the history, it stays while the history grows, and a bigger budget never keeps less.
 */
function stepped(
  input: FitInput,
  groups: readonly Group[],
  loads: readonly Load[],
  most: number,
  overflow: Overflow,
): number {
  const { allowed } = overflow
  if (input.plan.step === 0 || !Number.isFinite(allowed.tokens)) return most
  let best = most
  let roundest = -1
  for (let count = most; count >= 1; count--) {
    const { load } = withHead(input, groups, count, loads[count - 1] as Load)
    if (count < most && isBelow(input, load, loads[count - 1] as Load)) break
    // what is pinned and its markers may take more room than the turn that held it
    if (over(load, allowed) !== null) continue
    const round = roundness((groups[count - 1] as Group).start, groups[count]?.start, input.origin)
    if (round > roundest) [best, roundest] = [count, round]
  }
  return best
}

/** So few turns that more than a step would be free. */
const isBelow = (input: FitInput, { tokens }: Load, turns: Load): boolean =>
  tokens < leastIn(input, tokens - turns.tokens)

/** The oldest turn of the window is larger than a step: its user message and its end stay. */
function partOf(
  input: FitInput,
  groups: readonly Group[],
  loads: readonly Load[],
  count: number,
  { limit, allowed, beyond, turns }: Overflow,
): FitResult | null {
  const { plan } = input
  const turn = groups[count]
  const [user, ...rest] = turn?.kept ?? []
  if (!turn || !user || rest.length === 0 || !yields(plan) || plan.policy.fit.grain !== 'turn' || plan.marks)
    return null
  const newer = loads[count - 1] as Load
  if (!isBelow(input, withHead(input, groups, count, newer).load, newer)) return null
  const { head, load: held } = withHead(input, groups, count + 1, input.hole)
  const least = leastIn(input, held.tokens)
  const others = plus(held, newer)
  let best = 0
  let roundest = -1
  for (let from = 1; from < rest.length; from++) {
    const { load } = turns.of(turn.start, [user, ...rest.slice(from)])
    const sum = plus(others, load)
    if (over(sum, allowed) !== null) continue
    if (best > 0 && sum.tokens < least) break
    const round =
      plan.step === 0
        ? 0
        : roundness((rest[from] as Kept).slot.index, (rest[from - 1] as Kept).slot.index, input.origin)
    if (round > roundest) [best, roundest] = [from, round]
  }
  const tail = flat(groups.slice(0, count))
  const gone = (from: number): Kept[] => [...flat([...groups.slice(count + 1), ...beyond]), ...rest.slice(0, from)]
  if (best > 0) return cut({ limit }, head, [user, ...rest.slice(best), ...tail], gone(best))
  const ends = endsOf(user, rest.at(-1) as Kept, { plan, room: allowed, spent: { ...others, turns: others.turns + 1 } })
  return ends && cut({ limit }, head, [...ends, ...tail], gone(rest.length - 1))
}

/** Not even the last words of a turn fit beside its user message as they are: both give way, the longer one first. */
function endsOf(user: Kept, last: Kept, tight: Pick<Tight, 'plan' | 'room' | 'spent'>): readonly Kept[] | null {
  const { plan, spent } = tight
  const { fit } = plan.policy
  // its words alone, as they were said, are worth more than a picture with a few of them
  if (user.shape.item.parts.some((part) => part.type === 'file')) return null
  // a call cannot be shortened
  const isFixed = last.shape.item.parts.some((part) => part.type === 'call')
  const room = isFixed ? minus(tight.room, weigh(last, fit)) : besides(last, spent, tight)
  // one that is over its share stays within it
  const asks = isReduced(user) ? user : within(user, { plan, room, spent })
  if (!asks) return null
  const held = plus(spent, weigh(asks, fit))
  const says = within(last, { ...tight, spent: asks === user ? held : taken(held, room) })
  return says && (says === last || !isFixed) ? [asks, says] : null
}

/** The newest turn gives way: so much of it stays beside the pins. Null when that says nothing. */
function shortened(input: FitInput, groups: readonly Group[], overflow: Overflow, newest: number): FitResult | null {
  const { load } = withHead(input, groups, 1, weightless)
  const tokens = Math.min(input.room.tokens, load.tokens + newest)
  const made = newestOf(input, groups, { ...overflow, allowed: { ...overflow.allowed, tokens } })
  return made.ok && made.fitted.tail.length > 0 ? made : null
}

/** The newest turns hold no words that the current message could answer: the turn that does is narrowed. */
function answeredOf(
  input: FitInput,
  groups: readonly Group[],
  loads: readonly Load[],
  count: number,
  overflow: Overflow,
): FitResult | null {
  const { fit: rule } = input.plan.policy
  if (!input.current || rule.grain !== 'turn' || rule.oversize !== 'refuse') return null
  const all = [...groups, ...overflow.beyond]
  const at = all.findIndex((group) => group.kept.some(saysAloud))
  if (at < count || at > groups.length) return null
  const group = all[at] as Group
  const allowed = minus(overflow.allowed, loads[at - 1] as Load)
  const made = narrow(input, group, { allowed, turns: overflow.turns })
  if (!made.ok || !made.kept.some(saysAloud)) return null
  const tail = [...made.kept, ...flat(all.slice(0, at))]
  const sent = new Set(tail.map(({ slot }) => slot.index))
  const left = flat([made.rest, ...all.slice(at + 1)]).filter(({ slot }) => !sent.has(slot.index))
  return cut(overflow, made.head, tail, left)
}

/** Not even the newest group fits: keep its user message and the newest of the rest, or shorten it, or refuse. */
function newestOf(input: FitInput, groups: readonly Group[], overflow: Overflow): FitResult {
  const { oversize } = input.plan.policy.fit
  const [newest, ...older] = groups as [Group, ...Group[]]
  const heads = input.pins(newest.start)
  // a window that holds its pinned messages is not empty
  if (oversize === 'keep' && heads.first > 0) {
    return cut(overflow, heads.kept, [], flat([...groups, ...overflow.beyond]))
  }
  const made = narrow(input, newest, overflow)
  if (!made.ok) return input.current && oversize !== 'keep' ? bare(input, groups, overflow) : made
  const sent = new Set(made.kept.map(({ slot }) => slot.index))
  const left = flat([made.rest, ...older, ...overflow.beyond]).filter(({ slot }) => !sent.has(slot.index))
  return cut(overflow, made.head, made.kept, left, made.excess)
}

/** Nothing of the history but the pins fits beside the current message; of those, the first messages go last. */
function bare(input: FitInput, groups: readonly Group[], overflow: Overflow): FitResult {
  const { gap } = input.plan.policy.fit
  const end = Number.POSITIVE_INFINITY
  const allowed = { ...overflow.allowed, tokens: overflow.allowed.tokens + input.slack }
  let load = weightless
  for (const { kept: head, least } of [input.pins(end), input.pins(end, 0)]) {
    load = gap.reserve === 'first' ? plus(least, input.gaps(head, end)) : least
    if (over(load, allowed) === null) return cut(overflow, head, [], flat([...groups, ...overflow.beyond]))
  }
  return { ok: false, issue: tooSmall(load, allowed) }
}
