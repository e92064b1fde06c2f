/** A path of which only some entries were read, in the form that core takes: it notices when it would need another. */

import type { Policy } from '../../core/policy/schema.js'
import type { Options } from '../../core/window/plan.js'
import type { Stretch } from '../../store/contract/append.js'
import type { Entry } from '../../store/contract/entry.js'
import { messageOf } from './messages.js'
import type { WindowRecall } from './recall.js'

export interface PartialPath {
  readonly head: Entry | null
  readonly loaded: number
  /** A place for each entry of the path; those that were not read are empty. */
  readonly messages: readonly unknown[]
  /** Of those that were not read. */
  readonly account: (Options['account'] & {}) | null
  /** Where an entry stands, if it was read. */
  readonly places: (id: string) => number | undefined
  /** Whether an entry was looked at that was not read. */
  isShort(): boolean
}

/** `extra`: further entries of the path, between the beginning and the stretch. `current`: the id of a message that is given apart; as the head of the path it has no place in it. */
export function partial(
  { head, entries }: Stretch,
  beginning: readonly Entry[],
  policy: Policy,
  message: WindowRecall['message'] = messageOf,
  current?: string,
  extra: readonly Entry[] = [],
): PartialPath {
  const said = (entry: Entry) => message(entry, policy)
  /** A strict policy refuses a place without a message, so it gets none. */
  const placesOf = (some: readonly Entry[]): readonly Entry[] =>
    policy.intake.invalid === 'reject' ? some.filter((entry) => said(entry) !== undefined) : some
  const begun = placesOf(beginning)
  const newest = placesOf(head?.id === current ? entries.slice(0, -1) : entries)
  const first = entries[0]
  const unread = first ? first.depth - beginning.length : 0
  const [from, to] = [begun.length, begun.length + unread]
  const places: unknown[] = begun.map(said)
  // set by index and not pushed, so that a long gap takes no memory
  newest.forEach((entry, i) => {
    places[to + i] = said(entry)
  })
  places.length = to + newest.length
  const between = extra.map((entry) => [from + entry.depth - beginning.length, entry] as const)
  for (const [index, entry] of between) if (index >= from && index < to) places[index] = said(entry)
  let short = false
  const messages = new Proxy(places, {
    get(target, key, receiver) {
      const index = typeof key === 'string' ? Number(key) : Number.NaN
      if (index >= from && index < to && !Object.hasOwn(target, index)) short = true
      return Reflect.get(target, key, receiver)
    },
  })
  return {
    head,
    loaded: beginning.length + entries.length + extra.length,
    messages: unread > 0 ? messages : places,
    account: unread === 0 ? null : accountOf(begun, newest, unread, first ? first.total - first.tokens : 0),
    places: placesIn(() => [
      ...begun.map(({ id }, i) => [id, i] as const),
      ...between.map(([index, { id }]) => [id, index] as const),
      ...newest.map(({ id }, i) => [id, to + i] as const),
    ]),
    isShort: () => short,
  }
}

const placesIn = (known: () => readonly (readonly [id: string, place: number])[]) => {
  let places: Map<string, number> | undefined
  return (id: string): number | undefined => {
    places ??= new Map(known())
    return places.get(id)
  }
}

/** What the places hold; running totals tell it of those that were not read, evenly spread over them. */
function accountOf(begun: readonly Entry[], newest: readonly Entry[], unread: number, before: number) {
  const sums = [0]
  const add = (tokens: number): void => {
    sums.push((sums.at(-1) ?? 0) + tokens)
  }
  for (const { tokens } of begun) add(tokens)
  const known = sums.at(-1) ?? 0
  const later = [before]
  for (const { tokens } of newest) later.push((later.at(-1) ?? 0) + tokens)
  const at = (place: number): number => {
    if (place <= begun.length) return sums[place] ?? known
    const beyond = place - begun.length - unread
    if (beyond >= 0) return later[beyond] ?? later.at(-1) ?? 0
    return known + Math.round(((before - known) * (place - begun.length)) / unread)
  }
  return (from: number, to: number) => ({ tokens: at(to) - at(from), chars: 0 })
}
