/** What gives way before anything is left out: tool results of old turns, oldest first, then their long texts. */
import type { Cut } from '../policy/schema.js'
import { type Kept, type Load, minus, over, plus, weigh } from './load.js'
import { outputText } from './mend/plain.js'
import { clipResults, clipText, type Mode, reshaped, textOf } from './shape.js'
import { roundness } from './step.js'
import type { Turns } from './turns.js'
import type { Plan } from './walk.js'

/** The policy lets results and texts give way before turns do. */
export const yields = ({ policy: { fold } }: Plan): boolean => fold.tools === 'abbreviate'

export interface Pressure {
  readonly plan: Plan
  readonly turns: Turns
  readonly room: Load
  /** What the messages that do not give way take, with markers and pinned messages. */
  readonly spent: Load
  /** Tokens that stay in use, so that no more gives way at once. */
  readonly least: number
  readonly origin: number
}

/** The messages, oldest first, in the fullest forms that fit; null when they do not even fit as quotes. From `newest` on texts stay whole. */
export function ease(pieces: readonly Kept[], newest: number, pressure: Pressure): readonly Kept[] | null {
  const { fit } = pressure.plan.policy
  const forms = [...pieces]
  let load = pressure.spent
  for (const piece of pieces) load = plus(load, weigh(piece, fit))
  if (over(load, pressure.room) === null) return forms
  for (const mode of ['quoted', 'brief'] as const) {
    const found = search(forms, mode, mode === 'brief' ? newest : Number.POSITIVE_INFINITY, load, pressure)
    if (found.fits) return forms
    load = found.load
  }
  return null
}

/** Puts the oldest messages into this form, as many as it takes: where a step is possible, up to the roundest place within it. */
function search(
  forms: Kept[],
  mode: 'quoted' | 'brief',
  end: number,
  before: Load,
  { plan, turns, room, least, origin }: Pressure,
): { readonly fits: boolean; readonly load: Load } {
  const { fit } = plan.policy
  const full = [...forms]
  let load = before
  let best = -1
  let roundest = -1
  for (let i = 0; i < forms.length; i++) {
    const piece = forms[i] as Kept
    if (piece.slot.index >= end) break
    const short = turns.keep(piece.slot, mode)
    const others = minus(load, weigh(piece, fit))
    const next = plus(others, weigh(short, fit))
    if (next.tokens >= load.tokens) continue
    const isEnough = over(next, room) === null
    if (isEnough && next.tokens < least) {
      // one message frees more than a step: it gives way as far as it must
      if (best < 0) forms[i] = cutWithin(piece, short, mode, plan, others, room)
      if (best < 0) return { fits: true, load: next }
      break
    }
    forms[i] = short
    load = next
    const round = isEnough ? roundness(piece.slot.index, forms[i - 1]?.slot.index, origin) : -1
    if (round > roundest) [best, roundest] = [i, round]
  }
  if (best < 0) return { fits: false, load }
  for (let i = best + 1; i < forms.length; i++) forms[i] = full[i] as Kept
  return { fits: true, load }
}

/** Between two cuts of a message that frees more than a step lies this factor: its form stays the same for a while. */
const factor = 2 / 3

/** The longest quote that fits beside the others, never less than `short`. */
export function cutWithin(
  piece: Kept,
  short: Kept,
  mode: 'quoted' | 'brief',
  plan: Plan,
  others: Load,
  room: Load,
): Kept {
  const { fit } = plan.policy
  const floor = longestOf(short, mode)
  const fits = (chars: number): Kept | null => {
    const made = cutTo(piece, chars, mode, plan)
    return made && over(plus(others, weigh(made, fit)), room) === null ? made : null
  }
  let high = longestOf(piece, mode)
  let low = floor
  let best: Kept | null = null
  if (plan.step > 0)
    for (let chars = high * factor; chars > floor && !best; chars *= factor) best = fits(Math.floor(chars))
  while (plan.step === 0 && high - low > 64) {
    const middle = (low + high) >> 1
    const made = fits(middle)
    if (made) [best, low] = [made, middle]
    else high = middle
  }
  return best && longestOf(best, mode) > floor ? best : short
}

/** A mark takes about so many characters. */
const markChars = 64

function cutTo(piece: Kept, chars: number, mode: Mode, plan: Plan): Kept | null {
  const { policy, scale } = plan
  const { shape } = piece
  const sized = (mark: string): Cut => {
    const keep = Math.max(1, chars - markChars)
    return { over: chars, head: Math.ceil(keep * 0.7), tail: Math.floor(keep * 0.3), mark }
  }
  if (mode === 'quoted') {
    const item = clipResults(shape.item, sized(policy.fold.result.mark), policy.clip.graphemes, false)
    return item === shape.item ? null : { ...piece, shape: reshaped(shape, item, 'folded', 'fold.abbreviate', scale) }
  }
  const { role } = shape.item
  const rule = role === 'system' ? null : policy.clip[role]
  const cut = rule && clipText(shape.item, sized(rule.mark), policy.clip.graphemes)
  if (!cut) return null
  const made = reshaped(shape, cut.item, 'clipped', `clip.${role}`, scale)
  return { ...piece, shape: { ...made, cut: [cut.from, cut.to] } }
}

function longestOf({ shape: { item } }: Kept, mode: Mode): number {
  if (mode === 'brief') return textOf(item).length
  return item.parts.reduce(
    (most, part) =>
      part.type === 'call' && part.outcome.state !== 'pending'
        ? Math.max(most, outputText(part.outcome.output).length)
        : most,
    0,
  )
}
