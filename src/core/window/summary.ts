/** The summary that stands where the messages it covers were. */

import { type Item, text } from '../message/item.js'
import { isBlank } from '../message/text.js'
import { standInKept } from './current.js'
import { shareOfRoom } from './hold.js'
import { type Load, over, uncounted, weightless } from './load.js'
import type { Where } from './memo.js'
import { shortenText } from './shrink.js'
import { type Plan, Walk } from './walk.js'

/** Words in the place of the beginning of a history. */
export interface Summary {
  readonly id?: string
  readonly text: string
  /** The id of the last message that it covers; all before it are covered too. */
  readonly until: string
}

export interface Standing {
  /** Null when its share is too small for words: it stays free, so that a bigger budget never keeps less. */
  readonly item: Item | null
  readonly load: Load
  /** So many messages from the beginning are covered. */
  readonly covered: number
}

/** Null when it cannot be used: excluded, empty or of another history. */
export function standingOf(
  summary: Summary,
  messages: readonly unknown[],
  plan: Plan,
  room: Load,
  where: Where,
): Standing | null {
  const { id, text: words, until } = summary
  const { fit } = plan.policy
  const last = where(until)
  if (last === undefined || isBlank(words) || (id !== undefined && plan.marks?.excluded.has(id))) return null
  const covered = answeredFrom(messages, last, plan)
  const most = shareOfRoom(room, fit.summary.share)
  const whole = standInKept(summaryItem(plan, words, covered), plan)
  const kept =
    over(uncounted(whole, fit), most) === null ? whole : shortenText(whole, { plan, room: most, spent: weightless })
  if (!kept) return { item: null, load: { ...weightless, tokens: most.tokens }, covered: 0 }
  return { item: kept.shape.item, load: uncounted(kept, fit), covered }
}

/** One that covers a call covers the results that follow it. */
function answeredFrom(messages: readonly unknown[], last: number, plan: Plan): number {
  const walk = new Walk(messages, plan, 0, null)
  let covered = last + 1
  if (!isTraffic(walk, last)) return covered
  for (let index = covered; index < messages.length; index++) {
    const { admitted } = walk.record(index)
    if (admitted.ok && (admitted.item.parts.length > 0 || admitted.results.length === 0)) break
    if (admitted.ok) covered = index + 1
  }
  return covered
}

function isTraffic(walk: Walk, index: number): boolean {
  const { admitted } = walk.record(index)
  return !admitted.ok || admitted.results.length > 0 || admitted.item.parts.some((part) => part.type === 'call')
}

/** Pinned, so that it is not moved to the system's channel where a user must speak first. */
const summaryItem = ({ policy }: Plan, words: string, covered: number): Item => ({
  role: 'assistant',
  parts: [text(`${policy.fit.summary.text.replaceAll('{n}', String(covered))}\n${words}`)],
  mark: 'summary',
  pinned: true,
})
