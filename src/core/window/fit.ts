/** Keeps the pinned head and the longest suffix of whole turns that fits every limit. */
import { frameShared, nothing } from '../render/size.js'
import { yields } from './ease.js'
import { countsOf, cut, type FitInput, type FitResult, flat, tightOf, unledOf, withHead } from './fitted.js'
import { excessOf, type Limit, type Load, over, plus, weightless } from './load.js'
import { isOneMessage } from './mend/order.js'
import { pressed, type Seen } from './press.js'
import { trim } from './trim.js'
import { type Group, type Turn, Turns } from './turns.js'

export function fit(input: FitInput): FitResult {
  const { plan } = input
  const room = tightOf(input)
  const turns = new Turns(input.walk, plan, input.current !== null, input.origin > 0)
  const seen = lookBack(input, turns, room)
  const { groups, load } = seen
  const exceeded = groups.length > 0 && over(load, room) !== null
  let limit = seen.limit
  const short = seen.capped ?? input.short
  if (!limit && short === null) {
    const unled = unledOf({ ...input, pins: input.whole }, groups)
    limit = unled && over(plus(load, unled.load), room)
    const [tail, excess] = [flat(groups), exceeded ? excessOf(load, room) : 0]
    if (!limit)
      return { ok: true, fitted: { head: unled?.kept ?? [], tail, left: [], limit, excess, exceeded, isAll: true } }
  }
  const beyond = seen.beyond.map((turn) => turns.group(turn, 'full'))
  // all that the walk found, behind the pinned messages
  const headed = limit ? null : withHead(input, groups, groups.length, load)
  if (headed && over(headed.load, room) === null) return cut({ limit: short }, headed.head, flat(groups), flat(beyond))
  const overflow = { limit: limit ?? (short as Limit), allowed: room, turns, beyond }
  return yields(plan) ? pressed(input, seen, overflow, short) : trim(input, groups, overflow)
}

/** As far as everything fits, and one turn more. */
function lookBack({ plan, current }: FitInput, turns: Turns, room: Load): Seen {
  const { floor } = plan.policy.fit
  const seen = { turns: [] as Turn[], groups: [] as Group[], beyond: [] as Turn[] }
  const frame = frameShared(plan.scale)
  const counts = countsOf(room)
  let load = weightless
  let newer = current
  for (let turn = turns.next(); turn; turn = turns.next()) {
    const group = turns.group(turn, 'full')
    let next = plus(load, group.load)
    // where the provider joins them, neighbours of one side have one frame
    for (const { shape } of frame > 0 ? [...group.kept].reverse() : []) {
      if (shape.after === nothing) continue
      if (newer && isOneMessage(shape.item, newer)) next = { ...next, tokens: next.tokens - frame }
      newer = shape.item
    }
    const capped = seen.groups.length < Math.max(1, floor) ? null : over(next, counts)
    if (capped) {
      seen.beyond.push(turn)
      return { ...seen, load, limit: null, capped }
    }
    load = next
    seen.turns.push(turn)
    seen.groups.push(group)
    const limit = seen.groups.length > floor ? over(load, room) : null
    if (limit) return { ...seen, load, limit, capped: null }
  }
  return { ...seen, load, limit: null, capped: null }
}
