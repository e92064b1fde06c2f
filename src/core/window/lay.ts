/** Lays the window out: pinned head, markers, tail and current message in their order. */
import type { Item } from '../message/item.js'
import type { Policy } from '../policy/schema.js'
import { skipSignature } from '../profile/gemini.js'
import type { Line, Receipt, WindowRoom } from '../receipt/receipt.js'
import { type EachMessage, type RequestNumbers, type RequestParts, usedOf } from '../receipt/receipt.js'
import { frameShared, type Scale, type Size, sizeOf } from '../render/size.js'
import type { Accounts } from './account.js'
import type { Fitted } from './fitted.js'
import { type Kept, weigh } from './load.js'
import { constant } from './memo.js'
import type { Mended } from './mend/mend.js'
import { cueTokens, fixedTokens } from './plan.js'
import { type Brought, bring, grantOf, heldFor, rungOf } from './recall.js'
import type { Shape } from './shape.js'
import { says, textOf } from './shape.js'
import { stepPrice, turnsIn } from './step.js'
import { type Gap, gapItem, gapsOf, none, prefixed } from './turns.js'

/** A place in the window: a message, the current message, or a marker. */
export interface Place {
  readonly item: Item
  readonly kept: Kept | null
  readonly tokens: number
}

export function lay(books: Accounts): {
  readonly places: readonly Place[]
  readonly gaps: readonly Gap[]
  readonly marked: boolean
  readonly brought: Brought | null
} {
  const { fitted, floor, plan, messages } = books
  const { gap } = plan.policy.fit
  const start = fitted.tail[0]?.slot.index ?? messages.length
  const border = Math.max(floor, books.standing?.covered ?? 0)
  const missing = fitted.limit === null ? [] : gapsOf(fitted.head, start, border, absent(books))
  const inside = fitted.limit === null ? [] : holes(fitted, messages.length)
  const gaps = gap.form === 'message' ? [...missing, ...inside] : []
  const shown = gap.reserve === 'if-room' ? affordable(books, gaps) : gaps
  const places: Place[] = []
  const tail = [...fitted.tail]
  const marked = gap.form === 'prefix' && tail.length > 0 && (missing.length > 0 || (gap.always && fitted.exceeded))
  if (marked) prefix(tail, gap, plan.scale)
  const stays = pinnedHere(books)
  const put = (kept: Kept): void => {
    const before = shown.find((one) => one.before === kept.slot.index)
    if (before) places.push(marker(gapItem(gap, before.missing), books))
    const { item } = kept.shape
    places.push({
      item: stays.has(kept.slot.index) && item.role === 'assistant' ? { ...item, pinned: true } : item,
      kept,
      tokens: kept.shape.after.tokens,
    })
  }
  const { standing } = books
  const opened = standing ? fitted.head.filter(({ slot }) => slot.index <= openerOf(books)) : fitted.head
  for (const kept of opened) put(kept)
  if (standing?.item) places.push({ item: standing.item, kept: null, tokens: standing.load.tokens })
  for (const kept of fitted.head.slice(opened.length)) put(kept)
  for (const kept of tail) put(kept)
  const last = shown.find((one) => one.before === messages.length)
  if (last) places.push(marker(gapItem(gap, last.missing), books))
  const brought = recall(books, places)
  if (brought) places.splice(placeOf(books, places), 0, { item: brought.item, kept: null, tokens: brought.tokens })
  if (books.current) places.push({ item: books.current.item, kept: null, tokens: books.current.after.tokens })
  return { places, gaps: shown, marked, brought }
}

/** The last of the pinned first messages that the summary covers; it stands behind them. */
const openerOf = ({ pinned, standing }: Accounts): number =>
  Math.max(-1, ...pinned().filter((index) => index < (standing?.covered ?? 0)))

/** Just before the message to answer. */
function placeOf({ current }: Accounts, places: readonly Place[]): number {
  return current ? places.length : places.findLastIndex(({ kept, item }) => kept && item.role === 'user')
}

/** Fills what is left with what was recalled, as long as there is a message to answer. */
function recall(books: Accounts, places: readonly Place[]): Brought | null {
  const { given, plan, room, fitted, where, messages, budget } = books
  if (!given.recall || plan.policy.recall.share === 0 || placeOf(books, places) < 0) return null
  const sent = new Set<number | string>()
  let { tokens, chars } = room
  for (const { kept, tokens: cost } of places) {
    tokens -= cost
    if (!kept) continue
    chars -= weigh(kept, plan.policy.fit).chars
    for (const slot of [kept.slot, ...kept.merged]) {
      for (const index of [slot.index, ...slot.answers]) sent.add(index)
      if (slot.item.id !== undefined) sent.add(slot.item.id)
    }
  }
  if (books.current?.item.id !== undefined) sent.add(books.current.item.id)
  const { items, share = 'usual' } = given.recall
  const whole = budget.tokens ?? Number.POSITIVE_INFINITY
  tokens = Math.max(grantOf(plan.policy, share, whole, tokens), Math.min(tokens, heldFor(items, plan, whole)))
  return bring(items, questionOf(books, places), plan, { tokens, chars }, (one) => {
    const { id, place } = one
    if (plan.marks?.excluded.has(id)) return false
    if (rungOf(one) < 2) return null
    if (sent.has(id)) return false
    if (fitted.limit === null) return false
    const index = where(id) ?? place
    if (index === undefined || index < 0 || index >= messages.length) return null
    return sent.has(index) ? false : index
  })
}

/** The words of the message to answer. */
const questionOf = (books: Accounts, places: readonly Place[]): string =>
  textOf((books.current ?? (places[placeOf(books, places)] as Place)).item)

/** An answer at the very beginning that the policy or someone pins: it is not dropped for leading. */
function pinnedHere({ plan, fitted, pinned, marked }: Accounts): ReadonlySet<number> {
  const { pin } = plan.policy.fit
  if (!plan.scale.traits.alternates) return none
  const people = plan.marks ? marked().map(({ slot }) => slot.index) : []
  if (pin.of !== 'any') return people.length === 0 ? none : new Set(people)
  if (fitted.limit !== null) return new Set([...people, ...pinned()])
  const first = fitted.tail.filter(({ shape }) => says(shape.item)).slice(0, pin.first)
  return new Set([...people, ...first.map(({ slot }) => slot.index)])
}

/** Counted as it is; the room it was given is for the longest number. */
function marker(item: Item, { plan }: Accounts): Place {
  const count = () => sizeOf(item, plan.scale).tokens
  return {
    item,
    kept: null,
    tokens: item.mark === 'gap' ? constant(plan.table, `gap ${textOf(item)}`, count) : count(),
  }
}

/** Messages that intake refused, and places of none: where they stood, nothing is missing. */
function absent({ walk, unusable, excluded, fitted, rest }: Accounts): ReadonlySet<number> {
  const lost = walk.lost.map(({ index }) => index)
  const out = new Set([...unusable(), ...excluded(), ...lost, ...walk.blank, ...walk.strays()])
  for (const { slot } of fitted.head) for (const answer of slot.answers) out.add(answer)
  // a message may carry both a result that found no call and words of its own
  for (const { slot } of [...fitted.tail, ...fitted.left]) out.delete(slot.index)
  for (const slot of rest) out.delete(slot.index)
  return out
}

/** In a turn that had to be narrowed, messages are missing after its user message. */
function holes({ tail, left }: Fitted, end: number): Gap[] {
  const gaps: Gap[] = []
  for (let i = 0; i < tail.length; i++) {
    const one = (tail[i] as Kept).slot.index
    const other = tail[i + 1]?.slot.index ?? end
    const missing = left.filter(({ slot }) => slot.index > one && slot.index < other).length
    if (missing > 0) gaps.push({ before: other, missing })
  }
  return gaps
}

/** The text goes in front of the first message that will be sent. */
function prefix(tail: Kept[], gap: Policy['fit']['gap'], scale: Scale): void {
  const first = scale.traits.alternates ? tail.findIndex(({ shape }) => shape.item.role === 'user') : 0
  tail[Math.max(0, first)] = prefixed(tail[Math.max(0, first)] as Kept, gap, scale)
}

/** As specification 4 has it literally: the marker goes when there is no room for it. */
function affordable(books: Accounts, gaps: readonly Gap[]): readonly Gap[] {
  const { fitted, room, plan } = books
  let tokens = room.tokens
  for (const kept of [...fitted.head, ...fitted.tail]) tokens -= kept.shape.after.tokens
  return gaps.filter((gap) => {
    const cost = sizeOf(gapItem(plan.policy.fit.gap, gap.missing), plan.scale).tokens
    if (cost > tokens) return false
    tokens -= cost
    return true
  })
}

// The numbers of a receipt: what the request costs, and how much room it leaves.

/** What the target adds to the messages. */
export function frameTokens({ plan }: Accounts, mended: Mended): number {
  let tokens = fixedTokens(plan)
  for (const { rule, effect } of mended.notes) {
    if (effect === 'added' && (rule === 'ends_with_user' || rule === 'bridged')) tokens += cueTokens(plan, 'closing')
    if (effect === 'added' && rule === 'leads_with_user') tokens += cueTokens(plan, 'opening')
    if (rule === 'signature_added') tokens += plan.scale.counter.count(skipSignature)
  }
  return tokens
}

/** The books once it is known which messages the provider joins to the one before them: those have no frame of their own. */
export function joined(books: Accounts, places: readonly Place[], mended: Mended): [Accounts, readonly Place[]] {
  const frame = frameShared(books.plan.scale)
  const found = (rule: string): number[] => mended.notes.flatMap((note) => (note.rule === rule ? note.item : []))
  const split = found('call_moved')
  const shared = new Set(frame === 0 ? [] : found('merged').filter((at) => !split.includes(at)))
  if (shared.size === 0) return [books, places]
  const less = (size: Size): Size => ({ ...size, tokens: Math.max(0, size.tokens - frame) })
  const lighter = (made: Shape): Shape => ({ ...made, before: less(made.before), after: less(made.after) })
  const heads = new Map<Kept | null, Kept>()
  const out = places.map((place, at) => {
    if (!shared.has(at)) return place
    const kept = place.kept && { ...place.kept, shape: lighter(place.kept.shape) }
    if (kept) heads.set(place.kept, kept)
    return { ...place, kept, tokens: Math.max(0, place.tokens - frame) }
  })
  const { fitted, current } = books
  const head = fitted.head.map((kept) => heads.get(kept) ?? kept)
  const asked = current && shared.has(places.length - 1) ? lighter(current) : current
  return [{ ...books, fitted: { ...fitted, head }, current: asked }, out]
}

/** `sent`: the places of the window that the target accepts. */
export function numbersOf(
  books: Accounts,
  sent: readonly Place[],
  mended: Mended,
  totals: Receipt['totals'],
  lines: readonly Line[],
  each: readonly EachMessage[],
): RequestNumbers {
  const { budget, current, plan } = books
  const { system, tools } = budget.counted
  const parts = partsOf(books, sent, sent.length === 0 ? 0 : frameTokens(books, mended))
  const used = usedOf(parts)
  const most = budget.tokens === null ? null : budget.tokens + system + tools
  const now = current ? 1 : 0
  const said = current?.after.tokens ?? 0
  const whole = current?.before.tokens ?? 0
  return {
    window: plan.facts?.window ?? null,
    budget: most,
    used,
    free: most === null ? null : most - used,
    parts,
    messages: { sent: totals.messages - totals.dropped - totals.summarised + now, of: totals.messages + now },
    tokens: {
      sent: each.reduce((sum, [, tokens]) => sum + tokens, said),
      of: totals.tokens.before === null ? null : totals.tokens.before + whole,
      ...(lines.some(({ estimated }) => estimated) && { estimated: true as const }),
    },
    each,
  }
}

function partsOf({ budget, current }: Accounts, sent: readonly Place[], frame: number): RequestParts {
  let [history, summary, recall, markers, said] = [0, 0, 0, 0, 0]
  for (const { item, kept, tokens } of sent) {
    if (kept) history += tokens
    else if (current && item === current.item) said += tokens
    else if (item.mark === 'summary') summary += tokens
    else if (item.mark === 'recall') recall += tokens
    else markers += tokens
  }
  const { system, tools } = budget.counted
  return { system, tools, frame, history, summary, recall, markers, current: said }
}

/** Nothing as long as no limit on tokens made anything give way. */
export function windowRoom({ plan, fitted, room, budget }: Accounts): { readonly room?: WindowRoom } | null {
  const { caching, policy } = plan
  if (fitted.limit !== 'tokens' || !Number.isFinite(room.tokens)) return null
  const taken = [...fitted.head, ...fitted.tail].reduce((sum, { shape }) => sum + shape.after.tokens, 0)
  const free = Math.max(0, room.tokens - taken)
  const cached = room.tokens <= plan.cachedFrom ? 'too_short' : 'cached'
  const why = policy.fit.step === 0 ? 'policy' : caching === null ? 'not_cached' : cached
  const turns = fitted.tail.filter(({ slot }) => slot.item.role === 'user').length
  const turn = taken / Math.max(1, turns)
  const price = caching
    ? { steps: Math.round(stepPrice(room.tokens, plan.step, turn, caching)), full: Math.round(room.tokens) }
    : { steps: Math.round(room.tokens), full: Math.round(room.tokens) }
  if (why !== 'cached') return { room: { mode: 'full', why, free, turns: 0, price } }
  const saves = Math.ceil((budget.tokens ?? room.tokens) * plan.step)
  const next = { after: free, saves, costs: Math.max(0, Math.round(room.tokens - saves)) }
  return { room: { mode: 'steps', why, free, turns: turnsIn(room.tokens, plan.step, turn), price, next } }
}
