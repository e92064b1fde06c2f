/** The numbers of a receipt: what the request costs, and how much room it leaves. */

import { skipSignature } from '../profile/gemini.js'
import type { Line, Receipt, WindowRoom } from '../receipt/receipt.js'
import { type EachMessage, type RequestNumbers, type RequestParts, usedOf } from '../receipt/request.js'
import { frameShared, type Size } from '../render/size.js'
import type { Accounts } from './account.js'
import type { Place } from './lay.js'
import type { Kept } from './load.js'
import type { Mended } from './mend/mend.js'
import { cueTokens, fixedTokens } from './room.js'
import type { Shape } from './shape.js'
import { stepPrice, turnsIn } from './step.js'

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
