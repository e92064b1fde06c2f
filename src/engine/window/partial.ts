/** A path of which only some entries were read, in the form that core takes: it notices when it would need another. */

import type { Part } from '../../core/message/item.js'
import { presets } from '../../core/policy/presets/index.js'
import type { Overrides, Policy } from '../../core/policy/schema.js'
import { createMemo, type Memo } from '../../core/window/memo.js'
import { plainText } from '../../core/window/mend/plain.js'
import { type Options, resolvePolicy } from '../../core/window/plan.js'
import type { Summary } from '../../core/window/summary.js'
import type { Stretch } from '../../store/contract/append.js'
import type { Body, Entry } from '../../store/contract/entry.js'
import { messageOf } from './entries.js'
import type { Source } from './window.js'

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

// The summary that stands for the beginning of a path: the newest that is neither excluded nor removed.

export async function summaryOn(
  { store, workspace, conversation }: Source,
  { head, entries, summary }: Stretch,
  excluded: ReadonlySet<string>,
): Promise<Summary | null> {
  if (!head || head.summary === null) return null
  const known = new Map([...entries, ...(summary ? [summary] : [])].map((entry) => [entry.id, entry]))
  const find = async (id: string | null): Promise<Entry | null> =>
    id === null ? null : (known.get(id) ?? (await store.entry(workspace, conversation, id)))
  let entry = await find(head.summary)
  while (entry?.body.kind === 'summary') {
    const until = entry.redacted || excluded.has(entry.id) ? null : await find(entry.body.until)
    if (until) return summaryIn(entry, until.id)
    entry = await find((await find(entry.parent))?.summary ?? null)
  }
  return null
}

export const summaryIn = ({ id, body }: Entry, until: string): Summary => ({
  id,
  text: body.kind === 'summary' ? plainText({ role: 'assistant', parts: body.parts }, 'drop') : '',
  until,
})

// What a history remembers of its last window: the messages it was built from, and what core worked out about them.

export interface WindowRecall {
  readonly memo: Memo
  /** The message of an entry: the very one of the last window, if the entry is still the same. */
  readonly message: (entry: Entry, policy: Policy) => object | undefined
  /** How often the reach had to be doubled for the last window. */
  readonly doublings: number
  /** Says how often it was for this one. */
  reached(doublings: number): void
}

interface Kept {
  readonly memo: Memo
  readonly messages: ReadonlyMap<string, object>
  readonly windows: number
  readonly doublings: number
  readonly chars: number
  readonly ref: WeakRef<object>
}

/** More messages than this are not worth their memory. */
export const capacity = 1_000
/** A memo also keeps what belonged to other policies and times, so it is given up after so many windows. */
const life = 100

/** Characters that all histories of a process keep, about; each counts for at least so many. */
const [most, least] = [16_000_000, 10_000]

/** Goes with the history that holds the source. */
const kept = new WeakMap<object, Kept>()
/** What each counts for; the one that was used last is the last. */
const weights = new Map<Kept['ref'], number>()
let sum = 0

function keep(source: object, made: Kept): void {
  sum += made.chars - (weights.get(made.ref) ?? 0)
  weights.delete(made.ref)
  weights.set(made.ref, made.chars)
  kept.set(source, made)
  for (const [ref, chars] of weights) {
    if (sum <= most || ref === made.ref) return
    sum -= chars
    weights.delete(ref)
    kept.delete(ref.deref() ?? ref)
  }
}

export function recallOf(source: object): WindowRecall {
  const last = kept.get(source)
  const { memo, messages: before, windows, doublings } = last && last.windows < life ? last : fresh()
  const ref = last?.ref ?? new WeakRef(source)
  const messages = new Map<string, object>()
  let chars = least
  const reached = (times: number): void =>
    keep(source, { memo, messages, windows: windows + 1, doublings: times, chars, ref })
  reached(doublings)
  return {
    memo,
    doublings,
    reached,
    message(entry, policy) {
      if (entry.redacted || hasFile(entry.body)) return messageOf(entry, policy)
      // an entry never changes under its hash; a policy may want its text alone
      const { content } = policy.intake
      const name = content === 'any' ? entry.hash : `${entry.hash}${content}`
      const known = messages.get(name)
      if (known) return known
      const old = before.get(name)
      const message = old && isIntact(old, entry, memo, policy) ? old : messageOf(entry, policy)
      if (!message || messages.size >= capacity) return message
      messages.set(name, message)
      chars += entry.text.length || entry.tokens * 4
      return message
    },
  }
}

const hasFile = (body: Body): boolean =>
  (body.kind === 'message' ? body.parts : body.kind === 'result' ? body.output : []).some(({ type }) => type === 'file')

/** The input of a call is in the hands of whoever got the last window: where it was changed, nothing of it is remembered. */
function isIntact(message: object, { body }: Entry, { tables }: Memo, policy: Policy): boolean {
  const said = body.kind === 'message' ? inputsOf(body.parts) : ''
  if (said === '') return true
  return [...(tables.get(policy)?.values() ?? [])].every(({ records }) => {
    const admitted = records.get(message)?.admitted
    return !admitted?.ok || inputsOf(admitted.item.parts) === said
  })
}

const inputsOf = (parts: readonly Part[]): string =>
  parts.reduce((all, part) => (part.type === 'call' ? `${all}\n${JSON.stringify(part.input)}` : all), '')

const fresh = () => ({ memo: createMemo(), messages: new Map<string, object>(), windows: 0, doublings: 0 })

// How far a conversation looks beyond itself, as one word; a policy that recalls nothing gets the usual share for it.

export type RecallFrom = Policy['recall']['from']

export const recallFroms: readonly [RecallFrom, ...RecallFrom[]] = ['conversation', 'memories', 'workspace']

/** The first that is one of the words: what is asked for, then what the conversation keeps. */
export const recallFromOf = (...given: readonly unknown[]): RecallFrom | undefined =>
  given.map((one) => recallFroms.find((from) => from === one)).find((from) => from !== undefined)

/** What is changed field by field goes before it. */
export function remembering(
  from: RecallFrom | undefined,
  policy: string | object | undefined,
  overrides?: Overrides,
): Overrides | undefined {
  if (from === undefined) return overrides
  const resolved = resolvePolicy(policy, {})
  const isOff = from !== 'conversation' && resolved.ok && resolved.policy.recall.share === 0
  return { ...overrides, recall: { ...(isOff && presets.balanced.recall), from, ...overrides?.recall } }
}
