/** Groups what the walk gives into whole turns (or single messages), newest first. */
import { type Item, text } from '../message/item.js'
import { length } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import { isText, type Scale, sizeOf } from '../render/size.js'
import { type Kept, type Load, plus, weigh, weightless } from './load.js'
import { constant } from './memo.js'
import { type Mode, type Shape, says, shape, textOf, wholeShape } from './shape.js'
import { aloneSize, type Plan, type Slot, type Walk } from './walk.js'

/** Slots that stay or go together, oldest first. */
export interface Turn {
  readonly start: number
  readonly slots: readonly Slot[]
  /** Places of pinned messages, which stand among them by themselves. */
  readonly parting?: ReadonlySet<number>
}

export interface Group {
  readonly start: number
  readonly kept: readonly Kept[]
  readonly load: Load
}

/** Gives the next older turn; the newest user message is known to it, as it may be exempt from clipping. */
export class Turns {
  readonly #walk: Walk
  readonly #plan: Plan
  #newest: Slot | null = null
  #wantsNewest: boolean
  readonly #leads: boolean
  /** Whether the newest turn can be one whose tool results are still to be answered. */
  #mayBeLive: boolean
  readonly #live = new Set<Slot>()

  /** `follows`: a summary stands before them, so that they may begin with the rest of a turn. */
  constructor(walk: Walk, plan: Plan, hasCurrent: boolean, follows: boolean) {
    this.#walk = walk
    this.#leads = plan.policy.fit.lead === 'user' && !follows
    this.#plan = plan
    this.#wantsNewest = !hasCurrent && plan.policy.clip.newestWhole
    const { fold, intake } = plan.policy
    const folds = fold.tools === 'inline' || fold.tools === 'drop'
    // a prompt of one text has no place for a call, and a policy that takes no results has none to answer
    this.#mayBeLive = !hasCurrent && folds && intake.roles.includes('tool') && !isText(plan.scale.target)
  }

  next(): Turn | null {
    const slots: Slot[] = []
    // one that says nothing goes with the one before it: alone it would stand for the newest
    const isSingle = this.#plan.policy.fit.grain === 'message'
    for (let slot = this.#walk.next(); slot; slot = this.#walk.next()) {
      slots.push(slot)
      if (slot.item.role === 'user' && this.#wantsNewest) {
        this.#wantsNewest = false
        this.#newest = slot
      }
      if (slot.item.role === 'user' || (isSingle && says(this.keep(slot, 'full').shape.item))) break
    }
    if (slots.length === 0) return null
    if (this.#mayBeLive && isLive(slots[0] as Slot)) for (const slot of slots) this.#live.add(slot)
    this.#mayBeLive = false
    if (this.#leads && slots.at(-1)?.item.role !== 'user') {
      for (const slot of slots) this.#walk.unseat(slot)
      return null
    }
    slots.reverse()
    return { start: (slots[0] as Slot).index, slots }
  }

  group(turn: Turn, mode: Mode | ((slot: Slot) => Mode)): Group {
    let kept: Kept[] = turn.slots.map((slot) => this.keep(slot, typeof mode === 'string' ? mode : mode(slot)))
    if (this.#plan.policy.fold.tools === 'inline' && kept.length > 1) kept = this.#merge(kept, turn.parting)
    return this.of(turn.start, kept)
  }

  of(start: number, kept: readonly Kept[]): Group {
    const { fit } = this.#plan.policy
    let load = kept.length === 1 ? weigh(kept[0] as Kept, fit) : weightless
    if (kept.length > 1) for (const one of kept) load = plus(load, weigh(one, fit))
    return { start, kept, load: { ...load, turns: 1 } }
  }

  keep(slot: Slot, mode: Mode): Kept {
    const which = slot === this.#newest ? 'exempt' : mode
    return { slot, shape: this.#shapeOf(slot, which), merged: [] }
  }

  #shapeOf(slot: Slot, mode: Mode): Shape {
    if (this.#isMarked(slot)) return wholeShape(slot, mode, this.#plan, 'mark.whole')
    return this.#live.has(slot) ? wholeShape(slot, mode, this.#plan, 'fold.live') : this.#shape(slot, mode)
  }

  #isWhole(slot: Slot): boolean {
    return this.#live.has(slot) || this.#isMarked(slot)
  }

  #isMarked({ item }: Slot): boolean {
    const { marks } = this.#plan
    return marks !== null && item.id !== undefined && marks.whole.has(item.id)
  }

  #shape(slot: Slot, mode: Mode): Shape {
    const { shapes, joined } = slot.record
    // the same row stands twice in the history, with other results
    if (joined !== null && joined !== slot.item) return shape(slot.item, mode, this.#plan.policy, this.#plan.scale)
    const known = shapes[places[mode]]
    if (known) return known
    const made = shape(slot.item, mode, this.#plan.policy, this.#plan.scale, aloneSize(slot))
    shapes[places[mode]] = made
    return made
  }

  /** Consecutive assistant items become one, as specification 3 tells a turn. */
  #merge(kept: readonly Kept[], parting: ReadonlySet<number> = none): Kept[] {
    const out: Kept[] = []
    for (const one of kept) {
      const last = out.at(-1)
      const both = last && last.shape.item.role === 'assistant' && one.shape.item.role === 'assistant'
      const isParted = [...parting].some((place) => last && place >= last.slot.index && place <= one.slot.index)
      if (both && !isParted && !this.#isWhole(last.slot) && !this.#isWhole(one.slot))
        out[out.length - 1] = this.#joined(last, one)
      else out.push(one)
    }
    return out
  }

  #joined(one: Kept, other: Kept): Kept {
    const said = [textOf(one.shape.item), textOf(other.shape.item)].filter((part) => part !== '').join('\n')
    const rest = [...one.shape.item.parts, ...other.shape.item.parts].filter((part) => part.type !== 'text')
    const item: Item = { ...one.shape.item, parts: said === '' ? rest : [...rest, text(said)] }
    const before = {
      tokens: one.shape.before.tokens + other.shape.before.tokens,
      chars: one.shape.before.chars + other.shape.before.chars,
    }
    return {
      slot: one.slot,
      merged: [...one.merged, other.slot, ...other.merged],
      shape: { ...one.shape, item, fate: 'folded', rule: 'fold.inline', before, after: sizeOf(item, this.#plan.scale) },
    }
  }
}

/** Its last word is a call: the turn is not over, and what the tools found is still to be answered. */
const isLive = ({ item }: Slot): boolean => item.role === 'assistant' && item.parts.at(-1)?.type === 'call'

/** Where a record keeps its shapes. */
const places: Readonly<Record<Mode, number>> = { full: 0, quoted: 1, exempt: 2, brief: 3 }

// The markers that stand where messages are missing.

type Rule = Policy['fit']['gap']

export interface Gap {
  /** Position of the first message after it. */
  readonly before: number
  readonly missing: number
}

export const gapItem = (rule: Rule, missing: number): Item => ({
  role: rule.role,
  parts: [text(rule.text.replaceAll('{n}', String(missing)))],
  mark: 'gap',
})

/** Where messages are missing between the beginning, the pinned messages and the tail. */
export function gapsOf(heads: readonly Kept[], start: number, first: number, gone: ReadonlySet<number> = none): Gap[] {
  const gaps: Gap[] = []
  let next = first
  for (let i = 0; i <= heads.length; i++) {
    const place = heads[i]?.slot.index ?? start
    const missing = place - next - countBetween(gone, next, place)
    if (missing > 0) gaps.push({ before: place, missing })
    next = Math.max(next, place + 1)
  }
  return gaps
}

export const none: ReadonlySet<number> = new Set()

function countBetween(places: ReadonlySet<number>, from: number, to: number): number {
  let count = 0
  for (const place of places) if (place >= from && place < to) count++
  return count
}

/** What the markers cost at most, whatever number they name. */
export function gapLoad(count: number, plan: Plan): Load {
  const { gap } = plan.policy.fit
  if (gap.form === 'none' || count === 0) return weightless
  const tokens = constant(plan.table, 'gap', () => countGap(gap, plan.scale))
  return { ...weightless, tokens: count * tokens, chars: count * length(gap.text) }
}

function countGap(rule: Rule, scale: Scale): number {
  if (rule.form === 'prefix') return scale.counter.count(rule.text) + 2
  return sizeOf(gapItem(rule, 9_999_999), scale).tokens
}

/** Puts the text in front of the oldest kept message. */
export function prefixed(kept: Kept, rule: Rule, scale: Scale): Kept {
  const { item } = kept.shape
  const at = item.parts.findIndex((part) => part.type === 'text')
  const parts = item.parts.map((part, i) => (i === at && part.type === 'text' ? text(rule.text + part.text) : part))
  const marked: Item = { ...item, parts: at < 0 ? [text(rule.text), ...parts] : parts }
  return { ...kept, shape: { ...kept.shape, item: marked, after: sizeOf(marked, scale) } }
}
