/** Makes the newest turn fit when it alone is over a limit. */
import type { Plan } from '../intake/walk.js'
import type { Issue } from '../issue.js'
import type { Item } from '../item.js'
import type { Cut, Policy } from '../policy/schema.js'
import { sizeOf } from '../size.js'
import { clipText, halvingsOf, textOf } from './clip.js'
import { excessOf, type Kept, type Load, over, plus, tooSmall, weigh } from './load.js'
import type { Group, Turns } from './turns.js'

interface Tight {
  readonly plan: Plan
  readonly room: Load
  /** Taken by pins and markers. */
  readonly spent: Load
  /** What a marker inside the turn costs. */
  readonly hole: Load
  readonly turns: Turns
  /** It makes place for something else: then it is cut whatever the policy says of a turn that is too long. */
  readonly yields: boolean
}

export type Shrunk =
  | { readonly ok: true; readonly kept: readonly Kept[]; readonly excess: number }
  | { readonly ok: false; readonly issue: Issue }

export function shrink(group: Group, tight: Tight): Shrunk {
  const oversize = oversizeOf(tight)
  if (group.kept.length > 1) return partOf(group, tight)
  const only = group.kept[0] as Kept
  if (oversize === 'keep')
    return { ok: true, kept: [only], excess: excessOf(plus(tight.spent, group.load), tight.room) }
  if (oversize === 'clip') {
    const short = shorten(only, tight)
    if (short) return { ok: true, kept: [short], excess: 0 }
  }
  return { ok: false, issue: tooSmall(plus(tight.spent, group.load), tight.room) }
}

/** Of a turn too long for the window: its user message, and the newest of what followed. */
function partOf(group: Group, tight: Tight): Shrunk {
  const { plan, turns } = tight
  const least = halvingsOf(plan.policy.clip.tool, plan.policy.fold.result)
  const kept =
    least > 0 && plan.policy.fold.tools === 'abbreviate'
      ? group.kept.map((one) => turns.keep(one.slot, least))
      : group.kept
  const user = kept[0]?.shape.item.role === 'user' ? kept[0] : undefined
  const rest = user ? kept.slice(1) : kept
  const spent = plus(tight.spent, tight.hole)
  let load: Load = { ...spent, turns: spent.turns + 1 }
  const clips = oversizeOf(tight) === 'clip'
  const room = tight.yields ? beside(rest, tight, load) : tight.room
  const head: Kept[] = []
  if (user) {
    const whole = plus(load, weigh(user, plan.policy.fit))
    const fits = over(whole, room) === null
    const short = fits ? user : clips ? shorten(user, { plan, room, spent }) : null
    if (!short) return { ok: false, issue: tooSmall(whole, tight.room) }
    head.push(short)
    load = plus(load, weigh(short, plan.policy.fit))
  }
  const tail: Kept[] = []
  for (let i = rest.length - 1; i >= 0; i--) {
    const one = rest[i] as Kept
    const next = plus(load, weigh(one, plan.policy.fit))
    if (over(next, tight.room) !== null) {
      const short = tail.length === 0 && clips ? shorten(one, { ...tight, spent: load }) : null
      if (short) tail.unshift(short)
      break
    }
    tail.unshift(one)
    load = next
  }
  if (head.length + tail.length === 0) return { ok: false, issue: tooSmall(plus(tight.spent, group.load), tight.room) }
  return { ok: true, kept: [...head, ...tail], excess: 0 }
}

const oversizeOf = ({ plan, yields }: Tight): Policy['fit']['oversize'] => (yields ? 'clip' : plan.policy.fit.oversize)

/** What the user message may have: it leaves half of the room to what followed, if that needs it. */
function beside(rest: readonly Kept[], { plan, room }: Tight, { tokens }: Load): Load {
  const needed = rest.reduce((sum, one) => sum + weigh(one, plan.policy.fit).tokens, 0)
  return { ...room, tokens: room.tokens - Math.min(needed, Math.max(0, room.tokens - tokens) / 2) }
}

const mark = '\n[… {omitted} characters omitted …]\n'

/** The text as it was said, the other parts as they would be sent. */
function uncut({ slot, shape }: Kept): Item['parts'] {
  const others = shape.item.parts.filter((part) => part.type !== 'text')
  return [...slot.item.parts.filter((part) => part.type === 'text'), ...others]
}

/** The longest head and tail of the text that still fits, or null when there is no room worth having. */
export function shorten(kept: Kept, tight: Pick<Tight, 'plan' | 'room' | 'spent'>): Kept | null {
  const { plan, spent, room } = tight
  // what was cut already is cut anew, so that its mark tells the whole
  const source = kept.shape.cut ? { ...kept.shape.item, parts: uncut(kept) } : kept.shape.item
  const made = (keep: number): Kept => {
    const cut: Cut = { over: keep + 48, head: Math.ceil(keep * 0.7), tail: Math.floor(keep * 0.3), mark }
    const clipped = clipText(source, cut, plan.policy.clip.graphemes)
    if (!clipped) return kept
    const after = sizeOf(clipped.item, plan.scale)
    return {
      ...kept,
      shape: {
        ...kept.shape,
        item: clipped.item,
        after,
        fate: 'clipped',
        rule: 'fit.oversize',
        cut: [clipped.from, clipped.to],
      },
    }
  }
  // less than this says nothing
  let low = 31
  let high = textOf(source).length
  let best: Kept | null = null
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const candidate = made(middle)
    if (over(plus(spent, weigh(candidate, plan.policy.fit)), room) === null) {
      best = candidate
      low = middle
    } else high = middle
  }
  return best
}
