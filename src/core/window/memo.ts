/** What may be remembered between calls: an explicit object that the caller holds, never hidden state. */
import type { Result } from '../message/dialects/decode.js'
import type { Item } from '../message/item.js'
import type { Policy } from '../policy/schema.js'
import type { Size } from '../render/size.js'
import type { ModelFacts } from '../tokens/models.js'
import type { Admitted } from './admit.js'
import type { Kept } from './load.js'
import type { Shape } from './shape.js'
import { type Plan, rawId, Walk } from './walk.js'

/** Keep one per conversation. A message that was seen once must not be changed afterwards; append new ones. */
export interface Memo {
  readonly tables: WeakMap<Policy, Map<string, Table>>
  readonly models: Map<string, ModelFacts>
  /** Policies with overrides, by what they were made of. */
  readonly policies: WeakMap<Policy, Map<string, Policy>>
}

/** Remembers counts between windows: make one for a conversation and pass it as `memo`. @example assemble(messages, 'balanced', { memo }) */
export const createMemo = (): Memo => ({ tables: new WeakMap(), models: new Map(), policies: new WeakMap() })

/** Everything known about messages under one policy, counter and target. */
export interface Table {
  readonly records: WeakMap<object, Record>
  readonly sums: Sums
  /** Counts of texts that every window has: markers, cues, frames. */
  readonly constants: Map<string, number>
  /** The system prompt and the tools hardly ever change. */
  readonly system: Last<string>
  readonly tools: Last<readonly unknown[]>
  /** The current message of the last call: the same one is often assembled again. */
  current: { readonly value: unknown; readonly kept: Kept } | null
  /** Sizes of tool inputs, outputs and texts beside calls, by identity. */
  readonly sizes: WeakMap<object, Size>
  /** Items as they stand in the request's JSON, and what stands around them, by the system prompt. */
  readonly written: WeakMap<Item, string>
  readonly shell: Last<string, readonly [open: string, close: string]>
  /** Items that need no mending. */
  readonly clean: WeakMap<Item, boolean>
}

export interface Record {
  readonly admitted: Admitted
  /** The message by itself, its results counted where they stand. */
  readonly alone: Size
  /** The result that each call got last time, and what came of it. */
  takes: readonly (Result | null)[]
  joined: Item | null
  shapes: (Shape | undefined)[]
}

/** Remembers what was made of one thing, as long as it is the same thing. */
class Last<T, V = number> {
  #key: T | undefined
  #value: V | undefined

  of(key: T, make: () => V): V {
    if (key !== this.#key || this.#value === undefined) this.#value = make()
    this.#key = key
    return this.#value
  }
}

/** Running totals over a history that only grows at its end. */
export interface Sums {
  /** The messages that the totals are of. */
  readonly seen: unknown[]
  tokens: number[]
  chars: number[]
}

export const newTable = (): Table => ({
  records: new WeakMap(),
  sums: { seen: [], tokens: [0], chars: [0] },
  constants: new Map(),
  system: new Last(),
  tools: new Last(),
  current: null,
  sizes: new WeakMap(),
  written: new WeakMap(),
  shell: new Last(),
  clean: new WeakMap(),
})

export function tableOf(memo: Memo | undefined, policy: Policy, key: string): Table {
  if (!memo) return newTable()
  const tables = memo.tables.get(policy) ?? new Map<string, Table>()
  if (tables.size === 0) memo.tables.set(policy, tables)
  const known = tables.get(key)
  if (known) return known
  const table = newTable()
  tables.set(key, table)
  return table
}

/** Counted once per table. */
export function constant(table: Table, name: string, count: () => number): number {
  const known = table.constants.get(name)
  if (known !== undefined) return known
  const value = count()
  table.constants.set(name, value)
  return value
}

// What people decided about single messages, each named by its id.

/** Messages that a person has singled out, by id. */
export interface Marks {
  /** They stay whatever the cut does, in a share of the limits. */
  readonly pinned?: readonly string[]
  /** They are never sent. */
  readonly excluded?: readonly string[]
  /** They are neither clipped nor folded. */
  readonly whole?: readonly string[]
}

export interface Marked {
  readonly pinned: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
  readonly whole: ReadonlySet<string>
}

/** Null when nothing is marked; what is excluded is not pinned. */
export function markedOf(marks: Marks | undefined): Marked | null {
  const { pinned = [], excluded = [], whole = [] } = marks ?? {}
  if (pinned.length + excluded.length + whole.length === 0) return null
  const out = new Set(excluded)
  return { pinned: new Set(pinned.filter((id) => !out.has(id))), excluded: out, whole: new Set(whole) }
}

/** Where the message with an id stands. */
export type Where = (id: string) => number | undefined

/** Looks through the whole history at the first question; of several with one id the newest counts. */
export function whereIn(messages: readonly unknown[], plan: Plan): Where {
  let places: Map<string, number> | undefined
  return (id) => {
    places ??= placesOf(messages, plan)
    return places.get(id)
  }
}

function placesOf(messages: readonly unknown[], plan: Plan): Map<string, number> {
  const places = new Map<string, number>()
  const walk = new Walk(messages, plan, 0, null)
  for (let index = 0; index < messages.length; index++) {
    const { admitted } = walk.record(index)
    // a message that may not speak has its place all the same
    const id = admitted.ok ? admitted.item.id : rawId(messages[index])
    if (typeof id === 'string') places.set(id, index)
  }
  return places
}
