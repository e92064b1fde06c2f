/** Lays the window out: pinned head, markers, tail and current message in their order. */
import type { Accounts } from './account.js'
import type { Item } from './item.js'
import { sizeOf } from './size.js'
import type { Fitted } from './stages/fit.js'
import { type Gap, gapItem, gapLoad, gapsOf, prefixed } from './stages/gap.js'
import type { Kept } from './stages/load.js'

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
} {
  const { fitted, floor, plan, messages } = books
  const { gap } = plan.policy.fit
  const start = fitted.tail[0]?.slot.index ?? messages.length
  const missing = fitted.limit === null ? [] : gapsOf(fitted.head, start, floor)
  const inside = fitted.limit === null ? [] : holes(fitted)
  const gaps = gap.form === 'message' ? [...missing, ...inside] : []
  const shown = gap.reserve === 'if-room' ? affordable(books, gaps) : gaps
  const places: Place[] = []
  const tail = [...fitted.tail]
  const marked = gap.form === 'prefix' && tail.length > 0 && (missing.length > 0 || (gap.always && fitted.exceeded))
  if (marked) tail[0] = prefixed(tail[0] as Kept, gap, plan.scale)
  const put = (kept: Kept): void => {
    const before = shown.find((one) => one.before === kept.slot.index)
    if (before) places.push(marker(gapItem(gap, before.missing), books))
    places.push({ item: kept.shape.item, kept, tokens: kept.shape.after.tokens })
  }
  for (const kept of fitted.head) put(kept)
  for (const kept of tail) put(kept)
  const last = shown.find((one) => one.before === messages.length)
  if (last) places.push(marker(gapItem(gap, last.missing), books))
  if (books.current) places.push({ item: books.current.item, kept: null, tokens: books.current.after.tokens })
  return { places, gaps: shown, marked }
}

const marker = (item: Item, books: Accounts): Place => ({ item, kept: null, tokens: gapLoad(1, books.plan).tokens })

/** In a turn that had to be narrowed, messages are missing after its user message. */
function holes(fitted: Fitted): Gap[] {
  const gaps: Gap[] = []
  for (let i = 1; i < fitted.tail.length; i++) {
    const [one, other] = [fitted.tail[i - 1] as Kept, fitted.tail[i] as Kept]
    const missing = fitted.left.filter(
      (kept) => kept.slot.index > one.slot.index && kept.slot.index < other.slot.index,
    ).length
    if (missing > 0) gaps.push({ before: other.slot.index, missing })
  }
  return gaps
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
