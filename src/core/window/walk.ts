/** Walks a history from its newest message back, admits or refuses each one, and joins calls with their results. */

import type { Result } from '../message/dialects/decode.js'
import type { CallPart, Item, Part } from '../message/item.js'
import type { Policy } from '../policy/schema.js'
import { nothing, partsSize, type Scale, type Size, sizeOf } from '../render/size.js'
import { type Admitted, admit, type Note } from './admit.js'
import type { Marked, Record, Table } from './memo.js'

/** A message of the history as an item, with the positions of the messages that carried its results. */
export interface Slot {
  readonly index: number
  readonly item: Item
  readonly record: Record
  /** Position of the result of each call; -1 where it came with the call or is missing. */
  readonly answers: readonly number[]
}

export interface Lost {
  readonly index: number
  readonly rule:
    | 'malformed'
    | 'role'
    | 'empty'
    | 'too_long'
    | 'duplicate'
    | 'orphan'
    | 'tool_pair'
    | 'leads_with_user'
    | 'mark.excluded'
  readonly size: Size
  readonly note: Note | null
}

export interface Noted {
  readonly index: number
  readonly note: Note
}

export interface Plan {
  readonly policy: Policy
  readonly scale: Scale
  readonly table: Table
  readonly now: string | undefined
  /** What people decided about single messages; null when nothing. */
  readonly marks: Marked | null
  /** Share of the room that may be freed at once when not everything fits; 0 where nothing is gained by it. */
  readonly step: number
  /** Shorter beginnings of a request are not cached. */
  readonly cachedFrom: number
  /** Only a part of the history was read: a place without a value is one that was not. */
  readonly partial: boolean
}

interface Waiting {
  readonly index: number
  readonly result: Result
}

const noAnswers: readonly number[] = []

export class Walk {
  /** The lowest position looked at so far. */
  at: number
  readonly lost: Lost[] = []
  /** Places that hold no message. */
  readonly blank: number[] = []
  readonly notes: Noted[] = []
  readonly vague: { readonly index: number; readonly sentence: string }[] = []
  readonly #messages: readonly unknown[]
  readonly #plan: Plan
  readonly #floor: number
  readonly #leading: number
  readonly #waiting: Waiting[] = []
  readonly #ids = new Map<string, Item[]>()
  /** The message to answer was met. */
  #asked: boolean
  /** It was to be excluded, which it cannot be. */
  spared: number | null = null

  constructor(messages: readonly unknown[], plan: Plan, floor: number, current: Item | null) {
    this.#messages = messages
    this.#plan = plan
    this.#floor = floor
    this.at = messages.length
    this.#asked = current !== null
    this.#leading = plan.policy.intake.system === 'lead' ? this.#countLeading() : 0
    if (current?.id !== undefined) this.#ids.set(current.id, [current])
  }

  /** The next older item, or null at the beginning. */
  next(): Slot | null {
    while (this.at > this.#floor && !this.#isUnread(this.at - 1)) {
      const slot = this.look(--this.at)
      if (slot) return slot
    }
    return null
  }

  /** Whoever gave the messages learns of the question; what lies beyond is not asked for. */
  #isUnread(index: number): boolean {
    return this.#plan.partial && !(index in this.#messages) && this.#messages[index] === undefined
  }

  get done(): boolean {
    return this.at <= this.#floor
  }

  look(index: number): Slot | null {
    // a place that holds no message: something else stands there in the log
    if (this.#messages[index] === undefined && this.#plan.policy.intake.invalid === 'drop') {
      this.blank.push(index)
      return null
    }
    const record = this.record(index)
    const { admitted } = record
    if (!admitted.ok) return this.#refuse(index, ruleOf(admitted.note), record.alone, admitted.note)
    if (admitted.item.role === 'system' && index >= this.#leading) {
      return this.#refuse(index, 'role', record.alone, {
        code: 'admit.role',
        role: 'system',
        roles: this.#plan.policy.intake.roles,
      })
    }
    if (this.#plan.marks && this.#isExcluded(index, admitted.item)) return this.#exclude(index, record, admitted.item)
    for (const note of admitted.notes) this.notes.push({ index, note })
    for (const sentence of admitted.lost) this.vague.push({ index, sentence })
    for (let i = admitted.results.length - 1; i >= 0; i--)
      this.#waiting.push({ index, result: admitted.results[i] as Result })
    if (admitted.item.parts.length === 0 && admitted.results.length > 0) return null
    if (this.#isRepeated(admitted.item)) return this.#refuse(index, 'duplicate', record.alone, null)
    if (admitted.item.role === 'user') this.#asked = true
    return this.#join(index, record, admitted.item)
  }

  #isExcluded(index: number, { id, role, parts }: Item): boolean {
    if (id === undefined || !this.#plan.marks?.excluded.has(id)) return false
    if (this.#asked || role !== 'user' || parts.length === 0) return true
    this.spared = index
    return false
  }

  /** A message goes with the results of its calls. */
  #exclude(index: number, record: Record, item: Item): null {
    const { answers } = this.#join(index, record, item)
    for (const answer of answers)
      if (answer >= 0 && answer !== index) this.#refuse(answer, 'mark.excluded', this.record(answer).alone, null)
    return this.#refuse(index, 'mark.excluded', record.alone, null)
  }

  /** Takes back an item that may not begin the history. */
  unseat(slot: Slot): void {
    this.#refuse(slot.index, 'leads_with_user', slot.record.alone, null)
    for (const index of slot.answers) if (index >= 0) this.#refuse(index, 'leads_with_user', nothing, null)
  }

  /** Results whose call stands outside the window, or nowhere. */
  strays(): readonly number[] {
    return this.#waiting.map((waiting) => waiting.index)
  }

  record(index: number): Record {
    const message = this.#messages[index]
    const { table, policy, now } = this.#plan
    const known = isObject(message) ? table.records.get(message) : undefined
    if (known) return known
    const admitted = admit(message, policy.intake, now)
    const record: Record = {
      admitted,
      alone: sizeAlone(admitted, this.#plan.scale),
      takes: [],
      joined: null,
      shapes: [],
    }
    if (isObject(message)) table.records.set(message, record)
    return record
  }

  /** Why a message was refused. */
  faultOf(index: number): Lost['rule'] {
    const { admitted } = this.record(index)
    return admitted.ok ? 'orphan' : ruleOf(admitted.note)
  }

  /** A row that stands again, under its id and to the letter, is one message: it counts where it stands last. */
  lastOf(index: number): number {
    const { admitted } = this.record(index)
    // a log that was read in part holds no id twice
    if (!admitted.ok || admitted.item.id === undefined || this.#plan.partial) return index
    const id = rawId(this.#messages[index])
    for (let at = this.#messages.length - 1; at > index; at--) {
      const other = rawId(this.#messages[at]) === id ? this.record(at).admitted : null
      if (other?.ok && isSame(other.item, admitted.item)) return at
    }
    return index
  }

  #countLeading(): number {
    let count = 0
    while (count < this.#messages.length) {
      const { admitted } = this.record(count)
      if (!admitted.ok || admitted.item.role !== 'system') break
      count++
    }
    return count
  }

  #refuse(index: number, rule: Lost['rule'], size: Size, note: Note | null): null {
    this.lost.push({ index, rule, size, note })
    return null
  }

  #isRepeated(item: Item): boolean {
    if (item.id === undefined) return false
    const others = this.#ids.get(item.id)
    if (!others) this.#ids.set(item.id, [item])
    else if (others.some((other) => other === item || isSame(other, item))) return true
    else others.push(item)
    return false
  }

  #join(index: number, record: Record, item: Item): Slot {
    if (item.role !== 'assistant' || !item.parts.some((part) => part.type === 'call'))
      return { index, item, record, answers: noAnswers }
    const answers: number[] = []
    const takes: (Result | null)[] = []
    const parts: Part[] = []
    // calls are met newest first, so that results without an id find theirs by order
    for (let i = item.parts.length - 1; i >= 0; i--) {
      const part = item.parts[i] as Part
      parts.unshift(part.type === 'call' ? this.#answer(part, i, answers, takes) : part)
    }
    if (record.joined && sameResults(takes, record.takes)) return { index, item: record.joined, record, answers }
    record.takes = takes
    record.joined = { ...item, parts }
    record.shapes = []
    return { index, item: record.joined, record, answers }
  }

  /** The earliest result after the call wins; later ones for the same call are repetitions. */
  #answer(made: CallPart, part: number, answers: number[], takes: (Result | null)[]): CallPart {
    const call = named(made, part)
    let taken: Waiting | undefined
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const waiting = this.#waiting[i] as Waiting
      if (waiting.result.callId !== call.id) continue
      this.#waiting.splice(i, 1)
      if (taken || call.outcome.state !== 'pending') this.#refuse(waiting.index, 'duplicate', nothing, null)
      else taken = waiting
    }
    if (!taken && made.id === '' && call.outcome.state === 'pending') {
      // a result that names no call belongs to a call that has no name either
      const anonymous = this.#waiting.findIndex(
        ({ result }) => result.callId === undefined && (result.name ?? call.name) === call.name,
      )
      if (anonymous >= 0) taken = this.#waiting.splice(anonymous, 1)[0]
    }
    answers.unshift(taken?.index ?? -1)
    takes.push(taken?.result ?? null)
    if (!taken) return call
    const { admitted } = this.record(taken.index)
    const from = admitted.ok ? admitted.item.id : undefined
    const outcome = { state: taken.result.state, output: taken.result.output }
    return from === undefined ? { ...call, outcome } : { ...call, outcome, from }
  }
}

/** The size of a slot that nothing was joined to. */
export function aloneSize({ item, record }: Slot): Size | undefined {
  const { admitted, alone } = record
  return admitted.ok && admitted.item === item && admitted.results.length === 0 ? alone : undefined
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A name that does not depend on where the message stands; mend tells equal ones apart. */
const named = (call: CallPart, part: number): CallPart => (call.id === '' ? { ...call, id: `call-${part}` } : call)

const sameResults = (one: readonly (Result | null)[], other: readonly (Result | null)[]): boolean =>
  one.length === other.length && one.every((result, i) => result === other[i])

export function rawId(message: unknown): unknown {
  try {
    return (message as { readonly id?: unknown } | null | undefined)?.id
  } catch {
    // a getter or a proxy threw
    return undefined
  }
}

/** Equal to the letter. */
function isSame(one: Item, other: Item): boolean {
  return one.role === other.role && JSON.stringify(one.parts) === JSON.stringify(other.parts)
}

function sizeAlone(admitted: Admitted, scale: Scale): Size {
  if (!admitted.ok) return nothing
  const { item, results } = admitted
  if (results.length === 0 && !item.parts.some((part) => part.type === 'call')) return sizeOf(item, scale)
  // a call's stand-in for a missing result is no part of the message
  const bare = item.parts.map(
    (part): Part =>
      part.type === 'call' && part.outcome.state === 'pending'
        ? { ...part, outcome: { state: 'ok', output: [] } }
        : part,
  )
  let { tokens, chars } = item.parts.length > 0 ? sizeOf({ ...item, parts: bare }, scale) : nothing
  for (const result of results) {
    const size = partsSize(result.output, scale)
    tokens += size.tokens
    chars += size.chars
  }
  return { tokens, chars }
}

function ruleOf(note: Note): Lost['rule'] {
  if (note.code === 'admit.empty') return 'empty'
  if (note.code === 'admit.role') return 'role'
  return note.code === 'admit.hard' ? 'too_long' : 'malformed'
}
